/**
 * The place of one backup: a folder or a bucket. `begun.json` is its first file and `manifest.json` its last, so a backup that did
 * not end is never taken for a whole one.
 */
import { createHash, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { StorageSettings } from '#shared/config/storage-url.ts';
import { VerbFailure } from '../../framework/verb.ts';
import { openStorage } from '../../platform/storage/open-storage.ts';
import { type Storage, StorageFailure } from '../../platform/storage/storage.ts';
import { keysOfBackup } from './keys.ts';

const begunKey = 'begun.json';
const manifestKey = 'manifest.json';

const format = 1;

const begunFile = z.object({ id: z.string(), at: z.string() });

const manifestFile = z.object({
  format: z.literal(format),
  id: z.string(),
  /** The version of Waymark that made it. */
  release: z.string(),
  beganAt: z.string(),
  endedAt: z.string(),
  postgres: z.object({
    server: z.number(),
    /** The version of pg_dump; pg_restore must not be older. */
    program: z.number(),
    migrations: z.array(z.string()),
  }),
  /** Absent if the backup was made without it. */
  clickhouse: z.object({ migrations: z.array(z.string()) }).optional(),
  keys: keysOfBackup,
  /** The list of all other files, see contents.ts. */
  contents: z.object({ bytes: z.number(), sha256: z.string(), files: z.number(), bytesOfFiles: z.number() }),
});
export type Manifest = z.infer<typeof manifestFile>;

const signedManifest = z.object({ sha256: z.string(), manifest: z.looseObject({ format: z.number() }) });

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** In words that name the place, and not the storage of the service. */
const inWords = (error: unknown): unknown =>
  error instanceof StorageFailure
    ? new VerbFailure(error.message.replace('STORAGE_URL', 'BACKUP_URL'), { cause: error })
    : error;

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

const liesIn = (inner: StorageSettings, outer: StorageSettings): boolean => {
  if (inner.kind === 'file')
    return outer.kind === 'file' && `${inner.folder}/`.startsWith(`${outer.folder}/`);
  if (outer.kind !== 's3') return false;
  const isSameBucket = inner.origin === outer.origin && inner.bucket === outer.bucket;
  return isSameBucket && inner.prefix.startsWith(outer.prefix);
};

/** @throws {VerbFailure} if BACKUP_URL is missing, or leads into the service's storage or around it */
export const openPlace = (settings: StorageSettings | undefined, storage: StorageSettings): Storage => {
  if (!settings)
    throw new VerbFailure(
      'BACKUP_URL must be set: a folder such as file:///srv/backups/2030-01-31, or a bucket',
    );
  if (liesIn(settings, storage) || liesIn(storage, settings))
    throw new VerbFailure('BACKUP_URL must lead outside of STORAGE_URL, and not around it');
  const place = openStorage(settings, { onFailure: () => undefined });
  const named = async <Result>(call: Promise<Result>): Promise<Result> => {
    try {
      return await call;
    } catch (error) {
      throw inWords(error);
    }
  };
  return {
    ...place,
    put: (key, source) => named(place.put(key, source)),
    get: (key) => named(place.get(key)),
    check: () => named(place.check()),
  };
};

const readText = async (place: Storage, key: string): Promise<string | undefined> => {
  const file = await place.get(key);
  return file && (await buffer(await file.read())).toString();
};

const readBegun = async (place: Storage) => {
  const text = await readText(place, begunKey);
  return text === undefined ? undefined : begunFile.parse(JSON.parse(text));
};

const interrupted = (at: string): string =>
  `BACKUP_URL has a backup that began at ${at} and has not ended: it still runs, or was interrupted`;

/**
 * Begins a backup in an empty place.
 * @returns its id, and when it began
 * @throws {VerbFailure} if there is one, whole or interrupted
 */
export const beginBackup = async (place: Storage): Promise<{ id: string; at: string }> => {
  await place.check();
  const former = await readBegun(place);
  if (await place.get(manifestKey))
    throw new VerbFailure('BACKUP_URL has a backup already: name another folder, or remove it');
  if (former) throw new VerbFailure(`${interrupted(former.at)}. Remove it, or name another folder`);
  const begun = { id: randomUUID(), at: new Date().toISOString() };
  await place.put(begunKey, once(JSON.stringify(begun)));
  return begun;
};

/** The last step: from now on the backup is whole. @throws {VerbFailure} if another one began in the same place */
export const endBackup = async (place: Storage, manifest: Omit<Manifest, 'format'>): Promise<void> => {
  if ((await readBegun(place))?.id !== manifest.id)
    throw new VerbFailure('Another backup began in BACKUP_URL meanwhile: remove both, and begin again');
  const whole = { format, ...manifest };
  const text = JSON.stringify({ sha256: hashOf(JSON.stringify(whole)), manifest: whole }, null, 2);
  await place.put(manifestKey, once(`${text}\n`));
};

/** @throws {VerbFailure} if there is no whole backup of a known format */
export const readManifest = async (place: Storage): Promise<Manifest> => {
  const text = await readText(place, manifestKey);
  if (text === undefined) {
    const begun = await readBegun(place);
    throw new VerbFailure(
      begun
        ? `${interrupted(begun.at)}; it cannot be restored`
        : 'BACKUP_URL has no backup: there is no manifest.json',
    );
  }
  try {
    const { sha256, manifest } = signedManifest.parse(JSON.parse(text));
    if (manifest.format > format)
      throw new VerbFailure(
        `The backup has format ${manifest.format}, of a later release: restore it with that one`,
      );
    if (hashOf(JSON.stringify(manifest)) !== sha256) throw new Error('its checksum differs');
    return manifestFile.parse(manifest);
  } catch (error) {
    if (error instanceof VerbFailure) throw error;
    throw new VerbFailure(
      'manifest.json of the backup was changed or is damaged: nothing is restored from it',
      {
        cause: error,
      },
    );
  }
};
