/**
 * Databases and folders for a test file, which are removed after the file. A file that imports this waits for the
 * servers (projects.ts): what needs none is in local.ts and redis.ts.
 *
 *     const databaseUrl = await createTestDatabase();
 */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { inject } from 'vitest';
import { migrateClickHouse } from '../../control-plane/platform/db/migrate.ts';
import { createClickHouse } from '../../shared/clickhouse.ts';
import { queryOnce } from '../embedded/parts/postgres/postgres.ts';
import { grantDatabase } from '../embedded/parts/postgres/role.ts';
import { afterFile } from './local.ts';

export { afterFile, freePort, programEnvironment, temporaryFolder } from './local.ts';
export { startTestRedis, type TestRedis } from './redis.ts';

const withDatabase = (url: string, database: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
};

const newName = (): string => `test_${randomUUID().replaceAll('-', '')}`;

/** The URL of the superuser, for the database `postgres`: for statements that the planes' role may not run. */
export const databaseAdminUrl = (): string => inject('databaseAdminUrl');

/** Copies a database without connections; the planes' role may use the copy, which is dropped after the file. */
export const copyDatabase = async (url: string, name = newName()): Promise<string> => {
  // A busy machine may take long to connect.
  const admin = (sql: string) => queryOnce(databaseAdminUrl(), sql, [], 60_000);
  await admin(`CREATE DATABASE ${name} TEMPLATE ${new URL(url).pathname.slice(1)}`);
  afterFile(() => admin(`DROP DATABASE ${name} WITH (FORCE)`));
  await grantDatabase(admin, name);
  return withDatabase(url, name);
};

/** The URL of a fresh PostgreSQL database, fully migrated, as the role of the planes. */
export const createTestDatabase = (): Promise<string> => copyDatabase(inject('templateDatabaseUrl'));

/** The URL of the ClickHouse server, for databases that a test makes itself. */
export const clickhouseServer = (): string => inject('clickhouseUrl');

/** The URL of a fresh ClickHouse database, fully migrated. */
export const createTestClickHouse = async (options = { scanRetentionDays: 400 }): Promise<string> => {
  const server = clickhouseServer();
  const url = withDatabase(server, newName());
  afterFile(async () => {
    const clickhouse = createClickHouse(withDatabase(server, 'default'), 'waymark-test', 30_000);
    await clickhouse.command({ query: `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)}` });
    await clickhouse.close();
  });
  await migrateClickHouse(url, options);
  return url;
};

let shared: Promise<string> | undefined;

/** The URL of a migrated ClickHouse database that the files of this process share: every row is of a workspace and a code. */
export const sharedTestClickHouse = (): Promise<string> => {
  shared ??= (async () => {
    const url = withDatabase(clickhouseServer(), newName());
    await migrateClickHouse(url, { scanRetentionDays: 400 });
    return url;
  })();
  return shared;
};

let redisClaimed = false;

/** The URL of a Redis database that no other test file uses at the same time; it is emptied after the file. */
export const redisUrl = (): string => {
  // Redis numbers its databases, 0 to 15, and vitest its workers, which run one file at a time.
  const url = withDatabase(inject('redisUrl'), process.env.VITEST_POOL_ID ?? '0');
  if (!redisClaimed)
    afterFile(async () => {
      redisClaimed = false;
      await emptyRedis(url);
    });
  redisClaimed = true;
  return url;
};

const emptyRedis = async (url: string): Promise<void> => {
  const redis = new Redis(url);
  await redis.flushdb();
  redis.disconnect();
};
