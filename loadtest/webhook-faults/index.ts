/**
 * The fault test of webhooks: two control planes on one queue, one PostgreSQL, five endpoints. Every code that exists must have been told to
 * every endpoint, under one id with the same bytes, and the log must say what the endpoints have seen.
 */
import { type Closer, createCloser } from '#shared/lifecycle.ts';
import { startClickHouse } from '../../deploy/embedded/parts/clickhouse.ts';
import { programs, runProgram } from '../../deploy/embedded/parts/planes.ts';
import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { startRedis } from '../../deploy/embedded/parts/redis.ts';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { makeTemporaryFolder } from '../bench/abort.ts';
import { apiKey, type Databases, secretKey, startKillableControlPlane } from '../claims/planes.ts';
import { type ChaosResult, runChaos } from './chaos.ts';
import { openEndpoints } from './endpoints.ts';
import { faultsIn } from './judge.ts';
import { startKillablePostgres } from './killable-postgres.ts';
import type { Options } from './options.ts';

/** The last delivery of a run may wait for a lease to end, and for a retry. */
const settleSecondsMax = 180;

/** Neither quotas nor rates are what is tested. */
const liftLimits = (databaseUrl: string) =>
  queryOnce(
    databaseUrl,
    `UPDATE subscriptions SET limits = '{"requestsPerSecond": 100000000, "dynamicQr": null, "apiCalls": null}'`,
  );

/** Redis and ClickHouse: neither is what fails here. */
const startBehind = async (home: string, closer: Closer): Promise<Omit<Databases, 'databaseUrl'>> => {
  const common = { home, password: 'faults', database: 'waymark', durable: false };
  const redis = await startRedis({ ...common, port: await freePort() });
  closer.add(() => redis.stop());
  const clickhouse = await startClickHouse({ ...common, port: await freePort() });
  closer.add(() => clickhouse.stop());
  return { redisUrl: redis.url, clickhouseUrl: clickhouse.url };
};

/** Everything that is tested, with databases of its own. */
const openFaults = async (home: string, closer: Closer) => {
  const behind = await startBehind(home, closer);
  const postgres = await startKillablePostgres(home);
  closer.add(() => postgres.stop());
  const databases = { ...behind, databaseUrl: postgres.url };
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: home,
    SECRET_KEY: secretKey,
    DATABASE_URL: postgres.url,
    CLICKHOUSE_URL: behind.clickhouseUrl,
  };
  for (const program of [programs.migratePostgres, programs.migrateClickHouse])
    await runProgram({ name: 'migrate', program, home, env });
  const start = async (name: string) => {
    const plane = await startKillableControlPlane(name, home, databases, { WEBHOOK_ALLOW_PRIVATE: 'true' });
    closer.add(() => plane.stop());
    return plane;
  };
  const planes = [await start('control-plane-0'), await start('control-plane-1')] as const;
  await liftLimits(postgres.url);
  const endpoints = await openEndpoints({ url: planes[0].url, apiKey }, closer);
  return { postgres, planes, endpoints, apiKey };
};

/** One run, bounded by its options. @param say is told what happens, as it happens */
export const measureFaults = async (options: Options, say: (line: string) => void): Promise<ChaosResult> => {
  const closer = createCloser();
  try {
    const home = await makeTemporaryFolder('webhook-faults');
    closer.add(home.remove);
    const faults = await openFaults(home.path, closer);
    return await runChaos({ ...faults, ...options, settleSecondsMax, say });
  } finally {
    await closer.close();
  }
};

export const runWebhookFaults = async (options: Options): Promise<void> => {
  const result = await measureFaults(options, (line) => console.error(line));
  console.log(JSON.stringify(result, null, 2));
  const faults = faultsIn(result);
  for (const fault of faults) console.error(`NOT MET: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
};
