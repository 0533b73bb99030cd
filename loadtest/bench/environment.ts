/**
 * The environment of every row: a temporary folder, real Redis, PostgreSQL and ClickHouse with the schema, and 10,000 codes
 * in Redis, as the control plane writes them. `close` ends and removes all of it.
 */
import path from 'node:path';
import { pino } from 'pino';
import { type CodeRecord, recordKey, serializeRecord } from '#schemas/code-record.ts';
import { documentKey, serializeDocument, type WorkspaceDocument } from '#schemas/documents.ts';
import { type CodeIds, createCodeIds } from '#shared/ids.ts';
import { createCloser } from '#shared/lifecycle.ts';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { deriveKey } from '#shared/signing.ts';
import { startClickHouse } from '../../deploy/embedded/parts/clickhouse.ts';
import { programs, runProgram } from '../../deploy/embedded/parts/planes.ts';
import { startPostgres } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { startRedis } from '../../deploy/embedded/parts/redis.ts';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { codeCount, newIds, requestsFor, writeRequests } from '../load/traffic.ts';
import { giveWay } from '../measure/pinning.ts';
import { makeTemporaryFolder } from './abort.ts';
import { startTruth } from './truth.ts';

export const secretKey = 'the secret of a load test, long enough';
const password = 'loadtest';
export const workspaceId = 'ws_1111111111111111';

export interface Environment {
  /** Temporary: `close` removes it. */
  home: string;
  codeIds: CodeIds;
  ids: string[];
  /** Requests for `/r/{id}`. */
  requestsFile: string;
  databaseUrl: string;
  /** As the superuser, for peers. */
  databaseAdminUrl: string;
  redisUrl: string;
  clickhouseUrl: string;
  /** Compares versions as the control plane does. */
  truthUrl: string;
  clickhousePid: number;
  /** The processes behind a redirector: Redis and ClickHouse. */
  behindPids: readonly number[];
  redis: Redis;
  close(): Promise<void>;
}

export const recordOf = (id: string, changes: Partial<CodeRecord> = {}): CodeRecord => ({
  id,
  workspaceId,
  version: 1,
  active: true,
  destination: `https://example.com/landing/page?code=${id}`,
  ...changes,
});

/** Writes records to Redis, a thousand at a time. */
export const writeRecords = async (redis: Redis, records: readonly CodeRecord[]): Promise<void> => {
  const batch = 1000;
  for (let start = 0; start < records.length; start += batch) {
    const pairs = records
      .slice(start, start + batch)
      .flatMap((record) => [recordKey(record.id), serializeRecord(record)]);
    await redis.mset(...pairs);
  }
};

export const openEnvironment = async (): Promise<Environment> => {
  const home = await makeTemporaryFolder('load');
  const closer = createCloser();
  closer.add(home.remove);
  try {
    return await open(home.path, closer);
  } catch (error) {
    await closer.close();
    throw error;
  }
};

type Closer = ReturnType<typeof createCloser>;

/** The databases, each started on a port of its own. */
const startDatabases = async (home: string, closer: Closer) => {
  const common = { home, password, database: 'waymark', durable: false };
  const postgres = await startPostgres({ ...common, adminPassword: password, port: await freePort() });
  closer.add(() => postgres.stop());
  const redis = await startRedis({ ...common, port: await freePort() });
  closer.add(() => redis.stop());
  const clickhouse = await startClickHouse({ ...common, port: await freePort() });
  closer.add(() => clickhouse.stop());
  return { postgres, redis, clickhouse };
};

type Databases = Awaited<ReturnType<typeof startDatabases>>;

const migrate = async (home: string, { postgres, redis, clickhouse }: Databases): Promise<void> => {
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: home,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    CLICKHOUSE_URL: clickhouse.url,
    SECRET_KEY: secretKey,
  };
  for (const program of [programs.migratePostgres, programs.migrateClickHouse])
    await runProgram({ name: 'migrate', program, home, env });
};

const connectRedis = async (url: string, closer: Closer): Promise<Redis> => {
  const options = { name: 'loadtest', commandTimeoutMs: 30_000 };
  const redis = createRedis(url, options, pino({ level: 'silent' }));
  closer.add(() => redis.disconnect());
  await untilReady(redis);
  return redis;
};

const open = async (home: string, closer: Closer): Promise<Environment> => {
  const databases = await startDatabases(home, closer);
  const { postgres, clickhouse } = databases;
  await migrate(home, databases);
  giveWay(clickhouse.pid);
  const redis = await connectRedis(databases.redis.url, closer);
  const codeIds = createCodeIds(deriveKey(secretKey, 'code-id'));
  const ids = newIds(codeIds, codeCount);
  const records = ids.map((id) => recordOf(id));
  await writeRecords(redis, records);
  // As of every workspace. No webhook follows its scans.
  const workspace: WorkspaceDocument = { id: workspaceId, version: 1 };
  await redis.set(documentKey(workspaceId), serializeDocument(workspace));
  const truth = await startTruth(new Map([[workspaceId, serializeDocument(workspace)]]));
  closer.add(() => truth.close());
  const requestsFile = path.join(home, 'requests');
  await writeRequests(requestsFile, requestsFor(ids, '/r/'));
  return {
    home,
    codeIds,
    ids,
    requestsFile,
    databaseUrl: postgres.url,
    databaseAdminUrl: postgres.adminUrl,
    redisUrl: databases.redis.url,
    clickhouseUrl: clickhouse.url,
    truthUrl: truth.url,
    clickhousePid: clickhouse.pid,
    behindPids: [databases.redis.pid, clickhouse.pid],
    redis,
    close: () => closer.close(),
  };
};
