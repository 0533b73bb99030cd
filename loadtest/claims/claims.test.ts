/** A small chaos test: the whole one is `npm run loadtest -- claims`. */
import { beforeAll, expect, test, vi } from 'vitest';
import { createCloser } from '#shared/lifecycle.ts';
import {
  afterFile,
  createTestClickHouse,
  createTestDatabase,
  temporaryFolder,
} from '../../deploy/testing/index.ts';
import { type KillablePlane, type KillableRedis, startKillableRedis } from '../bench/killable.ts';
import type { Plane } from '../bench/planes.ts';
import { runChaos } from './chaos.ts';
import { startPlanes } from './claims.ts';
import { faultsIn } from './judge.ts';
import { mintUnits, storedUnits, type Unit } from './units.ts';

/** A program that names itself claims nothing. */
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Safari/604.1';

const patient = { timeout: 60_000, interval: 200 };

let redis: KillableRedis;
let databaseUrl: string;
let controlPlanes: Plane[];
let redirectors: KillablePlane[];

beforeAll(async () => {
  const closer = createCloser();
  afterFile(() => closer.close());
  const home = await temporaryFolder();
  redis = await startKillableRedis(home);
  closer.add(() => redis.stop());
  const [database, clickhouseUrl] = await Promise.all([createTestDatabase(), createTestClickHouse()]);
  databaseUrl = database;
  const databases = { databaseUrl, clickhouseUrl, redisUrl: redis.url };
  // Each redirector has a control plane of its own: one of them can be away while the other one answers.
  const counts = { controlPlanes: 2, workers: 1 };
  ({ controlPlanes, redirectors } = await startPlanes(home, databases, counts, closer));
}, 300_000);

/** @returns the verdict, or the status of an answer without one */
const verify = async ({ url }: KillablePlane, { path }: Unit): Promise<string> => {
  const response = await fetch(url + path, { headers: { accept: 'application/json', 'user-agent': phone } });
  const body = (await response.json()) as { verdict?: string };
  return response.status === 200 ? body.verdict! : String(response.status);
};

const untilVerdict = (redirector: KillablePlane, unit: Unit): Promise<string> =>
  vi.waitFor(async () => {
    const verdict = await verify(redirector, unit);
    expect(verdict).not.toBe('503');
    return verdict;
  }, patient);

test('a unit whose claim is not delivered when Redis loses everything is not authentic again', async () => {
  const [here, there] = redirectors as [KillablePlane, KillablePlane];
  // A claim is mostly delivered at once, and on a busy machine before this process looks: it takes a few.
  const batch = await mintUnits(controlPlanes[0]!.url, databaseUrl, 100);
  const [known, ...units] = batch.units as [Unit, ...Unit[]];
  expect(await untilVerdict(there, known)).toBe('authentic');
  const signal = (name: NodeJS.Signals) => process.kill(controlPlanes[0]!.pid, name);
  /** Claims units until one of them is not in PostgreSQL at the moment at which the control plane stops. */
  const claimUndelivered = async (): Promise<Unit> => {
    for (const unit of units) {
      expect(await untilVerdict(here, unit)).toBe('authentic');
      signal('SIGSTOP');
      const stored = await storedUnits(databaseUrl, batch);
      if (!stored[batch.units.indexOf(unit)]!.claimed) return unit;
      signal('SIGCONT');
    }
    throw new Error('every claim was delivered at once');
  };
  let undelivered: Unit;
  try {
    undelivered = await claimUndelivered();
    await redis.kill(0);
    await redis.loseFile();
    await redis.startAgain();
    // It has this one in memory, and answers as soon as Redis does.
    expect(await untilVerdict(there, known)).toBe('already_scanned');
    // Its own control plane says that no scan has claimed the unit.
    expect(await verify(there, undelivered)).toBe('503');
  } finally {
    signal('SIGCONT');
  }
  expect(await untilVerdict(there, undelivered)).toBe('already_scanned');
}, 300_000);

test('scanners, a Redis that loses everything and a killed redirector: no unit has two first scans, and every counted scan was answered', async () => {
  const result = await runChaos({
    redis,
    redirectors,
    databaseUrl,
    batch: await mintUnits(controlPlanes[0]!.url, databaseUrl, 100),
    processes: 2,
    parallel: 16,
    scansPerUnit: 3,
    redisKills: 1,
    redisLosses: 1,
    redirectorKills: 1,
    say: () => undefined,
  });
  expect(faultsIn(result)).toEqual([]);
  expect(result).toMatchObject({ units: 100, verdicts: 300, redisKills: 1, redirectorKills: 1 });
}, 300_000);
