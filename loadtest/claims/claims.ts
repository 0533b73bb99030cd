/**
 * The chaos test of first scans: two redirectors of four workers each, two control planes, one Redis with its file, one PostgreSQL;
 * four processes with 64 scans at a time each scan every unit, five times in all. No two scans of a unit may have the verdict that it
 * is the first, and PostgreSQL must count what was answered.
 */
import type { Closer } from '#shared/lifecycle.ts';
import { makeTemporaryFolder } from '../bench/abort.ts';
import { type Databases, migrate, openClickHouse, openPostgres } from '../bench/databases.ts';
import { startKillablePlane, startKillableRedis } from '../bench/killable.ts';
import { planRedirector, startControlPlane } from '../bench/planes.ts';
import { defineLoadTest, type Run } from '../load-test/load-test.ts';
import { tableOf } from '../report/findings.ts';
import { atMost } from '../report/judge.ts';
import { jsonOf } from '../report/table.ts';
import { type ChaosOptions, type ChaosResult, runChaos } from './chaos.ts';
import { faultsOf, type PromiseId, promises } from './judge.ts';
import { mintUnits } from './units.ts';

const scanners = { processes: 4, parallel: 64, scansPerUnit: 5 };

export interface PlaneCounts {
  /** The redirectors ask them in turn. */
  controlPlanes: number;
  /** Processes of each of the two redirectors. */
  workers: number;
}

/** Starts several at once. The closer gets each that has started, even if another one does not. */
const startAll = async <T extends { stop(): Promise<unknown> }>(
  count: number,
  closer: Closer,
  start: (n: number) => Promise<T>,
): Promise<T[]> => {
  const starts = Array.from({ length: count }, async (_, n) => {
    const started = await start(n);
    closer.add(async () => void (await started.stop()));
    return started;
  });
  await Promise.allSettled(starts);
  return Promise.all(starts);
};

export const startPlanes = async (
  home: string,
  databases: Databases,
  counts: PlaneCounts,
  closer: Closer,
) => {
  const controlPlanes = await startAll(counts.controlPlanes, closer, (n) =>
    startControlPlane({ name: `control-plane-${n}`, home, databases }),
  );
  const redirectors = await startAll(2, closer, async (n) =>
    startKillablePlane(
      await planRedirector({
        name: `redirector-${n}`,
        home,
        workers: counts.workers,
        databases,
        controlPlane: controlPlanes[n % controlPlanes.length]!,
      }),
    ),
  );
  return { controlPlanes, redirectors };
};

interface Options {
  units: number;
  redisKills: number;
  redisLosses: number;
  redirectorKills: number;
}

const environment = async ({ options, say, closer }: Run<Options>): Promise<ChaosOptions> => {
  const { units, ...kills } = options;
  const home = await makeTemporaryFolder('claims');
  closer.add(home.remove);
  const redis = await startKillableRedis(home.path);
  closer.add(() => redis.stop());
  const postgres = await openPostgres(home.path, closer, true);
  const clickhouse = await openClickHouse(home.path, closer);
  const databases = { databaseUrl: postgres.url, redisUrl: redis.url, clickhouseUrl: clickhouse.url };
  await migrate(databases);
  const counts = { controlPlanes: 2, workers: 4 };
  const { controlPlanes, redirectors } = await startPlanes(home.path, databases, counts, closer);
  const batch = await mintUnits(controlPlanes[0]!.url, databases.databaseUrl, units);
  say(`${batch.units.length} units are minted`);
  return { redis, redirectors, databaseUrl: postgres.url, batch, ...scanners, ...kills, say };
};

const promised = Object.entries(promises) as [PromiseId, string][];

export const claims = defineLoadTest({
  name: 'claims',
  about: 'kills Redis and redirectors while serialized codes are scanned for the first time',
  flags: {
    units: {
      kind: 'count',
      takes: 'N',
      default: 10_000,
      // Of a batch.
      most: 50_000,
      help: 'units, each of which is scanned five times',
    },
    'redis-kills': {
      kind: 'count',
      takes: 'N',
      default: 6,
      least: 0,
      help: 'how often Redis is killed and started again',
    },
    'redis-losses': {
      kind: 'count',
      takes: 'N',
      default: 2,
      least: 0,
      help: 'after how many of these kills, the last ones, its file is gone',
    },
    'redirector-kills': {
      kind: 'count',
      takes: 'N',
      default: 6,
      least: 0,
      help: 'how often a redirector is killed and started again',
    },
  },
  environment,
  rows: { claims: runChaos },
  criteria: promised.map(([id, title]) => ({
    id,
    title,
    ...atMost(0, ''),
    row: 'claims' as const,
    finding: (result: ChaosResult) => ({
      value: faultsOf(result, id),
      ...(id === 'unexpected' && { note: result.unexpected.join('; ') }),
    }),
  })),
  tables: (rows) => tableOf(rows.claims, jsonOf),
});
