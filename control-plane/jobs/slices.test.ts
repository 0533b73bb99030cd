/** The engine with kinds of the tests' own, on a real PostgreSQL. */
import { beforeAll, describe, expect, test } from 'vitest';
import { ClientError } from '#shared/errors.ts';
import { prefixedIds } from '#shared/ids.ts';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../deploy/testing/index.ts';
import { createWorkspace } from '../features/tenancy/store.ts';
import { createPool, type Pool } from '../platform/db/pool.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import { StorageFailure } from '../platform/storage/storage.ts';
import { createBackground } from './background.ts';
import { type Job, type JobKind, jobKind } from './kind.ts';
import { startResume } from './resume.ts';
import { attemptsMax, failuresMax } from './slices.ts';
import { createJob, failJob, listStalledTurns } from './store.ts';
import { enqueueTurn, removeDeadTurns } from './turns.ts';
import { createWork } from './work.ts';

const logger = createLogger('test', 'silent');
const ids = prefixedIds('tjob');
const lane = 'test';
let pool: Pool;

beforeAll(async () => {
  pool = createPool(await createTestDatabase(), 'test', logger, 8);
  afterFile(() => pool.end());
  await pool.query('CREATE TABLE effects (job_id text, item integer)');
});

const newWorkspace = async (): Promise<string> =>
  (await createWorkspace(pool, 'test', 'enterprise')).workspaceId;

const submit = async (workspaceId: string, total = 3): Promise<string> => {
  const id = ids.create();
  await inTransaction(pool, (tx) => createJob(tx, { id, workspaceId, kind: 'test', lane, total }));
  return id;
};

/** Writes an item a slice. */
const testKind = (more: Partial<JobKind<unknown, unknown>> = {}): JobKind =>
  jobKind<unknown, unknown>({
    name: 'test',
    lane,
    failure: 'for a reason of ours',
    async effect(tx, { id, done, total }) {
      await tx.query('INSERT INTO effects VALUES ($1, $2)', [id, done + 1]);
      return { done: 1, isLast: done + 1 === total };
    },
    ...more,
  });

const workWith = (kind: JobKind, db = pool) => {
  const work = createWork({ pool: db, kinds: [kind], logger, onSlice: () => undefined });
  return (workspaceId: string) => work({ lane, workspaceId });
};

const jobOf = async (id: string): Promise<Job & { aside: boolean }> => {
  const { rows } = await pool.query(
    `SELECT status, done, error, attempts, failures, held_up_since AS "heldUpSince", aside_until > now() AS aside
     FROM jobs WHERE id = $1`,
    [id],
  );
  return rows[0];
};

const effectsOf = async (id: string): Promise<number[]> => {
  const { rows } = await pool.query('SELECT item FROM effects WHERE job_id = $1 ORDER BY item', [id]);
  return rows.map(({ item }) => item);
};

const forgetTurns = () =>
  pool.query('SELECT graphile_worker.complete_jobs(ARRAY(SELECT id FROM graphile_worker.jobs))');

const turnsOf = async (workspaceId: string): Promise<number> => {
  const { rowCount } = await pool.query('SELECT FROM graphile_worker.jobs WHERE key = $1', [
    `${lane}:${workspaceId}`,
  ]);
  return rowCount ?? 0;
};

/** Its preparation waits until it is let go. */
const gated = (more: Partial<JobKind<unknown, unknown>> = {}) => {
  const gate = Promise.withResolvers<void>();
  const begun = { slices: 0 };
  const kind = testKind({
    async prepare() {
      begun.slices++;
      await gate.promise;
    },
    ...more,
  });
  return { kind, begun, letGo: gate.resolve };
};

const cutTransactions = () =>
  // Each is gone when the statement returns, and so are its locks.
  pool.query(
    `SELECT pg_terminate_backend(pid, 9000) FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'idle in transaction'`,
  );

describe('a slice', () => {
  test('enqueues the next one in its own transaction; one turn waits for a workspace, however many jobs it has', async () => {
    const workspaceId = await newWorkspace();
    const [first, second] = [await submit(workspaceId), await submit(workspaceId)];
    expect(await turnsOf(workspaceId)).toBe(1);
    const work = workWith(testKind());
    for (let n = 0; n < 3; n++) {
      await forgetTurns();
      await work(workspaceId);
      expect(await turnsOf(workspaceId)).toBe(1);
    }
    expect([await jobOf(first), await jobOf(second)]).toMatchObject([
      { status: 'completed', done: 3 },
      { status: 'pending', done: 0 },
    ]);
    expect(await effectsOf(first)).toEqual([1, 2, 3]);
  });

  test('of each job in turn, if the jobs of a kind take turns', async () => {
    const workspaceId = await newWorkspace();
    const [first, second] = [await submit(workspaceId), await submit(workspaceId)];
    const work = workWith(testKind({ takesTurns: true }));
    for (let n = 0; n < 4; n++) await work(workspaceId);
    expect([await effectsOf(first), await effectsOf(second)]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  test('is the only one of its turn: a second run ends and enqueues nothing, and none is added while it goes on', async () => {
    const workspaceId = await newWorkspace();
    const id = await submit(workspaceId);
    await forgetTurns();
    const { kind, begun, letGo } = gated();
    const work = workWith(kind);
    const first = work(workspaceId);
    await expect.poll(() => begun.slices).toBe(1);
    await work(workspaceId);
    await pool.query(`UPDATE jobs SET updated_at = now() - interval '1 min' WHERE id = $1`, [id]);
    expect(await listStalledTurns(pool, 5)).not.toContainEqual({ lane, workspaceId });
    expect([begun.slices, await turnsOf(workspaceId)]).toEqual([1, 0]);
    letGo();
    await first;
    expect([await effectsOf(id), await turnsOf(workspaceId)]).toEqual([[1], 1]);
  });

  test('whose connection is cut leaves the turn to another at once, and has no effect', async () => {
    const workspaceId = await newWorkspace();
    const id = await submit(workspaceId, 1);
    const { kind, begun, letGo } = gated();
    const cut = workWith(kind)(workspaceId);
    await expect.poll(() => begun.slices).toBe(1);
    await cutTransactions();
    await workWith(testKind())(workspaceId);
    expect(await jobOf(id)).toMatchObject({ status: 'completed' });
    letGo();
    await cut;
    expect(await effectsOf(id)).toEqual([1]);
    expect(await jobOf(id)).toMatchObject({ status: 'completed', done: 1 });
  });

  test('that loses its connection in the effect is tried again, and its attempt does not count', async () => {
    const workspaceId = await newWorkspace();
    const id = await submit(workspaceId, 1);
    const forgiven: unknown[] = [];
    const lost = testKind({
      choose: async () => 'chosen',
      async forgive(_, chosen) {
        forgiven.push(chosen);
      },
      async effect(tx) {
        await tx.query('INSERT INTO effects VALUES ($1, 1)', [id]);
        await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
        return { done: 1 };
      },
    });
    for (let n = 0; n < attemptsMax + 2; n++) await workWith(lost)(workspaceId);
    expect(forgiven.length).toBeGreaterThan(attemptsMax);
    expect(await jobOf(id)).toMatchObject({ status: 'processing', attempts: 0, failures: 0, aside: true });
    expect((await jobOf(id)).heldUpSince).not.toBeNull();
    const work = workWith(testKind());
    // The connection that was lost may hold the turn for a moment more.
    while ((await jobOf(id)).status !== 'completed') await work(workspaceId);
    expect(await effectsOf(id)).toEqual([1]);
    expect(await jobOf(id)).toMatchObject({ heldUpSince: null });
  });

  test('of a job that is cancelled meanwhile has no effect, and removes what it has prepared', async () => {
    const workspaceId = await newWorkspace();
    const id = await submit(workspaceId);
    const discarded: unknown[] = [];
    const { kind, begun, letGo } = gated({
      async discard(job) {
        discarded.push(job.id);
      },
    });
    const working = workWith(kind)(workspaceId);
    await expect.poll(() => begun.slices).toBe(1);
    expect(await failJob(pool, id, 'It was cancelled')).toBe(true);
    letGo();
    await working;
    expect(discarded).toEqual([id]);
    expect(await effectsOf(id)).toEqual([]);
    expect(await jobOf(id)).toMatchObject({ status: 'failed', error: 'It was cancelled', done: 0 });
  });
});

describe('a job that fails', () => {
  test('by itself is tried some times without progress; then it has failed, and its work is undone', async () => {
    const workspaceId = await newWorkspace();
    const id = await submit(workspaceId);
    const ends: string[] = [];
    const kind = testKind({
      async effect(tx, job) {
        await tx.query('INSERT INTO effects VALUES ($1, $2)', [id, job.done + 1]);
        if (job.done === 1) throw new Error('a fault of ours');
        return { done: 1 };
      },
      async undo(tx) {
        await tx.query('DELETE FROM effects WHERE job_id = $1', [id]);
      },
      async ended(_, status) {
        ends.push(status);
      },
    });
    const work = workWith(kind);
    for (let n = 0; n < 1 + failuresMax; n++) {
      expect(await jobOf(id)).not.toMatchObject({ status: 'failed' });
      await work(workspaceId);
    }
    expect(await effectsOf(id)).toEqual([1]);
    await work(workspaceId);
    expect(await jobOf(id)).toMatchObject({ status: 'failed', error: 'for a reason of ours', done: 1 });
    expect([await effectsOf(id), ends]).toEqual([[], ['failed']]);
  });

  test('whose failure cannot be stored is not failed by halves: it is tried until it can', async () => {
    const workspaceId = await newWorkspace();
    const id = await submit(workspaceId);
    let refuses = true;
    const kind = testKind({
      async effect() {
        throw new Error('a fault of ours');
      },
      async undo() {
        if (refuses) throw new Error('this cannot be undone');
      },
    });
    const work = workWith(kind);
    for (let n = 0; n < failuresMax + 3; n++) {
      await forgetTurns();
      await work(workspaceId);
      expect(await turnsOf(workspaceId)).toBe(1);
    }
    expect(await jobOf(id)).toMatchObject({ status: 'processing' });
    // It lets others go first: they are not kept for ever.
    const other = await submit(workspaceId, 1);
    await workWith(testKind())(workspaceId);
    expect(await jobOf(other)).toMatchObject({ status: 'completed' });
    refuses = false;
    await work(workspaceId);
    expect(await jobOf(id)).toMatchObject({ status: 'failed' });
  });

  test('with every process that works on it has failed after more attempts', async () => {
    const workspaceId = await newWorkspace();
    const id = await submit(workspaceId, 1);
    // An attempt counts before the work begins: a process that ends with it takes nothing back.
    const { kind, begun, letGo } = gated();
    const killed = workWith(kind)(workspaceId);
    await expect.poll(() => begun.slices).toBe(1);
    expect(await jobOf(id)).toMatchObject({ status: 'processing', attempts: 1 });
    await cutTransactions();
    letGo();
    await killed;
    // Each of them has counted its attempt, and never came to its end.
    await pool.query('UPDATE jobs SET attempts = $2 WHERE id = $1', [id, attemptsMax - 1]);
    await workWith(testKind())(workspaceId);
    expect(await jobOf(id)).toMatchObject({ status: 'completed' });
    const poisonous = await submit(workspaceId, 1);
    await pool.query('UPDATE jobs SET attempts = $2 WHERE id = $1', [poisonous, attemptsMax]);
    await workWith(testKind())(workspaceId);
    expect(await jobOf(poisonous)).toMatchObject({ status: 'failed', error: 'for a reason of ours' });
  });

  test('for a reason that no later attempt changes has failed at once, and its owner reads it', async () => {
    const workspaceId = await newWorkspace();
    const id = await submit(workspaceId);
    const kind = testKind({
      async prepare() {
        throw new RangeError('too large');
      },
      refusalOf: (error) => (error instanceof RangeError ? error.message : undefined),
    });
    await workWith(kind)(workspaceId);
    expect(await jobOf(id)).toMatchObject({ status: 'failed', error: 'too large', failures: 0 });
  });
});

describe('a job that can do nothing now', () => {
  test.each([
    ['a limit', () => new ClientError('RATE_LIMITED', 'later')],
    ['something that is down', () => new ClientError('UNAVAILABLE', 'later')],
    ['the storage', () => new StorageFailure('away', 'later')],
    ['PostgreSQL', () => Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' })],
  ])('waits for %s for an hour, counts no attempt and keeps no other job waiting', async (_, failure) => {
    const workspaceId = await newWorkspace();
    const [waiting, other] = [await submit(workspaceId), await submit(workspaceId)];
    const kind = testKind({
      async prepare({ id }) {
        if (id === waiting) throw failure();
      },
    });
    const work = workWith(kind);
    await work(workspaceId);
    for (let n = 0; n < 3; n++) await work(workspaceId);
    expect(await jobOf(other)).toMatchObject({ status: 'completed' });
    for (let n = 0; n < attemptsMax + 1; n++) await work(workspaceId);
    expect(await jobOf(waiting)).toMatchObject({ status: 'processing', attempts: 0, failures: 0 });
    await pool.query(
      `UPDATE jobs SET held_up_since = held_up_since - interval '61 min', created_at = now() - interval '1 day' WHERE id = $1`,
      [waiting],
    );
    for (let n = 0; n < failuresMax + 1; n++) await work(workspaceId);
    expect(await jobOf(waiting)).toMatchObject({ status: 'failed' });
  });

  test('loses no time while it waits behind others', async () => {
    const workspaceId = await newWorkspace();
    const id = await submit(workspaceId);
    await pool.query(
      `UPDATE jobs SET held_up_since = now() - interval '61 min', updated_at = now() - interval '60 min' WHERE id = $1`,
      [id],
    );
    const work = workWith(
      testKind({
        async prepare() {
          throw new StorageFailure('away', 'later');
        },
      }),
    );
    for (let n = 0; n < failuresMax + 2; n++) await work(workspaceId);
    expect(await jobOf(id)).toMatchObject({ status: 'processing', failures: 0 });
  });

  test('keeps no job waiting that could go on, however many others are held up', async () => {
    const workspaceId = await newWorkspace();
    const heldUp = new Set<string>();
    for (let n = 0; n < 12; n++) heldUp.add(await submit(workspaceId));
    const good = await submit(workspaceId);
    const work = workWith(
      testKind({
        async prepare({ id }) {
          if (heldUp.has(id)) throw new StorageFailure('away', 'later');
        },
      }),
    );
    for (let n = 0; n < 14 && (await jobOf(good)).status !== 'completed'; n++) {
      // As if each took long to be given up.
      await pool.query(
        `UPDATE jobs SET aside_until = aside_until - interval '11 s' WHERE workspace_id = $1`,
        [workspaceId],
      );
      await work(workspaceId);
    }
    expect(await jobOf(good)).toMatchObject({ done: 3 });
  });

  test('is one of a hundred, and a job that could go on is still found', async () => {
    const workspaceId = await newWorkspace();
    for (let n = 0; n < 101; n++) await submit(workspaceId);
    await pool.query(`UPDATE jobs SET aside_until = now() - interval '1 s' WHERE workspace_id = $1`, [
      workspaceId,
    ]);
    const good = await submit(workspaceId);
    const kind = testKind({
      async prepare({ id }) {
        if (id !== good) throw new StorageFailure('away', 'later');
      },
    });
    await workWith(kind)(workspaceId);
    expect(await jobOf(good)).toMatchObject({ done: 1 });
  });

  test('is tried with two others at most by a run, which then enqueues a later one', async () => {
    const workspaceId = await newWorkspace();
    const jobIds: string[] = [];
    for (let n = 0; n < 4; n++) jobIds.push(await submit(workspaceId));
    const work = workWith(testKind({ effect: async () => 'held up' }));
    await forgetTurns();
    await work(workspaceId);
    const heldUp = async () =>
      (await pool.query('SELECT FROM jobs WHERE id = ANY($1) AND held_up_since IS NOT NULL', [jobIds]))
        .rowCount;
    expect(await heldUp()).toBe(3);
    const { rows } = await pool.query(
      'SELECT run_at > created_at AS waits FROM graphile_worker.jobs WHERE key = $1',
      [`${lane}:${workspaceId}`],
    );
    expect(rows).toEqual([{ waits: true }]);
    await work(workspaceId);
    expect(await heldUp()).toBe(4);
  });

  test('with nothing wrong waits for as long as it must', async () => {
    const workspaceId = await newWorkspace();
    const id = await submit(workspaceId);
    await pool.query(`UPDATE jobs SET held_up_since = now() - interval '2 hours' WHERE id = $1`, [id]);
    const work = workWith(testKind({ effect: async () => 'waiting' }));
    for (let n = 0; n < attemptsMax + 2; n++) await work(workspaceId);
    expect(await jobOf(id)).toMatchObject({ status: 'processing', attempts: 0, heldUpSince: null });
  });
});

test('a process that starts resumes what was left, and so does one that sees it stand still', async () => {
  const workspaceId = await newWorkspace();
  const id = await submit(workspaceId);
  await forgetTurns();
  const background = createBackground(logger);
  const resume = await startResume(pool, background);
  expect(await turnsOf(workspaceId)).toBe(1);
  await forgetTurns();
  await pool.query(`UPDATE jobs SET updated_at = now() - interval '1 min' WHERE id = $1`, [id]);
  await expect.poll(() => turnsOf(workspaceId), { timeout: 60_000 }).toBe(1);
  // It is counted after the look that found it.
  await expect.poll(() => resume.backlog().find(({ kind }) => kind === 'test')?.jobs).toBeGreaterThan(0);
  // Other tests count turns.
  await resume.close();
  await background.close();
});

test('the nightly task removes the turns of processes that were killed, and no other', async () => {
  await forgetTurns();
  const [killed, slow, waiting] = [await newWorkspace(), await newWorkspace(), await newWorkspace()];
  for (const workspaceId of [killed, slow, waiting]) await enqueueTurn(pool, { lane, workspaceId });
  const lock = (workspaceId: string, since: string) =>
    pool.query(
      `UPDATE graphile_worker._private_jobs SET locked_at = now() - $2::interval, locked_by = 'worker', attempts = 1 WHERE key = $1`,
      [`${lane}:${workspaceId}`, since],
    );
  await lock(killed, '5 hours');
  await lock(slow, '1 minute');
  // As the turn is enqueued again, that of the dead process loses its key, and its attempts are used up.
  await enqueueTurn(pool, { lane, workspaceId: killed });
  await enqueueTurn(pool, { lane, workspaceId: slow });
  const count = async () => (await pool.query('SELECT FROM graphile_worker.jobs')).rowCount;
  expect(await count()).toBe(5);
  await removeDeadTurns(pool);
  expect(await count()).toBe(4);
  expect(await Promise.all([killed, slow, waiting].map(turnsOf))).toEqual([1, 1, 1]);
});
