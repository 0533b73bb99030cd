/** Minting, by the API. */
import { beforeAll, describe, expect, test } from 'vitest';
import { mintAnswer } from '#schemas/api/serialized.ts';
import { createSerialKeys } from '#shared/serial-keys.ts';
import { createSerialSignatures } from '#shared/serial-signatures.ts';
import { enqueueTurn, takeTurn } from '../../../jobs/turns.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import {
  errorBody,
  qrHost,
  secretKey,
  startTestControlPlane,
  type TestControlPlane,
} from '../../../testing/control-plane.ts';
import { changeSubscription } from '../../tenancy/store.ts';
import { addPurchased } from '../store/quotas.ts';
import {
  atPosition,
  batchesPath,
  batchOf,
  ended,
  failSoon,
  jobOf,
  mint,
  minted,
  quotaOf,
  replaceAtPosition,
  storedItems,
  whole,
} from '../testing/mints.ts';
import { mintJobs, sliceItems } from './kind.ts';

let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane();
});

const uses = async (subscriptionId: string, purchased: number, used: number) => {
  await addPurchased(plane.pool, subscriptionId, purchased);
  await plane.pool.query('UPDATE serialized_quotas SET minted = $2 WHERE subscription_id = $1', [
    subscriptionId,
    used,
  ]);
};

describe('a mint', () => {
  test('is accepted with 202, and its job writes every item once', async () => {
    const { call } = await plane.workspace();
    const answer = await call('POST', batchesPath, {
      batchName: 'Spring drop',
      count: 12,
      productSku: 'SNK-042',
      productName: 'Trail runner 42',
      gtin: '9506000134352',
      brandName: 'Example Shoes',
    });
    expect(answer.status).toBe(202);
    const { jobId, batchId, count } = mintAnswer.strict().parse(answer.body);
    expect([jobId, batchId, count]).toEqual([
      expect.stringMatching(/^sjob_\w{16}$/),
      expect.stringMatching(/^batch_\w{16}$/),
      12,
    ]);
    expect(answer.headers.get('location')).toMatch(new RegExp(`${batchesPath}/jobs/${jobId}$`));
    expect(await ended(call, jobId)).toEqual({
      jobId,
      jobType: 'mint',
      status: 'completed',
      count: 12,
      itemsWritten: 12,
      batchId,
      imageFormat: null,
      resultReady: true,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    expect(await storedItems(plane.pool, batchId)).toEqual(whole(12));
    const { items, nextCursor, ...summary } = await batchOf(call, batchId);
    expect(summary).toEqual({
      batchId,
      batchName: 'Spring drop',
      count: 12,
      scanned: 0,
      status: 'completed',
      productSku: 'SNK-042',
      productName: 'Trail runner 42',
      gtin: '09506000134352',
      createdAt: expect.any(Number),
      brandName: 'Example Shoes',
    });
    expect([items.length, nextCursor]).toEqual([12, null]);
  });

  test('gives each item an address that verifies, and that no other item has', async () => {
    const { call } = await plane.workspace();
    const { batchId } = await minted(call);
    const signatures = createSerialSignatures(createSerialKeys({ secretKey, serialKeys: undefined }));
    const { items } = await batchOf(call, batchId);
    for (const item of items) {
      const [, itemId = '', signature = ''] = /\/v\/(\w{12})\/(\w{16})$/.exec(item.url) ?? [];
      expect(item).toEqual({
        itemId,
        url: `${qrHost}/v/${itemId}/${signature}`,
        productSku: null,
        productName: null,
        scanCount: 0,
        firstScannedAt: null,
        firstScanCountry: null,
      });
      expect(signatures.check(itemId, signature)).toBe('genuine');
    }
    expect(new Set(items.map(({ url }) => url)).size).toBe(3);
  });

  test.each([
    [{ count: 3 }, 400, 'batchName is required'],
    [{ batchName: 'x' }, 400, 'count is required'],
    [{ batchName: 'x', count: '3' }, 400, 'count must be a number'],
    [{ batchName: 'x', count: 0 }, 422, 'count must be a whole number from 1 to 50000'],
    [{ batchName: 'x', count: 50_001 }, 422, 'count must be a whole number from 1 to 50000'],
    [{ batchName: 'x', count: 1.5 }, 422, 'count must be a whole number from 1 to 50000'],
    [{ batchName: ' ', count: 1 }, 422, 'batchName must have a visible character'],
    [{ batchName: 'x'.repeat(121), count: 1 }, 422, 'batchName must have at most 120 characters'],
    [{ batchName: 'x', count: 1, productSku: 'x'.repeat(201) }, 422, 'productSku must have at most 200'],
    [{ batchName: 'x', count: 1, productName: 'x'.repeat(201) }, 422, 'productName must have at most 200'],
    [{ batchName: 'x', count: 1, brandName: 'x'.repeat(201) }, 422, 'brandName must have at most 200'],
    [{ batchName: 'x', count: 1, gtin: '9506000134353' }, 422, 'gtin must end in the check digit'],
    [{ batchName: 'x', count: 1, gtin: '0000000000000' }, 422, 'gtin must have a digit that is not 0'],
    [{ batchName: 'x', count: 1, gtin: 'x'.repeat(201) }, 422, 'gtin must be a GTIN'],
    [{ batchName: 'x', count: 1, colour: 'red' }, 400, 'colour is not a known field'],
  ])('of %j is refused with %i', async (body, status, message) => {
    const { call } = await plane.workspace();
    const answer = await call('POST', batchesPath, body);
    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(message) } });
    expect(await quotaOf(call)).toMatchObject({ minted: 0 });
  });

  test('takes an empty text and null for a field that is not given', async () => {
    const { call } = await plane.workspace();
    const { batchId } = await mint(call, { productSku: '', productName: null, gtin: '', brandName: '' });
    expect(await batchOf(call, batchId)).toMatchObject({ productSku: null, productName: null, gtin: null });
  });

  test('needs the plan Business; every plan shows its quota', async () => {
    const { call } = await plane.workspace({ plan: 'growth' });
    expect(await call('POST', batchesPath, { batchName: 'x', count: 1 })).toMatchObject({
      status: 403,
      body: { code: 'FEATURE_NOT_ON_PLAN', capability: 'serializedQR', plans: ['business', 'enterprise'] },
    });
    expect(await quotaOf(call)).toEqual({
      serializedEnabled: false,
      apiName: 'serializedQR',
      allotment: 0,
      purchased: 0,
      minted: 0,
      total: 0,
      remaining: 0,
    });
  });
});

test('after a downgrade the owner still reads a batch and exports its items and pictures, and sets its notice, and changes nothing else', async () => {
  const { call, workspaceId } = await plane.workspace({ plan: 'business' });
  const { batchId, jobId } = await minted(call, { count: 2 });
  await changeSubscription(plane.pool, workspaceId, { plan: 'growth' });
  const one = `${batchesPath}/${batchId}`;
  const refused = { status: 403, body: { code: 'FEATURE_NOT_ON_PLAN' } };
  await expect.poll(() => call('POST', batchesPath, { batchName: 'x', count: 1 })).toMatchObject(refused);
  for (const body of [{ batchName: 'y' }, { batchName: 'y', notice: 'recalled' }, {}])
    expect(await call('PATCH', one, body)).toMatchObject(refused);
  const recalled = await call('PATCH', one, { notice: 'recalled' });
  expect(recalled).toMatchObject({ status: 200, body: { notice: 'recalled' } });
  expect((await call('PATCH', one, { notice: null })).body).not.toHaveProperty('notice');
  const layout = { page: { widthMm: 30, heightMm: 40 }, columns: 1, rows: 1 };
  for (const [method, path, body, status] of [
    ['GET', batchesPath, undefined, 200],
    ['GET', one, undefined, 200],
    ['GET', `${batchesPath}/jobs/${jobId}`, undefined, 200],
    ['GET', `${one}/items.csv`, undefined, 200],
    ['GET', `${one}/labels.csv`, undefined, 200],
    ['POST', `${one}/images`, {}, 202],
    ['POST', `${one}/sheets`, { layout }, 202],
  ] as const)
    expect((await call(method, path, body)).status, `${method} ${path}`).toBe(status);
});

describe('with an Idempotency-Key', () => {
  const body = { batchName: 'Spring drop', count: 3 };

  test('a retry has the same job, also once it is completed, and another body is refused with 409', async () => {
    const { call } = await plane.workspace();
    const key = { 'idempotency-key': 'order 4711' };
    const first = await call('POST', batchesPath, body, key);
    await ended(call, mintAnswer.parse(first.body).jobId);
    const again = await call('POST', batchesPath, body, key);
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await call('POST', batchesPath, { ...body, count: 4 }, key)).toMatchObject({
      status: 409,
      body: { error: 'Idempotency-Key was used before, for a different request', code: 'CONFLICT' },
    });
    expect(await quotaOf(call)).toMatchObject({ minted: 3 });
  });

  test('a retry weeks later has the same job', async () => {
    const { call, workspaceId } = await plane.workspace();
    const key = { 'idempotency-key': 'order 4712' };
    const first = await call('POST', batchesPath, body, key);
    await plane.pool.query(
      `UPDATE idempotent_answers SET created_at = now() - interval '50 days' WHERE workspace_id = $1`,
      [workspaceId],
    );
    await plane.pool.query('SELECT graphile_worker.add_job($1)', ['sweep-creations']);
    const waiting = async () =>
      (await plane.pool.query(`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'sweep-creations'`))
        .rowCount;
    await expect.poll(waiting).toBe(0);
    expect((await call('POST', batchesPath, body, key)).body).toEqual(first.body);
  });

  test('it has up to 200 characters', async () => {
    const { call } = await plane.workspace();
    const send = (length: number) =>
      call('POST', batchesPath, body, { 'idempotency-key': 'x'.repeat(length) });
    expect(await send(200)).toMatchObject({ status: 202 });
    expect(await send(201)).toMatchObject({
      status: 400,
      body: { error: 'Idempotency-Key must have 1 to 200 characters; given: 201' },
    });
  });

  test('twins at the same moment have one job', async () => {
    const { call } = await plane.workspace();
    const key = { 'idempotency-key': 'twins' };
    const answers = await Promise.all(Array.from({ length: 12 }, () => call('POST', batchesPath, body, key)));
    expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body]))).size).toBe(1);
    expect(answers[0]!.status).toBe(202);
    expect(await quotaOf(call)).toMatchObject({ minted: 3 });
  });

  test('a mint that is refused has not spent it', async () => {
    const { call, subscriptionId } = await plane.workspace({ plan: 'business' });
    await uses(subscriptionId, 0, 9_999);
    const key = { 'idempotency-key': 'order 4713' };
    expect((await call('POST', batchesPath, body, key)).status).toBe(402);
    await addPurchased(plane.pool, subscriptionId, 1_000);
    expect((await call('POST', batchesPath, body, key)).status).toBe(202);
  });
});

describe('the quota', () => {
  test('is what the plan has and what was bought, less what is minted', async () => {
    const { call, subscriptionId } = await plane.workspace({ plan: 'business' });
    await addPurchased(plane.pool, subscriptionId, 1_000);
    await mint(call, { count: 7 });
    expect(await quotaOf(call)).toEqual({
      serializedEnabled: true,
      apiName: 'serializedQR',
      allotment: 10_000,
      purchased: 1_000,
      minted: 7,
      total: 11_000,
      remaining: 10_993,
    });
    const enterprise = await plane.workspace();
    expect(await quotaOf(enterprise.call)).toMatchObject({ allotment: 1_000_000, remaining: 1_000_000 });
  });

  test('refuses a count that exceeds what remains with 402, naming both, and what just fits is minted', async () => {
    const { call, subscriptionId } = await plane.workspace({ plan: 'business' });
    await uses(subscriptionId, 500, 10_400);
    const refused = await call('POST', batchesPath, { batchName: 'x', count: 101 });
    expect(refused.status).toBe(402);
    expect(errorBody.parse(refused.body)).toMatchObject({
      error: 'count must be at most what remains of the quota: 100 of 10500 items remain; given: 101',
      code: 'ALLOTMENT_EXCEEDED',
      capability: 'serializedQR',
      limit: 10_500,
      used: 10_400,
      requested: 101,
      fits: 100,
    });
    await mint(call, { count: 100 });
    expect(await quotaOf(call)).toMatchObject({ remaining: 0 });
    expect((await call('POST', batchesPath, { batchName: 'x', count: 1 })).status).toBe(402);
  });

  test('is exact under concurrent mints', async () => {
    const { call, subscriptionId } = await plane.workspace({ plan: 'business' });
    await uses(subscriptionId, 0, 9_900);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => call('POST', batchesPath, { batchName: `${n}`, count: 9 })),
    );
    const accepted = answers.filter(({ status }) => status === 202);
    expect([accepted.length, answers.filter(({ status }) => status === 402).length]).toEqual([11, 5]);
    expect(await quotaOf(call)).toMatchObject({ minted: 9_999, remaining: 1 });
    for (const { body } of accepted) await ended(call, mintAnswer.parse(body).jobId);
    const { rows } = await plane.pool.query<{ items: number }>(
      `SELECT count(*)::integer AS items FROM serialized_items i JOIN serialized_batches b ON b.id = i.batch_id
       WHERE b.subscription_id = $1`,
      [subscriptionId],
    );
    expect(rows[0]!.items).toBe(99);
  });
});

describe('a mint that fails', () => {
  const count = sliceItems + 10;

  test('is failed with a reason, its items are removed, and its quota is given back', async () => {
    const { call } = await plane.workspace();
    const restore = await atPosition(plane.pool, sliceItems + 5, `RAISE EXCEPTION 'this cannot be written'`);
    const { jobId, batchId } = await mint(call, { count });
    expect(await quotaOf(call)).toMatchObject({ minted: count });
    const job = await ended(call, jobId).finally(restore);
    expect(job).toMatchObject({
      status: 'failed',
      resultReady: false,
      itemsWritten: sliceItems,
      error: expect.stringContaining('could not be written'),
    });
    expect(await batchOf(call, batchId)).toMatchObject({ status: 'failed', items: [], nextCursor: null });
    expect(await storedItems(plane.pool, batchId)).toMatchObject({ items: 0 });
    expect(await quotaOf(call)).toMatchObject({ minted: 0, remaining: 1_000_000 });
  });

  test('does not fail because processes were killed, however often', async () => {
    const { call, workspaceId } = await plane.workspace();
    const turn = { lane: mintJobs.lane, workspaceId };
    const { jobId } = await inTransaction(plane.pool, async (tx) => {
      expect(await takeTurn(tx, turn)).toBe(true);
      const accepted = await mint(call, { count: 9 });
      await plane.pool.query('UPDATE jobs SET attempts = 100 WHERE id = $1', [accepted.jobId]);
      return accepted;
    });
    await enqueueTurn(plane.pool, turn);
    expect(await ended(call, jobId)).toMatchObject({ status: 'completed', itemsWritten: 9 });
  });

  test('leaves its GTIN to any workspace', async () => {
    const [failing, next] = [await plane.workspace(), await plane.workspace()];
    const gtin = '00614141000050';
    const restore = await atPosition(plane.pool, 5, `RAISE EXCEPTION 'this cannot be written'`);
    const { jobId } = await mint(failing.call, { count: 9, gtin });
    await failSoon(plane.pool, jobId);
    expect(await ended(failing.call, jobId).finally(restore)).toMatchObject({ status: 'failed' });
    const { batchId } = await minted(next.call, { gtin });
    expect(await batchOf(next.call, batchId)).toMatchObject({ gtin });
  });

  test('gives its quota back once, also where the refund cannot be stored at first', async () => {
    const { call } = await plane.workspace();
    await mint(call, { count: 5 });
    await plane.pool.query(`
      CREATE FUNCTION refuse_refund() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no refund'; END $$;
      CREATE TRIGGER refuse_refund BEFORE UPDATE ON serialized_quotas FOR EACH ROW WHEN (NEW.minted < OLD.minted)
        EXECUTE FUNCTION refuse_refund()`);
    const restore = await atPosition(plane.pool, 7, `RAISE EXCEPTION 'this cannot be written'`);
    const { jobId, batchId } = await mint(call, { count: 8 });
    const failures = async () =>
      (await plane.pool.query('SELECT failures FROM jobs WHERE id = $1', [jobId])).rows[0].failures;
    await expect.poll(failures, { timeout: 60_000 }).toBeGreaterThan(4);
    expect(await jobOf(call, jobId)).not.toMatchObject({ status: 'failed' });
    expect(await quotaOf(call)).toMatchObject({ minted: 13 });
    await plane.pool.query('DROP TRIGGER refuse_refund ON serialized_quotas');
    expect(await ended(call, jobId).finally(restore)).toMatchObject({ status: 'failed' });
    expect(await quotaOf(call)).toMatchObject({ minted: 5 });
    expect(await batchOf(call, batchId)).toMatchObject({ status: 'failed' });
  });

  test('waits while the database is full or loses its connections, and then continues', async () => {
    const { call } = await plane.workspace();
    // It counts on when a transaction is rolled back.
    await plane.pool.query('CREATE SEQUENCE connections_lost');
    const restore = await atPosition(
      plane.pool,
      sliceItems + 5,
      `RAISE disk_full USING MESSAGE = 'no space left'`,
    );
    const { jobId, batchId } = await mint(call, { count });
    const heldUp = async () =>
      (await plane.pool.query('SELECT FROM jobs WHERE id = $1 AND held_up_since IS NOT NULL', [jobId]))
        .rowCount;
    await expect.poll(heldUp).toBe(1);
    await replaceAtPosition(
      plane.pool,
      `PERFORM nextval('connections_lost'); PERFORM pg_terminate_backend(pg_backend_pid())`,
    );
    const lost = async () =>
      (await plane.pool.query('SELECT is_called FROM connections_lost')).rows[0].is_called;
    await expect.poll(lost).toBe(true);
    expect(await jobOf(call, jobId)).toMatchObject({ status: 'processing', itemsWritten: sliceItems });
    await restore();
    expect(await ended(call, jobId)).toMatchObject({ status: 'completed', itemsWritten: count });
    expect(await storedItems(plane.pool, batchId)).toEqual(whole(count));
    expect(await quotaOf(call)).toMatchObject({ minted: count });
  });
});

test('5 workspaces with a few items each do not wait behind the 4 batches of one that came first', async () => {
  const [hog, ...others] = await Promise.all(Array.from({ length: 6 }, () => plane.workspace()));
  // No mint continues before all are accepted.
  const lock = await plane.pool.connect();
  await lock.query('BEGIN; LOCK TABLE serialized_items IN SHARE MODE');
  const own: string[] = [];
  for (let n = 0; n < 4; n++) own.push((await mint(hog!.call, { count: 2 * sliceItems })).jobId);
  const theirs = await Promise.all(others.map(({ call }) => mint(call, { count: 10 })));
  await lock.query('ROLLBACK');
  lock.release();
  await Promise.all(theirs.map(({ jobId }, at) => ended(others[at]!.call, jobId)));
  await Promise.all(own.map((jobId) => ended(hog!.call, jobId)));
  const { rows } = await plane.pool.query<{ before: number }>(
    `SELECT count(*)::integer AS before FROM jobs
     WHERE id = ANY($1) AND completed_at < (SELECT max(completed_at) FROM jobs WHERE id = ANY($2))`,
    [own, theirs.map(({ jobId }) => jobId)],
  );
  // One batch after the other, all 4 would have been done before the last of the others.
  expect(rows[0]!.before).toBeLessThan(4);
}, 120_000);
