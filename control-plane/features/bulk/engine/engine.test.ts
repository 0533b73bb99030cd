/** The engine, with kinds of the tests' own, on a real PostgreSQL. */
import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ClientError } from '#shared/errors.ts';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../../deploy/testing/index.ts';
import type { Create } from '../../../creation/creation-request.ts';
import { createPool, type Pool } from '../../../db/pool.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createBackground } from '../../../jobs/background.ts';
import { createWorkspace } from '../../tenancy/store.ts';
import { principalOf } from '../testing/principal.ts';
import { bulkKind, type Kind } from './kind.ts';
import { nightlyJob } from './nightly.ts';
import { enqueue } from './queue.ts';
import { startResume } from './resume.ts';
import { createSealedBodies } from './sealed-body.ts';
import { listStalled } from './store/operations.ts';
import {
  claimResult,
  listExpired,
  readResult,
  releaseResult,
  removeExpired,
  removeFetched,
} from './store/results.ts';
import { lockRows, storeResults } from './store/rows.ts';
import { createSubmission } from './submission.ts';
import { createWork } from './work.ts';

const logger = createLogger('test', 'silent');
const bodies = createSealedBodies(randomBytes(32));
const submit = createSubmission({ bodies, consumeQuota: async () => undefined });
let pool: Pool;

beforeAll(async () => {
  pool = createPool(await createTestDatabase(), 'test', logger, 8);
  afterFile(() => pool.end());
});

const create: Create = async ({ prepare, effect }) => {
  const prepared = await prepare();
  return inTransaction(pool, (tx) => effect(tx, prepared, () => undefined));
};

interface Body {
  what?: 'throws' | 'busy';
  text?: string;
}

/** Sizes of the slices that were prepared. */
let slices: number[] = [];
beforeEach(() => {
  slices = [];
});

const testKind = (more: Partial<Kind<number>> = {}): Kind =>
  bulkKind<number>({
    name: 'create',
    sliceRowsMax: 20,
    async prepare(_, rows) {
      slices.push(rows.length);
      if (rows.some(({ body }) => (body as Body).what === 'throws')) throw new Error('a fault of ours');
      return rows.map(({ body, position }) => {
        if ((body as Body).what === 'busy') return { error: new ClientError('UNAVAILABLE', 'later') };
        return { value: position };
      });
    },
    async effect(_, __, prepared) {
      return prepared.map(({ value }) => ({ status: 'created', id: String(value) }));
    },
    ...more,
  });

/** Its preparation counts the rows, and waits until it is let go. */
const gatedKind = () => {
  const begun = { rows: 0 };
  const gate = Promise.withResolvers<void>();
  const kind = testKind({
    async prepare(_, rows) {
      begun.rows += rows.length;
      await gate.promise;
      return rows.map(({ position }) => ({ value: position }));
    },
  });
  return { kind, begun, letGo: gate.resolve };
};

const workOptions = { bodies, logger, onRows: () => undefined, onSlice: () => undefined };

const workWith = (kind: Kind) => createWork({ ...workOptions, pool, kinds: [kind] });

const newWorkspace = async (): Promise<string> =>
  (await createWorkspace(pool, 'test', 'enterprise')).workspaceId;

const submitRows = async (workspaceId: string, rows: Body[]): Promise<string> => {
  const principal = await principalOf(pool, workspaceId);
  const { body } = await submit({
    principal,
    create,
    kind: 'create',
    rows: rows.map((each, n) => ({ uid: `row ${n}`, bodyOf: () => each })),
    locationOf: (id) => id,
  });
  return (body as { bulkId: string }).bulkId;
};

const plain = (count: number): Body[] => Array.from({ length: count }, () => ({}));

const statusOf = async (bulkId: string) => {
  const { rows } = await pool.query<{ status: string; succeeded: number; failed: number }>(
    'SELECT status, succeeded, failed FROM bulk_operations WHERE id = $1',
    [bulkId],
  );
  return rows[0]!;
};

const resultsOf = async (bulkId: string) => {
  const { rows } = await pool.query<{ result: { status: string; code?: string } | null; attempts: number }>(
    'SELECT result, attempts FROM bulk_rows WHERE bulk_id = $1 ORDER BY position',
    [bulkId],
  );
  return rows;
};

const forgetJobs = () =>
  pool.query('SELECT graphile_worker.complete_jobs(ARRAY(SELECT id FROM graphile_worker.jobs))');

const jobsOf = async (workspaceId: string): Promise<number> => {
  const { rowCount } = await pool.query(`SELECT FROM graphile_worker.jobs WHERE key = $1`, [
    `bulk:${workspaceId}`,
  ]);
  return rowCount ?? 0;
};

describe('a row that fails for a reason of ours', () => {
  test('is tried again in smaller slices, and costs itself', async () => {
    const workspaceId = await newWorkspace();
    const rows = plain(40);
    rows[7] = { what: 'throws' };
    const bulkId = await submitRows(workspaceId, rows);
    const work = workWith(testKind());
    while ((await statusOf(bulkId)).status !== 'completed') await work(workspaceId);
    expect(await statusOf(bulkId)).toEqual({ status: 'completed', succeeded: 39, failed: 1 });
    const results = await resultsOf(bulkId);
    expect(results[7]!.result).toMatchObject({ status: 'failed', code: 'INTERNAL' });
    expect(results.filter(({ result }) => result?.status === 'created').length).toBe(39);
    // The whole slice, the rest, then by two, then the two of the poisonous slice alone.
    expect(slices[0]).toBe(20);
    expect(slices.filter((size) => size === 1).length).toBeLessThanOrEqual(4);
  });

  test('is logged once in a while, not with each slice', async () => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, Array(8).fill({ what: 'throws' }));
    let lines = 0;
    const counting = Object.assign(Object.create(logger), { error: () => lines++ });
    const work = createWork({ ...workOptions, logger: counting, pool, kinds: [testKind()] });
    while ((await statusOf(bulkId)).status !== 'completed') await work(workspaceId);
    expect(slices.length).toBeGreaterThan(10);
    expect(lines).toBeLessThan(4);
  });

  test('that has ended the process each time is given up, too', async () => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, plain(2));
    await pool.query('UPDATE bulk_rows SET attempts = 4 WHERE bulk_id = $1 AND position = 1', [bulkId]);
    const work = workWith(testKind());
    for (let n = 0; n < 2; n++) await work(workspaceId);
    expect(await statusOf(bulkId)).toEqual({ status: 'completed', succeeded: 1, failed: 1 });
    expect((await resultsOf(bulkId))[1]!.result).toMatchObject({ status: 'failed', code: 'INTERNAL' });
    expect(slices).toEqual([1]);
  });

  test('and cannot be opened, as after a change of SECRET_KEY, is given up', async () => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, plain(2));
    await pool.query(`UPDATE bulk_rows SET body = '\\x00112233' WHERE bulk_id = $1 AND position = 0`, [
      bulkId,
    ]);
    const work = workWith(testKind());
    for (let n = 0; n < 10; n++) await work(workspaceId);
    expect(await statusOf(bulkId)).toEqual({ status: 'completed', succeeded: 1, failed: 1 });
  });
});

describe('a row that is to be tried again later', () => {
  test('goes on waiting, counts no attempt and holds up no other', async () => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, [{ what: 'busy' }, ...plain(3)]);
    const work = workWith(testKind());
    for (let n = 0; n < 6; n++) {
      // The queue has taken the job that it works on.
      await forgetJobs();
      await work(workspaceId);
    }
    expect(await statusOf(bulkId)).toEqual({ status: 'processing', succeeded: 3, failed: 0 });
    expect((await resultsOf(bulkId))[0]).toEqual({ result: null, attempts: 0 });
    const { rows } = await pool.query<{ waits: boolean }>(
      'SELECT run_at > created_at AS waits FROM graphile_worker.jobs WHERE key = $1',
      [`bulk:${workspaceId}`],
    );
    expect(rows).toEqual([{ waits: true }]);
    await work(workspaceId);
    expect(await statusOf(bulkId)).toEqual({ status: 'processing', succeeded: 3, failed: 0 });
    await pool.query(
      `UPDATE bulk_operations SET held_up_since = held_up_since - interval '61 min' WHERE id = $1`,
      [bulkId],
    );
    await work(workspaceId);
    expect(await statusOf(bulkId)).toEqual({ status: 'completed', succeeded: 3, failed: 1 });
    expect((await resultsOf(bulkId))[0]!.result).toMatchObject({ status: 'failed', code: 'UNAVAILABLE' });
  });

  test('loses no time while its operation waits behind others, nor while other rows of it are done', async () => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, [{ what: 'busy' }, ...plain(1)]);
    await pool.query(
      `UPDATE bulk_operations SET created_at = now() - interval '2 h', held_up_since = now() - interval '2 h' WHERE id = $1`,
      [bulkId],
    );
    const work = workWith(testKind());
    for (let n = 0; n < 3; n++) await work(workspaceId);
    expect(await statusOf(bulkId)).toEqual({ status: 'processing', succeeded: 1, failed: 0 });
  });
});

describe('an operation of which nothing can be done', () => {
  test('keeps no later one of its workspace waiting, with its rows or its last step', async () => {
    const workspaceId = await newWorkspace();
    const rowsWait = await submitRows(workspaceId, [{ what: 'busy' }]);
    const stepWaits = await submitRows(workspaceId, plain(1));
    const kind = testKind({
      async complete({ id }) {
        if (id === stepWaits) throw new ClientError('UNAVAILABLE', 'away');
      },
    });
    const work = workWith(kind);
    for (let n = 0; n < 4; n++) await work(workspaceId);
    const other = await submitRows(workspaceId, plain(30));
    slices = [];
    for (let n = 0; n < 3; n++) await work(workspaceId);
    expect((await statusOf(other)).status).toBe('completed');
    // What was tried just now goes after all others.
    expect(slices).toEqual([20, 10]);
    for (const held of [rowsWait, stepWaits]) expect((await statusOf(held)).status).toBe('processing');
    await forgetJobs();
    await work(workspaceId);
    expect(await jobsOf(workspaceId)).toBe(1);
  });

  test('is tried with one other at most by a job, which ends then', async () => {
    const workspaceId = await newWorkspace();
    for (let n = 0; n < 4; n++) await submitRows(workspaceId, [{ what: 'busy' }]);
    const work = workWith(testKind());
    await work(workspaceId);
    expect(slices.length).toBe(2);
    await work(workspaceId);
    const { rows } = await pool.query<{ held: number }>(
      'SELECT count(held_up_since)::integer AS held FROM bulk_operations WHERE workspace_id = $1',
      [workspaceId],
    );
    expect(rows).toEqual([{ held: 4 }]);
  });
});

describe('a slice', () => {
  test('has so many rows as the kind allows, and so many bytes', async () => {
    const workspaceId = await newWorkspace();
    const large = { text: 'x'.repeat(2_500_000) };
    const bulkId = await submitRows(workspaceId, [...plain(45), large, large]);
    const work = workWith(testKind());
    while ((await statusOf(bulkId)).status !== 'completed') await work(workspaceId);
    expect(slices).toEqual([20, 20, 6, 1]);
  });

  test('is the only one of its workspace: a second job ends and enqueues nothing, and none is added while it goes on', async () => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, plain(40));
    await forgetJobs();
    const { kind, begun, letGo } = gatedKind();
    const work = workWith(kind);
    const first = work(workspaceId);
    await expect.poll(() => begun.rows).toBe(20);
    await work(workspaceId);
    await pool.query(`UPDATE bulk_operations SET updated_at = now() - interval '1 min' WHERE id = $1`, [
      bulkId,
    ]);
    expect(await listStalled(pool, 5)).not.toContain(workspaceId);
    expect([begun.rows, await jobsOf(workspaceId)]).toEqual([20, 0]);
    letGo();
    await first;
    expect([await statusOf(bulkId), await jobsOf(workspaceId)]).toMatchObject([{ succeeded: 20 }, 1]);
    await work(workspaceId);
    expect((await statusOf(bulkId)).status).toBe('completed');
  });

  test('whose process is cut off leaves the turn of its workspace to another at once', async () => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, plain(2));
    const { kind, begun, letGo } = gatedKind();
    const cut = Promise.allSettled([workWith(kind)(workspaceId)]);
    await expect.poll(() => begun.rows).toBe(2);
    await pool.query(
      // Told to end, and gone: its lock ends with it.
      `SELECT pg_terminate_backend(pid, 9000) FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'idle in transaction'`,
    );
    await workWith(testKind())(workspaceId);
    expect(await statusOf(bulkId)).toEqual({ status: 'completed', succeeded: 2, failed: 0 });
    letGo();
    expect(await cut).toMatchObject([{ status: 'rejected' }]);
  });

  test('works on the rows whose attempt it could count, and takes back no other', async () => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, [{ what: 'busy' }, { what: 'busy' }]);
    const other = await pool.connect();
    // Somebody else has a row from the moment in which it was chosen until it is locked.
    const contended: Pool = Object.assign(Object.create(pool), {
      query: async (...given: Parameters<Pool['query']>) => {
        const { name } = given[0] as unknown as { name: string };
        const isCounting = name === 'count-bulk-attempt';
        if (isCounting) {
          await other.query('BEGIN');
          await other.query('SELECT FROM bulk_rows WHERE bulk_id = $1 AND position = 0 FOR UPDATE', [bulkId]);
        }
        const answer = await pool.query(...given);
        if (isCounting) await other.query('ROLLBACK');
        return answer;
      },
    });
    await createWork({ ...workOptions, pool: contended, kinds: [testKind()] })(workspaceId);
    other.release();
    expect(slices).toEqual([1]);
    expect((await resultsOf(bulkId)).map(({ attempts }) => attempts)).toEqual([0, 0]);
  });

  test('stores results with whatever text: what PostgreSQL does not take is replaced', async () => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, plain(1));
    const warnings = ['a\ud800b', 'a\0b', 'a\\u0000b'];
    await workWith(testKind({ effect: async () => [{ status: 'created', warnings }] }))(workspaceId);
    expect((await resultsOf(bulkId))[0]!.result).toEqual({
      status: 'created',
      warnings: ['a\ufffdb', 'a\ufffdb', 'a\\u0000b'],
    });
  });

  test('enqueues the next one in its own transaction, and one job waits for a workspace', async () => {
    const workspaceId = await newWorkspace();
    await submitRows(workspaceId, plain(30));
    await submitRows(workspaceId, plain(30));
    expect(await jobsOf(workspaceId)).toBe(1);
    await forgetJobs();
    expect(await jobsOf(workspaceId)).toBe(0);
    await workWith(testKind())(workspaceId);
    expect(await jobsOf(workspaceId)).toBe(1);
  });

  test('fails as the database does: then its rows have no attempt more, and the queue tries again', async () => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, plain(3));
    const lost = testKind({
      async effect(tx) {
        await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
        return [];
      },
    });
    await expect(workWith(lost)(workspaceId)).rejects.toThrow();
    expect((await resultsOf(bulkId)).map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
    // The connection that was lost may hold the workspace's turn for a moment more.
    const work = workWith(testKind());
    while ((await statusOf(bulkId)).status !== 'completed') await work(workspaceId);
    expect(await statusOf(bulkId)).toEqual({ status: 'completed', succeeded: 3, failed: 0 });
  });
});

describe('the last step of a kind that has one', () => {
  test('comes once all rows are done, and before the operation is completed', async () => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, plain(3));
    const statuses: string[] = [];
    const kind = testKind({
      async complete({ id }) {
        statuses.push((await statusOf(id)).status);
      },
    });
    const work = workWith(kind);
    for (let n = 0; n < 3; n++) await work(workspaceId);
    expect(statuses).toEqual(['processing']);
    expect((await statusOf(bulkId)).status).toBe('completed');
  });

  test('is tried three times; then the operation has failed', async () => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, plain(3));
    let tries = 0;
    const kind = testKind({
      async complete() {
        tries++;
        throw new Error('no room');
      },
    });
    const work = workWith(kind);
    for (let n = 0; n < 8; n++) await work(workspaceId);
    expect([tries, (await statusOf(bulkId)).status]).toEqual([3, 'failed']);
  });

  test('outlives nine ends of its process, and the loss of the database as often as it comes', async () => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, plain(1));
    let lost = 0;
    const kind = testKind({
      async complete() {
        if (++lost <= 12) throw Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' });
      },
    });
    const work = workWith(kind);
    await work(workspaceId);
    for (let n = 0; n < 12; n++) await expect(work(workspaceId)).rejects.toThrow('was lost');
    // Each has counted its attempt, and never came to its end.
    await pool.query('UPDATE bulk_operations SET completions = 9 WHERE id = $1', [bulkId]);
    await work(workspaceId);
    expect((await statusOf(bulkId)).status).toBe('completed');
    const poisonous = await submitRows(workspaceId, plain(1));
    await work(workspaceId);
    await pool.query('UPDATE bulk_operations SET completions = 10 WHERE id = $1', [poisonous]);
    await work(workspaceId);
    expect((await statusOf(poisonous)).status).toBe('failed');
  });

  test('waits for an hour where something is away, however long ago the operation was submitted', async () => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, plain(1));
    const age = (column: 'created_at' | 'held_up_since') =>
      pool.query(`UPDATE bulk_operations SET ${column} = ${column} - interval '61 min' WHERE id = $1`, [
        bulkId,
      ]);
    await age('created_at');
    const kind = testKind({
      async complete() {
        throw new ClientError('UNAVAILABLE', 'away');
      },
    });
    const work = workWith(kind);
    for (let n = 0; n < 6; n++) await work(workspaceId);
    expect((await statusOf(bulkId)).status).toBe('processing');
    await age('held_up_since');
    for (let n = 0; n < 4; n++) await work(workspaceId);
    expect((await statusOf(bulkId)).status).toBe('failed');
  });
});

test('a process that starts goes on with what was left, and so does one that sees it stand still', async () => {
  const workspaceId = await newWorkspace();
  const bulkId = await submitRows(workspaceId, plain(3));
  await forgetJobs();
  const background = createBackground(logger);
  const resume = await startResume(pool, background);
  expect(await jobsOf(workspaceId)).toBe(1);
  await forgetJobs();
  await pool.query(`UPDATE bulk_operations SET updated_at = now() - interval '1 min' WHERE id = $1`, [
    bulkId,
  ]);
  await expect.poll(() => jobsOf(workspaceId), { timeout: 60_000 }).toBe(1);
  // It is counted after the look that found it.
  await expect.poll(() => resume.backlog.operations, { timeout: 60_000 }).toBeGreaterThan(0);
  // Other tests count jobs.
  await resume.close();
  await background.close();
});

test('the nightly job removes results that nobody has fetched in 7 days, and forgets operations after 30', async () => {
  const workspaceId = await newWorkspace();
  const removed: string[] = [];
  const kind = testKind({
    async remove({ id }) {
      if (id === failing) throw new Error('the storage is away');
      removed.push(id);
    },
  });
  const work = workWith(kind);
  const finished = async (age: string): Promise<string> => {
    const bulkId = await submitRows(workspaceId, plain(2));
    while ((await statusOf(bulkId)).status !== 'completed') await work(workspaceId);
    await pool.query('UPDATE bulk_operations SET completed_at = now() - $2::interval WHERE id = $1', [
      bulkId,
      age,
    ]);
    return bulkId;
  };
  const [young, failing, old, ancient] = [
    await finished('6 days'),
    await finished('8 days'),
    await finished('8 days'),
    await finished('31 days'),
  ];
  await nightlyJob(pool, [kind], logger).run({});
  const rowsOf = async (id: string) => (await resultsOf(id)).length;
  expect(await Promise.all([young, failing, old, ancient].map(rowsOf))).toEqual([2, 2, 0, 0]);
  expect(removed).toEqual([old, ancient]);
  const { rows } = await pool.query<{ id: string; why: string | null }>(
    'SELECT id, removed_because AS why FROM bulk_operations WHERE id = ANY($1) ORDER BY seq',
    [[young, failing, old, ancient]],
  );
  expect(rows).toEqual([
    { id: young, why: null },
    { id: failing, why: null },
    { id: old, why: 'expired' },
  ]);
});

test('the nightly job removes the jobs of processes that were killed, and no other', async () => {
  await forgetJobs();
  const [killed, slow, waiting] = [await newWorkspace(), await newWorkspace(), await newWorkspace()];
  for (const workspaceId of [killed, slow, waiting]) await enqueue(pool, workspaceId);
  const lock = (workspaceId: string, since: string) =>
    pool.query(
      `UPDATE graphile_worker._private_jobs SET locked_at = now() - $2::interval, locked_by = 'worker', attempts = 1 WHERE key = $1`,
      [`bulk:${workspaceId}`, since],
    );
  await lock(killed, '5 hours');
  await lock(slow, '1 minute');
  // As the job is enqueued again, that of the dead process loses its key, and its attempts are used up.
  await enqueue(pool, killed);
  await enqueue(pool, slow);
  const count = async () => (await pool.query('SELECT FROM graphile_worker.jobs')).rowCount;
  expect(await count()).toBe(5);
  await nightlyJob(pool, [], logger).run({});
  expect(await count()).toBe(4);
  expect(await Promise.all([killed, slow, waiting].map(jobsOf))).toEqual([1, 1, 1]);
});

describe('a fetch of a result', () => {
  const finished = async (): Promise<string> => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, plain(2));
    await workWith(testKind())(workspaceId);
    return bulkId;
  };
  const [first, second] = [randomUUID(), randomUUID()];

  test('that outlives its claim neither removes the result nor gives up the claim of another', async () => {
    const bulkId = await finished();
    expect(await claimResult(pool, bulkId, first, 0)).toBe(true);
    expect(await claimResult(pool, bulkId, second, 60)).toBe(true);
    await removeFetched(pool, bulkId, first);
    await releaseResult(pool, bulkId, first);
    expect(await readResult(pool, bulkId)).toHaveLength(2);
    expect(await claimResult(pool, bulkId, first, 60)).toBe(false);
    await removeFetched(pool, bulkId, second);
    expect(await readResult(pool, bulkId)).toEqual([]);
  });

  test('keeps an old result from the nightly job', async () => {
    const bulkId = await finished();
    await pool.query(`UPDATE bulk_operations SET completed_at = now() - interval '8 days' WHERE id = $1`, [
      bulkId,
    ]);
    await claimResult(pool, bulkId, first, 60);
    const isListed = async () =>
      (await listExpired(pool, 'create', 7, 0)).some((operation) => operation.id === bulkId);
    expect(await isListed()).toBe(false);
    // As where the fetch begins after the list was read.
    await removeExpired(pool, bulkId);
    expect(await readResult(pool, bulkId)).toHaveLength(2);
    await releaseResult(pool, bulkId, first);
    expect(await isListed()).toBe(true);
    await removeExpired(pool, bulkId);
    expect(await readResult(pool, bulkId)).toEqual([]);
  });
});

test('sealed rows that change places in the database are opened no more', async () => {
  const workspaceId = await newWorkspace();
  const bulkId = await submitRows(workspaceId, [{ text: 'first' }, { text: 'second' }]);
  await pool.query(
    `UPDATE bulk_rows a SET body = b.body FROM bulk_rows b
     WHERE a.bulk_id = $1 AND b.bulk_id = $1 AND a.position = 1 - b.position`,
    [bulkId],
  );
  const work = workWith(testKind());
  while ((await statusOf(bulkId)).status !== 'completed') await work(workspaceId);
  expect(await statusOf(bulkId)).toEqual({ status: 'completed', succeeded: 0, failed: 2 });
});

test('a row that another process has finished since it was chosen is worked on no more', async () => {
  const bulkId = await submitRows(await newWorkspace(), plain(2));
  await inTransaction(pool, (other) => storeResults(other, bulkId, [{ position: 0, result: {} }]));
  const locked = await inTransaction(pool, (tx) => lockRows(tx, bulkId, [0, 1]));
  expect(locked.map(({ position }) => position)).toEqual([1]);
});

test('rows that one transaction has are no other one’s, and it does not wait for them', async () => {
  const bulkId = await submitRows(await newWorkspace(), plain(3));
  await inTransaction(pool, async (tx) => {
    expect(await lockRows(tx, bulkId, [0, 1])).toHaveLength(2);
    const others = await inTransaction(pool, (other) => lockRows(other, bulkId, [0, 1, 2]));
    expect(others.map(({ position }) => position)).toEqual([2]);
  });
});
