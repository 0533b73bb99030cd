/** The operator's verbs about backups. */
import { type AdminContext, type Verb, VerbFailure } from '../../framework/verb.ts';
import { StorageFailure } from '../../platform/storage/storage.ts';
import { backUp } from './back-up.ts';
import { requireClickHouse } from './clickhouse.ts';
import { unseal } from './keys.ts';
import { openPlace, readManifest } from './place.ts';
import { restore } from './restore.ts';

/** The storage's failures are in words for the operator. */
const inWords = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    throw error instanceof StorageFailure ? new VerbFailure(error.message, { cause: error }) : error;
  }
};

const requirePassphrase = ({ settings: { backup } }: AdminContext): string => {
  if (backup.passphrase === undefined)
    throw new VerbFailure(
      'BACKUP_PASSPHRASE must be set: at least 12 characters, kept elsewhere than the backup',
    );
  return backup.passphrase;
};

const clickhouseUrlOf = ({ settings }: AdminContext, without: string | undefined): string | undefined =>
  without === undefined ? requireClickHouse(settings.clickhouseUrl) : undefined;

const printKeys = async (context: AdminContext): Promise<object> => {
  const passphrase = requirePassphrase(context);
  const { backup, storage } = context.settings;
  const place = openPlace(backup.place, storage);
  try {
    return await unseal((await readManifest(place)).keys, passphrase);
  } finally {
    await place.close();
  }
};

export const backupVerbs: Readonly<Record<string, Verb>> = {
  backup: {
    synopsis: '[--with-keys] [--without-clickhouse]',
    help: [
      'writes PostgreSQL, the files of STORAGE_URL and the tables of ClickHouse to BACKUP_URL, an empty folder or bucket;',
      'with --with-keys also SECRET_KEY and SERIAL_KEYS, encrypted with BACKUP_PASSPHRASE; needs pg_dump',
    ],
    flags: [],
    switches: ['with-keys', 'without-clickhouse'],
    run: async (flags, context) => [
      await inWords(
        backUp(context, {
          passphrase: flags['with-keys'] === undefined ? undefined : requirePassphrase(context),
          clickhouseUrl: clickhouseUrlOf(context, flags['without-clickhouse']),
        }),
      ),
    ],
  },
  restore: {
    synopsis: '[--without-storage] [--without-clickhouse]',
    help: [
      'checks the backup in BACKUP_URL and restores it into empty places, while no control plane runs; then begins a timeline',
      'as republish does, and restores claims as restore-claims does; needs pg_restore',
    ],
    flags: [],
    switches: ['without-storage', 'without-clickhouse'],
    run: async (flags, context) => [
      await inWords(
        restore(context, {
          withStorage: flags['without-storage'] === undefined,
          clickhouseUrl: clickhouseUrlOf(context, flags['without-clickhouse']),
        }),
      ),
    ],
  },
  'backup-keys': {
    synopsis: '',
    help: ['prints the keys in the backup in BACKUP_URL, decrypted with BACKUP_PASSPHRASE'],
    flags: [],
    run: async (_, context) => [await inWords(printKeys(context))],
  },
};
