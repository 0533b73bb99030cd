/** Bulk operations with kinds of the tests' own, on a real PostgreSQL. */
import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ClientError } from '#shared/errors.ts';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../../deploy/testing/index.ts';
import type { Create } from '../../../api/idempotency/request.ts';
import { createWork } from '../../../jobs/work.ts';
import { createPool, type Pool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { createWorkspace } from '../../tenancy/store.ts';
import { principalOf } from '../testing/principal.ts';
import { createBulkJob } from './job.ts';
import { bulkKind, type Kind } from './kind.ts';
import { nightlyTask } from './nightly.ts';
import { createSealedBodies } from './sealed-body.ts';
import { bulkLane } from './store/operations.ts';
import {
  claimResult,
  listExpired,
  readResult,
  releaseResult,
  removeExpired,
  removeFetched,
} from './store/results.ts';
import { readRows, storeResults } from './store/rows.ts';
import { createSubmission } from './submission.ts';

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

const workWith = (kind: Kind, log = logger) => {
  const kinds = [createBulkJob({ pool, bodies, onRows: () => undefined }, kind)];
  const work = createWork({ pool, kinds, logger: log, onSlice: () => undefined });
  return (workspaceId: string) => work({ lane: bulkLane, workspaceId });
};

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
    'SELECT status, succeeded, failed FROM jobs JOIN bulk_operations USING (id) WHERE id = $1',
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
    const work = workWith(testKind(), counting);
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
    await pool.query(`UPDATE jobs SET held_up_since = held_up_since - interval '61 min' WHERE id = $1`, [
      bulkId,
    ]);
    await work(workspaceId);
    expect(await statusOf(bulkId)).toEqual({ status: 'completed', succeeded: 3, failed: 1 });
    expect((await resultsOf(bulkId))[0]!.result).toMatchObject({ status: 'failed', code: 'UNAVAILABLE' });
  });

  test('gives its quota back if it fails in the end', async () => {
    const workspaceId = await newWorkspace();
    const { subscriptionId } = await principalOf(pool, workspaceId);
    const bulkId = await submitRows(workspaceId, [{ what: 'busy' }, { what: 'busy' }]);
    await pool.query(
      `UPDATE bulk_operations SET quota = 'dynamicQr', period_start = '2027-01-01' WHERE id = $1`,
      [bulkId],
    );
    await pool.query(
      `INSERT INTO quota_usage (subscription_id, capability, period_start, used) VALUES ($1, 'dynamicQr', '2027-01-01', 5)`,
      [subscriptionId],
    );
    const used = async () =>
      (
        await pool.query(
          `SELECT used::integer FROM quota_usage WHERE subscription_id = $1 AND capability = 'dynamicQr'`,
          [subscriptionId],
        )
      ).rows[0].used;
    const work = workWith(testKind());
    await work(workspaceId);
    expect(await used()).toBe(5);
    await pool.query(`UPDATE jobs SET held_up_since = now() - interval '61 min' WHERE id = $1`, [bulkId]);
    await work(workspaceId);
    expect(await statusOf(bulkId)).toEqual({ status: 'completed', succeeded: 0, failed: 2 });
    expect(await used()).toBe(3);
  });

  test('loses no time while its operation waits behind others, nor while other rows of it are done', async () => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, [{ what: 'busy' }, ...plain(1)]);
    await pool.query(
      `UPDATE jobs SET created_at = now() - interval '2 h', held_up_since = now() - interval '2 h' WHERE id = $1`,
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

  test('is tried with two others at most by a run, which ends then', async () => {
    const workspaceId = await newWorkspace();
    for (let n = 0; n < 4; n++) await submitRows(workspaceId, [{ what: 'busy' }]);
    const work = workWith(testKind());
    await work(workspaceId);
    expect(slices.length).toBe(3);
    await work(workspaceId);
    const { rows } = await pool.query<{ held: number }>(
      'SELECT count(held_up_since)::integer AS held FROM jobs WHERE workspace_id = $1',
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

  test('fails as the database does: then its rows have no attempt more, and are tried again', async () => {
    const workspaceId = await newWorkspace();
    const bulkId = await submitRows(workspaceId, plain(3));
    const lost = testKind({
      async effect(tx) {
        await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
        return [];
      },
    });
    await workWith(lost)(workspaceId);
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

  test('fails with the operation if it fails again and again', async () => {
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
    expect([tries, (await statusOf(bulkId)).status]).toEqual([4, 'failed']);
  });
});

test('the nightly task removes results that were not fetched for 7 days, and forgets operations after 30', async () => {
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
    await pool.query('UPDATE jobs SET completed_at = now() - $2::interval WHERE id = $1', [bulkId, age]);
    return bulkId;
  };
  const [young, failing, old, ancient] = [
    await finished('6 days'),
    await finished('8 days'),
    await finished('8 days'),
    await finished('31 days'),
  ];
  await nightlyTask(pool, [kind], logger).run({});
  const rowsOf = async (id: string) => (await resultsOf(id)).length;
  expect(await Promise.all([young, failing, old, ancient].map(rowsOf))).toEqual([2, 2, 0, 0]);
  expect(removed).toEqual([old, ancient]);
  const { rows } = await pool.query<{ id: string; why: string | null }>(
    'SELECT id, removed_because AS why FROM jobs JOIN bulk_operations USING (id) WHERE id = ANY($1) ORDER BY seq',
    [[young, failing, old, ancient]],
  );
  expect(rows).toEqual([
    { id: young, why: null },
    { id: failing, why: null },
    { id: old, why: 'expired' },
  ]);
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
    await pool.query(`UPDATE jobs SET completed_at = now() - interval '8 days' WHERE id = $1`, [bulkId]);
    await claimResult(pool, bulkId, first, 60);
    const isListed = async () =>
      (await listExpired(pool, 'create', 7, '0')).some((operation) => operation.id === bulkId);
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

test('a row that has ended is worked on no more', async () => {
  const bulkId = await submitRows(await newWorkspace(), plain(2));
  await inTransaction(pool, (other) => storeResults(other, bulkId, [{ position: 0, result: {} }]));
  const waiting = await readRows(pool, bulkId, [0, 1]);
  expect(waiting.map(({ position }) => position)).toEqual([1]);
});
