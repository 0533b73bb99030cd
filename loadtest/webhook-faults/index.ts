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

/** Neither quotas nor rates are what is tested. */
const liftLimits = (databaseUrl: string) =>
  queryOnce(
    databaseUrl,
    `UPDATE subscriptions SET limits = '{"requestsPerSecond": 100000000, "dynamicQr": null, "apiCalls": null}'`,
  );

/** Everything that is tested, with a PostgreSQL of its own. @param behind Redis and ClickHouse, with its tables */
export const openFaults = async (
  home: string,
  behind: Pick<Databases, 'redisUrl' | 'clickhouseUrl'>,
  closer: Closer,
) => {
  const postgres = await startKillablePostgres(home);
  closer.add(() => postgres.stop());
  const databases = { ...behind, databaseUrl: postgres.url };
  const env = { PATH: process.env.PATH, DATA_DIR: home, SECRET_KEY: secretKey, DATABASE_URL: postgres.url };
  await runProgram({ name: 'migrate', program: programs.migratePostgres, home, env });
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

const startBehind = async (home: string, closer: Closer) => {
  const common = { home, password: 'faults', database: 'waymark', durable: false };
  const redis = await startRedis({ ...common, port: await freePort() });
  closer.add(() => redis.stop());
  const clickhouse = await startClickHouse({ ...common, port: await freePort() });
  closer.add(() => clickhouse.stop());
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: home,
    SECRET_KEY: secretKey,
    CLICKHOUSE_URL: clickhouse.url,
  };
  await runProgram({ name: 'migrate', program: programs.migrateClickHouse, home, env });
  return { redisUrl: redis.url, clickhouseUrl: clickhouse.url };
};

const measure = async (options: Options): Promise<ChaosResult> => {
  const closer = createCloser();
  try {
    const home = await makeTemporaryFolder('webhook-faults');
    closer.add(home.remove);
    const faults = await openFaults(home.path, await startBehind(home.path, closer), closer);
    return await runChaos({
      ...faults,
      ...options,
      settleSecondsMax: 180,
      say: (line) => console.error(line),
    });
  } finally {
    await closer.close();
  }
};

export const runWebhookFaults = async (options: Options): Promise<void> => {
  const result = await measure(options);
  console.log(JSON.stringify(result, null, 2));
  const faults = faultsIn(result);
  for (const fault of faults) console.error(`NOT MET: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
};
