/**
 * The chaos test of first scans: two redirectors of four workers each, two control planes, one Redis with its file, one PostgreSQL;
 * four processes with 64 scans at a time each scan every unit, five times in all. No unit may be told twice that it is the first
 * time, and PostgreSQL must count what was answered.
 */
import { createCloser } from '#shared/lifecycle.ts';
import { startClickHouse } from '../../deploy/embedded/parts/clickhouse.ts';
import { programs, runProgram } from '../../deploy/embedded/parts/planes.ts';
import { startPostgres } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { makeTemporaryFolder } from '../bench/abort.ts';
import { type ChaosResult, runChaos } from './chaos.ts';
import { faultsIn } from './judge.ts';
import { type KillableRedis, startKillableRedis } from './killable-redis.ts';
import type { Options } from './options.ts';
import { type Databases, secretKey, startControlPlane, startKillableRedirector } from './planes.ts';
import { mintUnits } from './units.ts';

const password = 'chaos';
const scanners = { processes: 4, parallel: 64, scansPerUnit: 5 };
const planes: PlaneCounts = { controlPlanes: 2, workers: 4 };

type Closer = ReturnType<typeof createCloser>;

/** PostgreSQL and ClickHouse beside a Redis, with the schema. */
export const startDatabases = async (
  home: string,
  redis: KillableRedis,
  closer: Closer,
): Promise<Databases> => {
  const common = { home, password, database: 'waymark', durable: true };
  const postgres = await startPostgres({ ...common, adminPassword: password, port: await freePort() });
  closer.add(() => postgres.stop());
  const clickhouse = await startClickHouse({ ...common, port: await freePort() });
  closer.add(() => clickhouse.stop());
  const databases = { databaseUrl: postgres.url, redisUrl: redis.url, clickhouseUrl: clickhouse.url };
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: home,
    DATABASE_URL: databases.databaseUrl,
    REDIS_URL: databases.redisUrl,
    CLICKHOUSE_URL: databases.clickhouseUrl,
    SECRET_KEY: secretKey,
  };
  for (const program of [programs.migratePostgres, programs.migrateClickHouse])
    await runProgram({ name: 'migrate', program, home, env });
  return databases;
};

export interface PlaneCounts {
  /** The redirectors ask them in turn. */
  controlPlanes: number;
  /** Processes of each of the two redirectors. */
  workers: number;
}

/** Starts several at once. Those that have started are closed, even if another one does not. */
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
    startControlPlane(`control-plane-${n}`, home, databases),
  );
  const redirectors = await startAll(2, closer, (n) =>
    startKillableRedirector({
      name: `redirector-${n}`,
      home,
      workers: counts.workers,
      databases,
      controlPlane: controlPlanes[n % controlPlanes.length]!,
    }),
  );
  return { controlPlanes, redirectors };
};

const measure = async ({ units, ...kills }: Options): Promise<ChaosResult> => {
  const closer = createCloser();
  const say = (line: string) => console.error(line);
  try {
    const home = await makeTemporaryFolder('claims');
    closer.add(home.remove);
    const redis = await startKillableRedis(home.path);
    closer.add(() => redis.stop());
    const databases = await startDatabases(home.path, redis, closer);
    const { controlPlanes, redirectors } = await startPlanes(home.path, databases, planes, closer);
    const batch = await mintUnits(controlPlanes[0]!.url, databases.databaseUrl, units);
    say(`${batch.units.length} units are minted`);
    const { databaseUrl } = databases;
    return await runChaos({
      redis,
      redirectors,
      databaseUrl,
      batch,
      ...scanners,
      ...kills,
      say,
    });
  } finally {
    await closer.close();
  }
};

/** Everything that must not be. */
export const faultsOf = (result: ChaosResult): string[] => [
  ...faultsIn(result),
  ...(result.givenUp > 0 ? [`${result.givenUp} scans that never got a verdict`] : []),
  ...result.unexpected.map((answer) => `an answer that no genuine code may get: ${answer}`),
];

export const runClaimsChaos = async (options: Options): Promise<void> => {
  const result = await measure(options);
  console.log(JSON.stringify(result, null, 2));
  const faults = faultsOf(result);
  for (const fault of faults) console.error(`NOT MET: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
};
