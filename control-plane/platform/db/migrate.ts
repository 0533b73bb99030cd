/**
 * Brings both databases to the state that schemas/ describes. Migrations only go forward, run once each, and may be
 * started by several processes at the same time.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Logger, runMigrations as migrateJobQueue } from 'graphile-worker';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { migrationsTable, postgresFolder, sqlFilesOf } from './pending-migrations.ts';

export const clickhouseFolder = fileURLToPath(new URL('../../../schemas/clickhouse', import.meta.url));

/** Any number that is not locked for another purpose in this database. */
const advisoryLockId = 7_203_948_112;

/** A migration may fill a table. */
const ddlTimeoutMs = 3_600_000;
const readTimeoutMs = 5_000;

/** Called with the name of every applied migration. */
export type OnApplied = (name: string) => void;

const silent = () => {};

/**
 * How long a file waits for a lock. The service answers meanwhile, and what it asks of the table waits behind the file. After
 * that the file is rolled back, and tried again.
 */
const lockWaitMs = 2_000;
const lockPauseMs = 1_000;
const lockAttempts = 60;

/** lock_not_available, deadlock_detected */
const isAboutLocks = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01');

/** @returns the name of the next new file, which is applied in a transaction; undefined if there is none */
const applyNext = async (client: pg.Client, dir: string): Promise<string | undefined> => {
  for (let attempt = 1; ; attempt++) {
    try {
      const [applied] = await runner({
        dbClient: client,
        dir,
        direction: 'up',
        count: 1,
        migrationsTable,
        noLock: true,
        logger: { info: silent, warn: silent, error: silent },
      });
      return applied?.name;
    } catch (error) {
      if (!isAboutLocks(error) || attempt === lockAttempts) throw error;
      // The runner leaves the transaction of a client that is not its own as it is.
      await client.query('ROLLBACK');
      await sleep(lockPauseMs);
    }
  }
};

/**
 * Applies the new files of schemas/postgres, each in a transaction, then the job queue's own migrations. A second
 * caller waits for the first one and then finds nothing to do.
 * @param dir of the files
 * @throws PostgreSQL's error; then the files before the refused one are applied
 */
export const migratePostgres = async (
  databaseUrl: string,
  onApplied: OnApplied = silent,
  dir: string = postgresFolder,
): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'waymark-migrate' });
  await client.connect();
  try {
    // Held until the connection ends, so that it covers the job queue's migrations too.
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLockId]);
    await client.query(`SET lock_timeout = ${lockWaitMs}`);
    for (let name = await applyNext(client, dir); name !== undefined; name = await applyNext(client, dir))
      onApplied(name);
    await migrateJobQueue({ connectionString: databaseUrl, logger: new Logger(() => silent) });
  } finally {
    await client.end();
  }
};

/** The same for the migrations of ClickHouse. */
const clickhouseLockId = advisoryLockId + 1;

/**
 * Does work on ClickHouse while no other process that asks the same PostgreSQL does: ClickHouse has no locks.
 * @throws the work's error
 */
export const aloneWithClickHouse = async <Result>(
  databaseUrl: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'waymark-migrate' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [clickhouseLockId]);
    return await work();
  } finally {
    await client.end();
  }
};

/**
 * Creates the database that the URL names, applies the new files of schemas/clickhouse and sets the retention of single
 * scans. An interrupted run can simply be repeated. Two runs at once must not fill tables: {@link aloneWithClickHouse}.
 * @param options.only the files that are applied; default: all
 * @throws ClickHouse's error; the statements before the refused one stay applied
 */
export const migrateClickHouse = async (
  clickhouseUrl: string,
  options: { scanRetentionDays: number; only?: readonly string[] },
  onApplied: OnApplied = silent,
): Promise<void> => {
  await createDatabase(clickhouseUrl);
  const clickhouse = createClickHouse(clickhouseUrl, 'waymark-migrate', ddlTimeoutMs);
  try {
    const applied = await appliedMigrations(clickhouse);
    const names = options.only ?? (await sqlFilesOf(clickhouseFolder));
    for (const name of names.filter((each) => !applied.has(each))) {
      const text = await readFile(`${clickhouseFolder}/${name}`, 'utf8');
      for (const query of statements(text)) await clickhouse.command({ query });
      await clickhouse.insert({ table: 'schema_migrations', values: [{ name }], format: 'JSONEachRow' });
      onApplied(name);
    }
    await setRetention(clickhouse, options.scanRetentionDays);
  } finally {
    await clickhouse.close();
  }
};

/** Files of schemas/clickhouse that have not been applied. @throws if ClickHouse does not answer */
export const pendingClickHouseMigrations = async (clickhouseUrl: string): Promise<string[]> => {
  const clickhouse = createClickHouse(clickhouseUrl, 'waymark-admin', readTimeoutMs);
  try {
    const applied = await appliedMigrations(clickhouse);
    return (await sqlFilesOf(clickhouseFolder)).filter((name) => !applied.has(name));
  } finally {
    await clickhouse.close();
  }
};

const createDatabase = async (clickhouseUrl: string): Promise<void> => {
  const url = new URL(clickhouseUrl);
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === '' || database === 'default') return;
  url.pathname = '';
  const clickhouse = createClickHouse(url.href, 'waymark-migrate', ddlTimeoutMs);
  try {
    await clickhouse.command({
      query: 'CREATE DATABASE IF NOT EXISTS {database:Identifier}',
      query_params: { database },
    });
  } finally {
    await clickhouse.close();
  }
};

const appliedMigrations = async (clickhouse: ClickHouseClient): Promise<Set<string>> => {
  await clickhouse.command({
    query: `CREATE TABLE IF NOT EXISTS schema_migrations
            (name String, applied_at DateTime('UTC') DEFAULT now()) ENGINE = MergeTree ORDER BY name`,
  });
  const result = await clickhouse.query({
    query: 'SELECT name FROM schema_migrations',
    format: 'JSONEachRow',
  });
  return new Set((await result.json<{ name: string }>()).map(({ name }) => name));
};

/** ClickHouse takes one statement per request. In our files a statement ends with a semicolon at the end of a line. */
const statements = (text: string): string[] =>
  text
    .replaceAll(/^\s*--.*$/gm, '')
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter(Boolean);

/** Tables of single scans, and of what repeats them. */
const retainedTables = ['scans', 'conversions'];

/** The TTL is altered only if it differs: altering it makes ClickHouse walk through every part of the table. */
const setRetention = async (clickhouse: ClickHouseClient, days: number): Promise<void> => {
  const result = await clickhouse.query({
    query: `SELECT name, engine_full AS engine FROM system.tables
            WHERE database = currentDatabase() AND name IN {names:Array(String)}`,
    query_params: { names: retainedTables },
    format: 'JSONEachRow',
  });
  for (const { name, engine } of await result.json<{ name: string; engine: string }>()) {
    if (engine.includes(`TTL toDateTime(ts) + toIntervalDay(${days})`)) continue;
    await clickhouse.command({
      query: `ALTER TABLE ${name} MODIFY TTL toDateTime(ts) + toIntervalDay(${days})`,
    });
  }
};
