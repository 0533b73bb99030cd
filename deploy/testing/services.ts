/** PostgreSQL, Redis and ClickHouse for tests: real ones, on free ports, in one temporary folder. */
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { endLeftoverProcesses } from '../embedded/child/leftover-processes.ts';
import type { Part } from '../embedded/child/part.ts';
import { identify, isRunning } from '../embedded/child/process-identity.ts';
import { startClickHouse } from '../embedded/parts/clickhouse.ts';
import { startPostgres } from '../embedded/parts/postgres/postgres.ts';
import { startRedis } from '../embedded/parts/redis.ts';
import { freePort } from './free-port.ts';

export interface Services {
  /** As the role of the planes, without privileges. */
  databaseUrl: string;
  /** The URL of the superuser, for the database `postgres`. */
  databaseAdminUrl: string;
  redisUrl: string;
  clickhouseUrl: string;
  stop(): Promise<void>;
  /** Ends everything without waiting, for a process that is about to exit. */
  endNow(): void;
}

const prefix = 'waymark-test-';
const password = 'test';

const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 5 });

const isLeftover = async (folder: string): Promise<boolean> => {
  try {
    return !(await isRunning(JSON.parse(await readFile(path.join(folder, 'owner.json'), 'utf8'))));
  } catch {
    // Not one of these folders, or one whose owner has only just created it.
    return false;
  }
};

/**
 * Removes the folders and services of runs that were killed (kill -9). On Linux the services ended with the run (see
 * `hasSetpriv`); ClickHouse did on every platform, since its standard input ended. The others are found by pid and
 * start time.
 */
const clearLeftovers = async (): Promise<void> => {
  const names = (await readdir(os.tmpdir())).filter((name) => name.startsWith(prefix));
  for (const folder of names.map((name) => path.join(os.tmpdir(), name))) {
    if (!(await isLeftover(folder))) continue;
    await endLeftoverProcesses(folder);
    await removeFolder(folder);
  }
};

/** Stops everything that started and removes the folder, even if a stop fails. */
const stopAll = async (starting: readonly Promise<Part>[], folder: string): Promise<void> => {
  const settled = await Promise.allSettled(starting);
  await Promise.all(settled.map((part) => (part.status === 'fulfilled' ? part.value.stop() : undefined)));
  await removeFolder(folder);
};

const endAll = (parts: Part[], folder: string): void => {
  for (const { pid } of parts) process.kill(pid, 'SIGKILL');
  // PostgreSQL's own children write until they notice that their parent ended.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
};

/** Starts all three at once; a start that fails leaves nothing behind. */
export const startServices = async (): Promise<Services> => {
  await clearLeftovers();
  const home = await mkdtemp(path.join(os.tmpdir(), prefix));
  await writeFile(path.join(home, 'owner.json'), JSON.stringify(await identify(process.pid)));
  const common = { home, password, database: 'waymark', durable: false };
  const starting = [
    startPostgres({ ...common, adminPassword: 'superuser', port: await freePort() }),
    startRedis({ ...common, port: await freePort() }),
    startClickHouse({ ...common, port: await freePort() }),
  ] as const;
  try {
    const [postgres, redis, clickhouse] = await Promise.all(starting);
    return {
      databaseUrl: postgres.url,
      databaseAdminUrl: postgres.adminUrl,
      redisUrl: redis.url,
      clickhouseUrl: clickhouse.url,
      stop: () => stopAll(starting, home),
      endNow: () => endAll([postgres, redis, clickhouse], home),
    };
  } catch (error) {
    await stopAll(starting, home);
    throw error;
  }
};
