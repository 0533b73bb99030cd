/**
 * The fault test of webhooks: two control planes on one queue, one PostgreSQL, five endpoints. Every endpoint must have got an event of
 * every code that exists, under one id with the same bytes, and the log must say what the endpoints have seen.
 */
import { makeTemporaryFolder } from '../bench/abort.ts';
import { migrate, openClickHouse, openRedis } from '../bench/databases.ts';
import { startKillablePlane, startKillablePostgres } from '../bench/killable.ts';
import { apiKey, planControlPlane } from '../bench/planes.ts';
import { liftLimits } from '../bench/workspace.ts';
import type { Flag } from '../load-test/flags.ts';
import { defineLoadTest, type Run } from '../load-test/load-test.ts';
import { tableOf } from '../report/findings.ts';
import { atMost } from '../report/judge.ts';
import { jsonOf } from '../report/table.ts';
import { type ChaosOptions, type ChaosResult, runChaos } from './chaos.ts';
import { openEndpoints } from './endpoints.ts';
import { promises } from './judge.ts';

/** The last delivery of a run may wait for a lease to end, and for a retry. */
const settleSecondsMax = 180;

export interface FaultOptions {
  codes: number;
  seconds: number;
  planeKills: number;
  postgresKills: number;
  jumps: number;
}

/** Everything that is tested, with databases of its own. Redis and ClickHouse do not fail here. */
export const openFaults = async ({
  options,
  say,
  closer,
}: Pick<Run<FaultOptions>, 'options' | 'say' | 'closer'>): Promise<ChaosOptions> => {
  const { path: home, remove } = await makeTemporaryFolder('webhook-faults');
  closer.add(remove);
  const redis = await openRedis(home, closer, false);
  const clickhouse = await openClickHouse(home, closer);
  const postgres = await startKillablePostgres(home);
  closer.add(() => postgres.stop());
  const databases = { databaseUrl: postgres.url, redisUrl: redis.url, clickhouseUrl: clickhouse.url };
  await migrate(databases);
  const start = async (name: string) => {
    const environment = { WEBHOOK_ALLOW_PRIVATE: 'true' };
    const plane = await startKillablePlane(await planControlPlane({ name, home, databases, environment }));
    closer.add(() => plane.stop());
    return plane;
  };
  const planes = [await start('control-plane-0'), await start('control-plane-1')] as const;
  await liftLimits(postgres.url);
  const endpoints = await openEndpoints({ url: planes[0].url, apiKey }, closer);
  return { postgres, planes, endpoints, apiKey, ...options, settleSecondsMax, say };
};

const count = (standard: number, help: string, bounds: { least?: number; most?: number } = { least: 0 }) =>
  ({ kind: 'count', takes: 'N', default: standard, help, ...bounds }) as const satisfies Flag;

const promised = Object.entries(promises) as [keyof typeof promises, string][];

export const webhookFaults = defineLoadTest({
  name: 'webhook-faults',
  about: 'kills control planes and PostgreSQL, and lets endpoints and the clock fail, during deliveries',
  flags: {
    codes: count(2_000, 'codes, of whose creation five endpoints get an event', { most: 20_000 }),
    seconds: count(90, 'seconds for which codes are created, at least', { most: 3_600 }),
    'plane-kills': count(12, 'how often a control plane is killed and started again'),
    'postgres-kills': count(4, 'how often PostgreSQL is stopped or killed'),
    jumps: count(12, 'how often the clock jumps'),
  },
  environment: openFaults,
  rows: { faults: runChaos },
  criteria: promised.map(([id, title]) => ({
    id,
    title,
    ...atMost(0, ''),
    row: 'faults' as const,
    finding: (result: ChaosResult) => ({ value: result[id] }),
  })),
  tables: ({ faults }) => tableOf(faults, jsonOf),
});
