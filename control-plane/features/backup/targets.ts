/** What a restore writes into: all of it must be empty, so that no restore destroys or mixes anything. */
import { type AdminContext, VerbFailure } from '../../framework/verb.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { countTables as countClickHouseTables, databaseOf } from './clickhouse.ts';
import { countTables } from './postgres.ts';

export interface Targets {
  /** Undefined: what is there is left as it is. */
  storage: Storage | undefined;
  /** Undefined: what is there is left as it is. */
  clickhouseUrl: string | undefined;
}

const countOf = (tables: number): string => (tables === 1 ? '1 table' : `${tables} tables`);

const fullDatabase = async ({ pool, settings }: AdminContext): Promise<string[]> => {
  const tables = await countTables(pool);
  const name = databaseOf(settings.databaseUrl);
  return tables === 0
    ? []
    : [
        `DATABASE_URL: the database ${name} has ${countOf(tables)}; drop it (dropdb) and create it (createdb)`,
      ];
};

const fullStorage = async (storage: Storage | undefined): Promise<string[]> => {
  if (!storage) return [];
  for await (const { key } of storage.list())
    return [`STORAGE_URL: it has files, such as ${key}; remove them, or keep them with --without-storage`];
  return [];
};

const fullClickHouse = async (url: string | undefined): Promise<string[]> => {
  if (url === undefined) return [];
  const tables = await countClickHouseTables(url);
  const name = databaseOf(url);
  return tables === 0
    ? []
    : [
        `CLICKHOUSE_URL: the database ${name} has ${countOf(tables)}; DROP DATABASE ${name} SYNC, or keep it with --without-clickhouse`,
      ];
};

/** @throws {VerbFailure} naming everything that is not empty, and the remedy for each */
export const requireEmpty = async (
  context: AdminContext,
  { storage, clickhouseUrl }: Targets,
): Promise<void> => {
  const full = [
    ...(await fullDatabase(context)),
    ...(await fullStorage(storage)),
    ...(await fullClickHouse(clickhouseUrl)),
  ];
  if (full.length === 0) return;
  const lines = [
    'Nothing was restored: a restore writes into empty places only, also after one that was interrupted.',
    ...full,
  ];
  if (full[0]!.startsWith('DATABASE_URL'))
    lines.push(
      'If a restore has printed {"restored":"postgres"} and no timeline, everything is there: run migrate, republish and restore-claims instead.',
    );
  throw new VerbFailure(lines.join('\n'));
};
