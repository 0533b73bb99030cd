/**
 * What every row runs in: a temporary folder, real Redis, PostgreSQL and ClickHouse with the schema, and 10,000 codes
 * in Redis, as the control plane writes them. All of it is ended and removed by `close`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { type CodeRecord, recordKey, serializeRecord } from '#schemas/code-record.ts';
import { type CodeIds, createCodeIds } from '#shared/ids.ts';
import { createCloser } from '#shared/lifecycle.ts';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { deriveKey } from '#shared/signing.ts';
import { startClickHouse } from '../../deploy/embedded/parts/clickhouse.ts';
import { programs, runProgram } from '../../deploy/embedded/parts/planes.ts';
import { startPostgres } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { startRedis } from '../../deploy/embedded/parts/redis.ts';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { giveWay } from '../measure/pinning.ts';
import { codeCount, newIds, requestsFor, writeRequests } from './traffic.ts';

export const secretKey = 'the secret of a load test, long enough';
const password = 'loadtest';
export const workspaceId = 'ws_1111111111111111';

export interface Environment {
  /** Temporary; removed in the end. */
  home: string;
  codeIds: CodeIds;
  ids: string[];
  /** Requests for `/r/{id}`. */
  requestsFile: string;
  databaseUrl: string;
  /** As the superuser, for others than Waymark. */
  databaseAdminUrl: string;
  redisUrl: string;
  clickhouseUrl: string;
  clickhousePid: number;
  /** What works behind a redirector: Redis and ClickHouse. */
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

/** Writes records as they stand in Redis, a thousand at a time. */
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
  const home = await mkdtemp(path.join(os.tmpdir(), 'waymark-load-'));
  const closer = createCloser();
  closer.add(() => rm(home, { recursive: true, force: true, maxRetries: 10 }));
  try {
    return await open(home, closer);
  } catch (error) {
    await closer.close();
    throw error;
  }
};

const open = async (home: string, closer: ReturnType<typeof createCloser>): Promise<Environment> => {
  const common = { home, password, database: 'waymark', durable: false };
  const postgres = await startPostgres({ ...common, adminPassword: password, port: await freePort() });
  closer.add(() => postgres.stop());
  const redisPart = await startRedis({ ...common, port: await freePort() });
  closer.add(() => redisPart.stop());
  const clickhouse = await startClickHouse({ ...common, port: await freePort() });
  closer.add(() => clickhouse.stop());
  for (const program of [programs.migratePostgres, programs.migrateClickHouse]) {
    await runProgram({
      name: 'migrate',
      program,
      home,
      env: {
        PATH: process.env.PATH,
        DATA_DIR: home,
        DATABASE_URL: postgres.url,
        REDIS_URL: redisPart.url,
        CLICKHOUSE_URL: clickhouse.url,
        SECRET_KEY: secretKey,
      },
    });
  }
  giveWay(clickhouse.pid);
  const redis = createRedis(
    redisPart.url,
    { name: 'loadtest', commandTimeoutMs: 30_000 },
    pino({ level: 'silent' }),
  );
  closer.add(() => redis.disconnect());
  await untilReady(redis);
  const codeIds = createCodeIds(deriveKey(secretKey, 'code-id'));
  const ids = newIds(codeIds, codeCount);
  await writeRecords(
    redis,
    ids.map((id) => recordOf(id)),
  );
  const requestsFile = path.join(home, 'requests');
  await writeRequests(requestsFile, requestsFor(ids, '/r/'));
  return {
    home,
    codeIds,
    ids,
    requestsFile,
    databaseUrl: postgres.url,
    databaseAdminUrl: postgres.adminUrl,
    redisUrl: redisPart.url,
    clickhouseUrl: clickhouse.url,
    clickhousePid: clickhouse.pid,
    behindPids: [redisPart.pid, clickhouse.pid],
    redis,
    close: () => closer.close(),
  };
};
