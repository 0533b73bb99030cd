/** The databases of an environment, each started on a port of its own, and their schema. */
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pino } from 'pino';
import type { Closer } from '#shared/lifecycle.ts';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { startClickHouse } from '../../deploy/embedded/parts/clickhouse.ts';
import { startPostgres } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { startRedis } from '../../deploy/embedded/parts/redis.ts';
import { freePort } from '../../deploy/embedded/ports/ports.ts';

/** The folder of this build. */
export const ownBuild = fileURLToPath(new URL('../..', import.meta.url));

const password = 'loadtest';
const database = 'waymark';

/** The URLs that the planes need. */
export interface Databases {
  databaseUrl: string;
  redisUrl: string;
  clickhouseUrl: string;
}

/** The databases that were started, with their processes. */
export interface StartedDatabases extends Databases {
  /** As the superuser, for peers. */
  databaseAdminUrl: string;
  postgresPid: number;
  redisPid: number;
  clickhousePid: number;
}

const opened = async <T extends { stop(): Promise<unknown> }>(
  start: Promise<T>,
  closer: Closer,
): Promise<T> => {
  const started = await start;
  closer.add(() => started.stop());
  return started;
};

/** @param durable whether it waits for its disk, so that what has committed survives */
export const openPostgres = async (home: string, closer: Closer, durable: boolean) => {
  const options = { home, password, adminPassword: password, database, durable, port: await freePort() };
  return opened(startPostgres(options), closer);
};

export const openRedis = async (home: string, closer: Closer, durable: boolean) =>
  opened(startRedis({ home, password, durable, port: await freePort() }), closer);

export const openClickHouse = async (home: string, closer: Closer) =>
  opened(startClickHouse({ home, password, database, port: await freePort() }), closer);

/** @param folder of a build, whose own code does it: another build may have another schema */
export const migrate = async (
  { databaseUrl, clickhouseUrl }: Databases,
  folder = ownBuild,
): Promise<void> => {
  const build = await import(pathToFileURL(path.join(folder, 'control-plane/platform/db/migrate.ts')).href);
  await build.migratePostgres(databaseUrl);
  await build.migrateClickHouse(clickhouseUrl, { scanRetentionDays: 400 });
};

/** All three, with the schema of a build. See {@link openPostgres} and {@link migrate}. */
export const openDatabases = async (
  home: string,
  closer: Closer,
  { durable, folder }: { durable: boolean; folder?: string },
): Promise<StartedDatabases> => {
  const postgres = await openPostgres(home, closer, durable);
  const redis = await openRedis(home, closer, durable);
  const clickhouse = await openClickHouse(home, closer);
  const databases = {
    databaseUrl: postgres.url,
    databaseAdminUrl: postgres.adminUrl,
    redisUrl: redis.url,
    clickhouseUrl: clickhouse.url,
    postgresPid: postgres.pid,
    redisPid: redis.pid,
    clickhousePid: clickhouse.pid,
  };
  await migrate(databases, folder);
  return databases;
};

/** A connection of this command to Redis. */
export const connectRedis = async (url: string, closer: Closer): Promise<Redis> => {
  const options = { name: 'loadtest', commandTimeoutMs: 30_000 };
  const redis = createRedis(url, options, pino({ level: 'silent' }));
  closer.add(() => redis.disconnect());
  await untilReady(redis);
  return redis;
};
