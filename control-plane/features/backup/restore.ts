/**
 * Restores a backup into empty places. All of it is checked first. PostgreSQL comes last and in one transaction: no control plane
 * starts without it, so none serves what is half restored.
 */
import { ConfigError } from '#shared/config.ts';
import { messageOf } from '#shared/errors.ts';
import { type AdminContext, VerbFailure } from '../../framework/verb.ts';
import { clickhouseFolder, migrateClickHouse, migratePostgres } from '../../platform/db/migrate.ts';
import { postgresFolder, sqlFilesOf } from '../../platform/db/pending-migrations.ts';
import { openStorage } from '../../platform/storage/open-storage.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { beginTimeline } from '../../publishing/timeline.ts';
import { restoreFromRedis } from '../serialized/verification/verbs.ts';
import { keysOf } from './back-up.ts';
import { isPartition, restorePartition, withClickHouse } from './clickhouse.ts';
import { type Content, checkContents, readContent, readContents } from './contents.ts';
import { requireKeysOf } from './keys.ts';
import { type Manifest, openPlace, readManifest } from './place.ts';
import { dumpKey, requireProgram, restoreDump } from './postgres.ts';
import { isStoredFile, restoreFile } from './stored-files.ts';
import { requireEmpty, type Targets } from './targets.ts';

export interface RestoreOptions {
  withStorage: boolean;
  /** Undefined: ClickHouse is left as it is. */
  clickhouseUrl: string | undefined;
}

const requireKnownMigrations = async ({ postgres, clickhouse, release }: Manifest): Promise<void> => {
  const known = new Set([...(await sqlFilesOf(postgresFolder)), ...(await sqlFilesOf(clickhouseFolder))]);
  const later = [...postgres.migrations, ...(clickhouse?.migrations ?? [])].find((name) => !known.has(name));
  if (later !== undefined)
    throw new VerbFailure(
      `The backup is of a later release than this one (${release}): this one does not have the migration ${later}`,
    );
};

/** Everything that can be refused is refused here, before anything is changed. */
const check = async (
  context: AdminContext,
  place: Storage,
  manifest: Manifest,
  targets: Targets,
): Promise<void> => {
  if (context.settings.redisUrl === undefined) throw new ConfigError('REDIS_URL must be set');
  await requireKnownMigrations(manifest);
  await requireKeysOf(manifest.keys, keysOf(context));
  await requireProgram('pg_restore', manifest.postgres.program, 'pg_dump of the backup was');
  if (targets.clickhouseUrl !== undefined && !manifest.clickhouse)
    throw new VerbFailure('The backup was made without ClickHouse: restore it with --without-clickhouse');
  await requireEmpty(context, targets);
  await checkContents(place, manifest);
  context.print({ checked: manifest.id, files: manifest.contents.files });
};

/** Restores the files of one part, and prints how many they are. */
const restoreEach = async (
  part: string,
  files: AsyncIterable<Content>,
  isOfPart: (content: Content) => boolean,
  restoreOne: (content: Content) => Promise<void>,
  print: AdminContext['print'],
): Promise<void> => {
  let count = 0;
  for await (const content of files) {
    if (!isOfPart(content)) continue;
    await restoreOne(content);
    count++;
  }
  print({ restored: part, files: count });
};

const restoreClickHouse = async (
  { settings: { scanRetentionDays }, print }: AdminContext,
  place: Storage,
  manifest: Manifest,
  url: string,
): Promise<void> => {
  const only = manifest.clickhouse!.migrations;
  await migrateClickHouse(url, { scanRetentionDays, only });
  await withClickHouse(url, (clickhouse) =>
    restoreEach(
      'clickhouse',
      readContents(place, manifest),
      isPartition,
      (content) => restorePartition(clickhouse, place, content),
      print,
    ),
  );
  await migrateClickHouse(url, { scanRetentionDays });
};

const restorePostgres = async (
  { settings: { databaseUrl }, print }: AdminContext,
  place: Storage,
  manifest: Manifest,
): Promise<void> => {
  await restoreEach(
    'postgres',
    readContents(place, manifest),
    ({ key }) => key === dumpKey,
    (content) => restoreDump(databaseUrl, readContent(place, content)),
    print,
  );
  await migratePostgres(databaseUrl, (applied) => print({ applied }));
};

const restoreClaims = async (context: AdminContext): Promise<object> => {
  try {
    return { claims: await restoreFromRedis(context) };
  } catch (error) {
    throw new VerbFailure(
      `Everything is restored except for claims that only Redis has: ${messageOf(error)}. Run restore-claims before control planes start`,
      { cause: error },
    );
  }
};

const restoreAll = async (
  context: AdminContext,
  place: Storage,
  { storage, clickhouseUrl }: Targets,
): Promise<void> => {
  const manifest = await readManifest(place);
  await check(context, place, manifest, { storage, clickhouseUrl });
  if (clickhouseUrl !== undefined) await restoreClickHouse(context, place, manifest, clickhouseUrl);
  if (storage)
    await restoreEach(
      'storage',
      readContents(place, manifest),
      isStoredFile,
      (content) => restoreFile(place, storage, content),
      context.print,
    );
  await restorePostgres(context, place, manifest);
};

/** @throws {VerbFailure} before anything is changed, if the backup or a target is not as it must be */
export const restore = async (
  context: AdminContext,
  { withStorage, clickhouseUrl }: RestoreOptions,
): Promise<object> => {
  const { settings, pool, print } = context;
  const place = openPlace(settings.backup.place, settings.storage);
  const storage = openStorage(settings.storage, { onFailure: () => undefined });
  try {
    await restoreAll(context, place, { storage: withStorage ? storage : undefined, clickhouseUrl });
    print({ timeline: await beginTimeline(pool) });
    return await restoreClaims(context);
  } finally {
    await storage.close();
    await place.close();
  }
};
