/** Writes a backup: PostgreSQL, then the files that its rows name, then ClickHouse; and at the end the manifest. */
import { readFile } from 'node:fs/promises';
import { type AdminContext, VerbFailure } from '../../framework/verb.ts';
import { migrationsTable } from '../../platform/db/pending-migrations.ts';
import { openStorage } from '../../platform/storage/open-storage.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { appliedMigrations, backUpTables, withClickHouse } from './clickhouse.ts';
import { type Content, putContent, putContents } from './contents.ts';
import { describeKeys, type Keys } from './keys.ts';
import { beginBackup, endBackup, type Manifest, openPlace } from './place.ts';
import { dump, dumpKey, requireProgram, serverVersion } from './postgres.ts';
import { backUpFiles } from './stored-files.ts';

export interface BackupOptions {
  /** Undefined: the keys are not in the backup. */
  passphrase: string | undefined;
  /** Undefined: ClickHouse is not in the backup. */
  clickhouseUrl: string | undefined;
}

/** The keys of the environment. @throws {VerbFailure} if SECRET_KEY is not set */
export const keysOf = ({ settings: { secretKey, serialKeys } }: AdminContext): Keys => {
  if (secretKey === undefined)
    throw new VerbFailure('SECRET_KEY must be set: a backup is of use only with it');
  return { secretKey, serialKeys };
};

const readRelease = async (): Promise<string> =>
  JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')).version;

const describePostgres = async ({ pool }: AdminContext): Promise<Manifest['postgres']> => {
  const server = await serverVersion(pool);
  const program = await requireProgram('pg_dump', server, 'the server of DATABASE_URL is');
  const { rows } = await pool.query<{ name: string }>(`SELECT name FROM ${migrationsTable} ORDER BY name`);
  return { server, program, migrations: rows.map(({ name }) => `${name}.sql`) };
};

const describeClickHouse = async (url: string | undefined): Promise<Manifest['clickhouse']> =>
  url === undefined ? undefined : { migrations: await withClickHouse(url, appliedMigrations) };

/** Prints how many files a part has, once it has them all. */
async function* counted(
  part: string,
  contents: AsyncIterable<Content>,
  print: AdminContext['print'],
): AsyncGenerator<Content> {
  let [files, bytes] = [0, 0];
  for await (const content of contents) {
    files++;
    bytes += content.bytes;
    yield content;
  }
  print({ saved: part, files, bytes });
}

async function* dumped(place: Storage, databaseUrl: string): AsyncGenerator<Content> {
  yield await putContent(place, dumpKey, dump(databaseUrl));
}

/** All files of the backup, each once it is stored. */
async function* contentsOf(
  { settings, print }: AdminContext,
  place: Storage,
  clickhouseUrl: string | undefined,
): AsyncGenerator<Content> {
  yield* counted('postgres', dumped(place, settings.databaseUrl), print);
  const storage = openStorage(settings.storage, { onFailure: () => undefined });
  try {
    yield* counted('storage', backUpFiles(storage, place), print);
  } finally {
    await storage.close();
  }
  if (clickhouseUrl !== undefined) yield* counted('clickhouse', backUpTables(clickhouseUrl, place), print);
}

/** @throws {VerbFailure} if the place is not empty, or pg_dump cannot be used; then nothing is written */
export const backUp = async (
  context: AdminContext,
  { passphrase, clickhouseUrl }: BackupOptions,
): Promise<object> => {
  const { settings } = context;
  const place = openPlace(settings.backup.place, settings.storage);
  try {
    const keys = await describeKeys(keysOf(context), passphrase);
    const postgres = await describePostgres(context);
    const clickhouse = await describeClickHouse(clickhouseUrl);
    const { id, at: beganAt } = await beginBackup(place);
    const contents = await putContents(place, contentsOf(context, place, clickhouseUrl));
    const release = await readRelease();
    const endedAt = new Date().toISOString();
    await endBackup(place, {
      id,
      release,
      beganAt,
      endedAt,
      postgres,
      ...(clickhouse && { clickhouse }),
      keys,
      contents,
    });
    return {
      backup: id,
      files: contents.files,
      bytes: contents.bytesOfFiles,
      keys: passphrase !== undefined,
    };
  } finally {
    await place.close();
  }
};
