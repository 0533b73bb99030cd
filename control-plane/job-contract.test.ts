/**
 * What every kind of job promises, in real processes: whatever is killed, stopped, cut, cancelled or poisonous, nothing is
 * done twice and nothing is missing. The kinds are in testing/job-kinds.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { internalToken } from '#shared/signing.ts';
import {
  afterFile,
  createTestClickHouse,
  createTestDatabase,
  temporaryFolder,
} from '../deploy/testing/index.ts';
import { createdEventsTable } from './features/bulk/testing/recording-plane.ts';
import { changeSubscription, createWorkspace } from './features/tenancy/store.ts';
import { failuresMax } from './jobs/slices.ts';
import { enqueueTurn } from './jobs/turns.ts';
import { createPool, type Pool } from './platform/db/pool.ts';
import { caller, secretKey } from './testing/control-plane.ts';
import { type Held, type KindOfJob, kindsOfJobs, type Own, type Size } from './testing/job-kinds.ts';
import { type PlaneProcess, startPlaneProcess } from './testing/plane-process.ts';
import { installStops, type Point, type Stop, type Stops } from './testing/slice-stops.ts';

/** A process does three slices at once: so many have room for one of every kind. */
const processes = Math.ceil((kindsOfJobs.length + 1) / 3);

const shared: Record<string, string> = {};
let folder: string;
let pool: Pool;
let stops: Stops;
let fleet: PlaneProcess[];

const startFleet = async (): Promise<void> => {
  const program = 'control-plane/testing/small-slices-plane.ts';
  fleet = await Promise.all(Array.from({ length: processes }, () => startPlaneProcess(program, shared)));
  await Promise.all(fleet.map((each) => each.ready()));
};

beforeAll(async () => {
  folder = await temporaryFolder();
  shared.DATABASE_URL = await createTestDatabase();
  shared.CLICKHOUSE_URL = await createTestClickHouse();
  shared.STORAGE_URL = pathToFileURL(folder).href;
  pool = createPool(shared.DATABASE_URL, 'test', createLogger('test', 'silent'), 6);
  afterFile(() => pool.end());
  await pool.query(createdEventsTable);
  for (const statement of new Set(kindsOfJobs.map(({ poison }) => poison.statement ?? '')))
    await pool.query(statement);
  stops = await installStops(pool, shared.DATABASE_URL);
  await startFleet();
});

/** A job of a kind, alone in its workspace. */
interface Begun {
  kind: KindOfJob;
  own: Own;
  job: Held;
  stop?: Stop;
}

const newOwn = async (): Promise<Own> => {
  const { workspaceId, subscriptionId, apiKey } = await createWorkspace(pool, 'test', 'enterprise');
  const limits = { requestsPerSecond: 1_000_000, bulkCallsPerMinute: 1_000, dynamicQr: 10_000 };
  await changeSubscription(pool, workspaceId, { limits });
  // Of a process that runs.
  const call: Own['call'] = (...request) => fleet[0]!.callWith(apiKey)(...request);
  return { workspaceId, subscriptionId, call, pool, folder, clickhouseUrl: shared.CLICKHOUSE_URL! };
};

const begin = async (kind: KindOfJob, size: Size, at?: { point: Point; after?: number }): Promise<Begun> => {
  const own = await newOwn();
  const named = { workspaceId: own.workspaceId, kind: kind.name };
  const stop = at && (await stops.stop(named, at.point, at.after));
  return { kind, own, job: await kind.begin(own, size), ...(stop && { stop }) };
};

const stateOf = async ({ kind, own }: Begun) =>
  (
    await pool.query<{ status: string; attempts: number; failures: number; done: number; error: string }>(
      'SELECT status, attempts, failures, done, error FROM jobs WHERE workspace_id = $1 AND kind = $2',
      [own.workspaceId, kind.name],
    )
  ).rows[0];

/** A removal is forgotten once it is completed. */
const ended = async (begun: Begun): Promise<string> => {
  const status = async () => (await stateOf(begun))?.status ?? 'completed';
  await expect.poll(status, { timeout: 45_000, interval: 20 }).toMatch(/^(completed|failed)$/);
  return status();
};

const isCompleted = async (begun: Begun): Promise<void> => {
  expect([await ended(begun), (await stateOf(begun))?.error ?? null]).toEqual(['completed', null]);
  await begun.job.isWhole();
};

const turnsOf = async ({ own }: Begun, where = 'true'): Promise<number | null> => {
  const text = `SELECT FROM graphile_worker.jobs WHERE key LIKE '%:' || $1 AND ${where}`;
  return (await pool.query(text, [own.workspaceId])).rowCount;
};

const letGo = (all: readonly Begun[]) => Promise.all(all.map(({ stop }) => stop?.letGo()));
const found = <Each extends Begun>(all: readonly Each[], kind: KindOfJob): Each =>
  all.find((each) => each.kind === kind)!;

/** Of several tests: the first one does the work. */
const once = <Result>(work: () => Promise<Result>): (() => Promise<Result>) => {
  let done: Promise<Result> | undefined;
  return () => {
    done ??= work();
    return done;
  };
};

/** A job of every kind is begun, and one of its slices stops. @param at undefined: it does not stop */
const allStopped = async <Result>(
  size: Size,
  at: (kind: KindOfJob) => { point: Point; after?: number } | undefined,
  then: (all: readonly Begun[]) => Promise<Result>,
): Promise<Result> => {
  const all = await Promise.all(kindsOfJobs.map((kind) => begin(kind, size, at(kind))));
  try {
    await Promise.all(all.map(({ stop }) => stop?.reached()));
    return await then(all);
  } finally {
    await letGo(all);
  }
};

/** Every process is killed at once, and others start. */
const killFleet = async (all: readonly Begun[]): Promise<readonly Begun[]> => {
  await Promise.all(fleet.map((each) => each.kill()));
  await letGo(all);
  await startFleet();
  return all;
};

test('every kind that a feature declares is held to this contract', async () => {
  const { body } = await caller(fleet[0]!.internalUrl, internalToken(secretKey))('GET', '/metrics');
  const declared = [...String(body).matchAll(/waymark_job_slices_total\{kind="(\w+)"\}/g)];
  expect(declared.map(([, name]) => name).sort()).toEqual(kindsOfJobs.map(({ name }) => name).sort());
});

describe.each<[string, Point]>([
  ['before it chooses what to do', 'begun'],
  ['when it is prepared', 'prepared'],
  ['inside its transaction', 'written'],
  ['after its commit, before the next turn', 'next turn'],
])('a kill -9 in a slice, %s', (_, point) => {
  const killed = once(() => allStopped('large', () => ({ point }), killFleet));

  test.for(kindsOfJobs)('does nothing twice and loses nothing: $name', async (kind) =>
    isCompleted(found(await killed(), kind)),
  );
});

/** A job, and how it was when the interruption was over. */
type Seen = Begun & { seen: unknown };

describe('a stop of the processes in the middle of a slice', () => {
  /** Queues that may still take a turn: a process closes the connection on which it hears of turns when it takes no more. */
  const listening = async () => {
    const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN "jobs:insert"%'`;
    return (await pool.query(text)).rowCount;
  };

  const stopFleet = async (all: readonly Begun[]): Promise<Seen[]> => {
    expect(await listening()).toBe(fleet.length);
    for (const { child } of fleet) child.kill('SIGTERM');
    await expect.poll(listening, { timeout: 10_000 }).toBe(0);
    await letGo(all);
    const exits = await Promise.all(fleet.map(({ exited }) => exited));
    expect(exits).toEqual(fleet.map(() => [0, null]));
    const seen = async (each: Begun) => ({
      ...each,
      seen: { ...(await stateOf(each)), freeTurns: await turnsOf(each, 'locked_at IS NULL') },
    });
    const stopped = await Promise.all(all.map(seen));
    await startFleet();
    return stopped;
  };
  const stopped = once(() => allStopped('large', () => ({ point: 'prepared' }), stopFleet));

  test.for(kindsOfJobs)('ends it, costs no attempt and leaves the turn to others: $name', async (kind) => {
    const begun = found(await stopped(), kind);
    expect(begun.seen).toMatchObject({ status: 'processing', attempts: 0, failures: 0, freeTurns: 1 });
    await isCompleted(begun);
  });
});

describe('connections to PostgreSQL that are cut in the middle of a slice', () => {
  const cutAll = async (all: readonly Begun[]): Promise<Seen[]> => {
    const next = all.map(({ kind, own }) =>
      stops.stop({ workspaceId: own.workspaceId, kind: kind.name }, 'begun'),
    );
    const again = await Promise.all(next);
    await pool.query(
      `SELECT pg_terminate_backend(pid, 9000) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'waymark-jobs'`,
    );
    await letGo(all);
    const seen = async (each: Begun, at: number) => {
      const stop = again[at]!;
      await stop.reached();
      // The next attempt may be faster than the end of the cut one, which then waits behind it to take its own back.
      const counted = async () =>
        (await stateOf(each))!.attempts - (await stop.behind('UPDATE jobs SET attempts = greatest'));
      for (let tries = 0; tries < 100 && (await counted()) > 0; tries++) await sleep(50);
      return { ...each, seen: { ...(await stateOf(each)), attempts: await counted() } };
    };
    try {
      return await Promise.all(all.map(seen));
    } finally {
      await Promise.all(again.map((stop) => stop.letGo()));
    }
  };
  const cut = once(() => allStopped('large', () => ({ point: 'prepared' }), cutAll));

  test.for(kindsOfJobs)('cost no attempt, and the job goes on: $name', async (kind) => {
    const begun = found(await cut(), kind);
    expect(begun.seen).toMatchObject({ status: 'processing', attempts: 0, failures: 0 });
    await isCompleted(begun);
  });
});

describe('a poisonous element', () => {
  const stopOf = ({ givesBack }: KindOfJob) =>
    'never' in givesBack ? undefined : { point: givesBack.when, after: givesBack.after };
  const poisoned = once(() => allStopped('poisonous', stopOf, killFleet));

  test.for(kindsOfJobs)("holds up no other workspace's job: $name", async (kind) => {
    await poisoned();
    await isCompleted(await begin(kind, 'small'));
  });

  test.for(kindsOfJobs)('costs what is promised: $name', async (kind) => {
    const begun = found(await poisoned(), kind);
    const { costs, statement } = kind.poison;
    if (costs === 'time') {
      await expect.poll(async () => (await stateOf(begun))?.failures).toBeGreaterThan(failuresMax);
      await begun.job.isPoisoned();
      await pool.query(`DROP FUNCTION ${/refuse_\w+/.exec(statement!)} CASCADE`);
      return isCompleted(begun);
    }
    expect(await ended(begun)).toBe(costs === 'itself' ? 'completed' : 'failed');
    await begun.job.isPoisoned();
  });

  test.for(kindsOfJobs)(
    'gives back what was counted for it, once, although a kill -9 came into that transaction: $name',
    async (kind, { skip }) => {
      if ('never' in kind.givesBack) return skip(kind.givesBack.never);
      const begun = found(await poisoned(), kind);
      await ended(begun);
      await begun.job.isGivenBack!();
    },
  );
});

describe('a cancellation in the middle of a slice', () => {
  /** The end of a job waits for the slice that is being counted. */
  const isWaiting = async () => {
    const text = `SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND query LIKE 'UPDATE jobs SET status = ''failed''%' AND cardinality(pg_blocking_pids(pid)) > 0`;
    return (await pool.query(text)).rowCount === 1;
  };

  test.for(kindsOfJobs)('ends the job, and gives back what it had, once: $name', async (kind, { skip }) => {
    if ('never' in kind.cancel) return skip(kind.cancel.never);
    const begun = await begin(kind, 'large', { point: 'begun' });
    await begun.stop!.reached();
    const cancelling = begun.job.cancel!();
    let answered = false;
    void cancelling.finally(() => {
      answered = true;
    });
    await expect.poll(async () => answered || (await isWaiting())).toBe(true);
    await letGo([begun]);
    expect((await cancelling).status).toBeLessThan(300);
    await expect.poll(() => turnsOf(begun)).toBe(0);
    const { says } = kind.cancel;
    const isCancelled = async () => {
      expect(await stateOf(begun)).toMatchObject({ status: 'failed', error: says });
      await begun.job.isGivenBack!();
    };
    await isCancelled();
    await begun.job.cancel!();
    await isCancelled();
  });
});

describe('a large job in the middle of a slice', () => {
  let all: readonly Begun[] = [];
  const large = once(async () => {
    all = await Promise.all(kindsOfJobs.map((kind) => begin(kind, 'large', { point: 'written' })));
    await Promise.all(all.map(({ stop }) => stop?.reached()));
    return all;
  });
  afterAll(() => letGo(all));

  test.for(kindsOfJobs)('lets a small one of another workspace be completed: $name', async (kind) => {
    const begun = found(await large(), kind);
    await isCompleted(await begin(kind, 'small'));
    expect(await stateOf(begun)).toMatchObject({ status: 'processing' });
  });
});

describe('a slice under way', () => {
  // Each has a job of its own: PostgreSQL cancels a statement that waits for 10 s, and then the slice is begun again.
  test.for(kindsOfJobs)('is worked on by no second process: $name', async (kind) => {
    const begun = await begin(kind, 'large', { point: 'written' });
    try {
      await begun.stop!.reached();
      const { workspaceId } = begun.own;
      const { rows } = await pool.query<{ lane: string }>(
        'SELECT lane FROM jobs WHERE workspace_id = $1 AND kind = $2',
        [workspaceId, kind.name],
      );
      await enqueueTurn(pool, { lane: rows[0]!.lane, workspaceId });
      await expect.poll(() => turnsOf(begun)).toBe(0);
    } finally {
      await letGo([begun]);
    }
  });
});
