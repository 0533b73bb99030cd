/** Batches of scans, with a real PostgreSQL and control planes that are killed. */
import { afterEach, describe, expect, test } from 'vitest';
import type { NewEvent } from '#schemas/events.ts';
import { createTestClickHouse } from '../../../../deploy/testing/index.ts';
import { createOutbox, eventIds } from '../../../framework/outbox.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { startPlaneProcess } from '../../../testing/plane-process.ts';
import { batchType } from '../queue/enqueue.ts';
import { createFanOut } from '../queue/fan-out.ts';
import type { BatchRule } from '../queue/interested.ts';
import { openWebhookStore, type TestWebhook } from '../testing/webhook-store.ts';
import { collectScans } from './collected-scans.ts';
import { batchBytesMax, batchesOf, formDueBatches } from './form-batches.ts';

const store = await openWebhookStore();
const { pool } = store;
const outbox = createOutbox([createFanOut(collectScans)]);
const workspaceId = await store.workspace();

afterEach(() => pool.query('TRUNCATE webhooks, webhook_queue, webhook_collected_scans CASCADE'));

const addWebhook = (batch?: BatchRule) =>
  store.webhook({ workspaceId, events: ['scan.created', 'qr.deleted'], ...(batch && { batch }) });

/** @returns the ids of the events, in order */
const scan = async (times: number): Promise<string[]> => {
  const events = Array.from({ length: times }, (): NewEvent & { id: string } => ({
    id: eventIds.create(),
    type: 'scan.created',
    workspaceId,
    subject: { id: 'Ab3dEf9Hk', version: 1 },
    occurredAt: new Date(),
    labels: { tagIds: [], folderId: null },
    data: { country: null, device: 'mobile' },
  }));
  await inTransaction(pool, (tx) => outbox.emit(tx, events));
  return events.map(({ id }) => id);
};

/** Moves the waiting scans this many seconds back. */
const age = (seconds: number) =>
  pool.query('UPDATE webhook_collected_scans SET collected_at = collected_at - make_interval(secs => $1)', [
    seconds,
  ]);

const batchesIn = async ({ id }: TestWebhook) =>
  (await store.queued(id)).filter(({ type }) => type === batchType).map(({ batch }) => batch!);
const idsIn = async (webhook: TestWebhook): Promise<string[][]> =>
  (await batchesIn(webhook)).map((batch) => batch.map(({ id }) => id));
const countCollected = async (): Promise<number> =>
  (await pool.query('SELECT FROM webhook_collected_scans')).rowCount!;

describe('a batch', () => {
  const row = (id: number, hasWaited = false, bytes = 300) => ({ id, hasWaited, bytes });
  const large = (id: number, hasWaited = false) => row(id, hasWaited, batchBytesMax / 2);

  test.each([
    ['nothing', [], []],
    ['fewer that have not waited', [row(1), row(2)], []],
    ['fewer, the first of which has waited', [row(1, true), row(2)], [[1, 2]]],
    ['just enough', [row(1), row(2), row(3)], [[1, 2, 3]]],
    ['more that have not waited', [row(1), row(2), row(3), row(4)], [[1, 2, 3]]],
    ['more that have waited', [row(1, true), row(2), row(3), row(4, true)], [[1, 2, 3], [4]]],
    ['scans so long that three are more than a megabyte', [large(1), large(2), large(3)], [[1, 2]]],
    ['such scans, after waiting', [large(1, true), large(2), large(3, true)], [[1, 2], [3]]],
  ])('is formed when it is full or its first scan has waited: of %s', (_, rows, batches) => {
    expect(batchesOf(rows, 3).map((batch) => batch.map(({ id }) => id))).toEqual(batches);
  });

  test('has only scans, by their keys, in the order in which they came', async () => {
    const webhook = await addWebhook({ maxEvents: 2, maxSeconds: 60 });
    const scans = await scan(5);
    await store.emit(outbox, [store.event('qr.deleted', workspaceId)]);
    expect(await formDueBatches(pool)).toEqual({
      batches: 2,
      scans: 4,
      hasMore: false,
      waitedSeconds: expect.any(Number),
    });
    const found = await idsIn(webhook);
    expect(found.flat().sort()).toEqual(scans.slice(0, 4).sort());
    for (const batch of found) expect([scans.slice(0, 2), scans.slice(2, 4)]).toContainEqual(batch);
    expect((await store.queued(webhook.id)).filter(({ type }) => type !== batchType)).toHaveLength(1);
    expect(await countCollected()).toBe(1);
  });

  test('that is not full is formed when its first scan has waited for maxSeconds', async () => {
    const webhook = await addWebhook({ maxEvents: 100, maxSeconds: 60 });
    const scans = await scan(3);
    await age(30);
    expect(await formDueBatches(pool)).toMatchObject({ batches: 0 });
    await age(31);
    const late = await scan(1);
    const formed = await formDueBatches(pool);
    expect(formed).toMatchObject({ batches: 1, scans: 4 });
    expect(formed.waitedSeconds).toBeGreaterThanOrEqual(61);
    expect(await idsIn(webhook)).toEqual([[...scans, ...late]]);
  });

  test('whose scans came before the clock was set back is formed', async () => {
    await addWebhook({ maxEvents: 100, maxSeconds: 60 });
    await scan(1);
    await age(-3600);
    expect(await formDueBatches(pool)).toMatchObject({ batches: 1 });
  });

  test('is formed for each of many webhooks; a webhook without batches gets its scans singly', async () => {
    const webhooks = await Promise.all([1, 2, 3].map(() => addWebhook({ maxEvents: 2, maxSeconds: 60 })));
    const single = await addWebhook();
    const scans = await scan(2);
    await formDueBatches(pool);
    for (const webhook of webhooks) expect(await idsIn(webhook)).toEqual([scans]);
    expect((await store.queued(single.id)).map(({ event_id }) => event_id).sort()).toEqual(scans.sort());
  });

  test('has a scan only once, even if it is reported again', async () => {
    const webhook = await addWebhook({ maxEvents: 1, maxSeconds: 60 });
    const event = store.event('scan.created', workspaceId);
    await store.emit(outbox, [event]);
    await formDueBatches(pool);
    await store.emit(outbox, [event]);
    expect(await formDueBatches(pool)).toMatchObject({ batches: 0 });
    expect(await idsIn(webhook)).toEqual([[event.id]]);
    expect(await countCollected()).toBe(0);
  });
});

test('a webhook that no longer has batches is sent its waiting scans one by one', async () => {
  const webhook = await addWebhook({ maxEvents: 100, maxSeconds: 60 });
  const scans = await scan(3);
  await pool.query('UPDATE webhooks SET batch = NULL');
  expect(await formDueBatches(pool)).toMatchObject({ batches: 0, scans: 3 });
  const queued = await store.queued(webhook.id);
  expect(queued.map(({ type, batch }) => [type, batch])).toEqual(Array(3).fill(['scan.created', null]));
  expect(queued.map(({ event_id }) => event_id).sort()).toEqual(scans.sort());
});

test('a deleted webhook leaves nothing', async () => {
  const webhook = await addWebhook({ maxEvents: 100, maxSeconds: 60 });
  await scan(3);
  await pool.query('DELETE FROM webhooks');
  await formDueBatches(pool);
  expect(await countCollected()).toBe(0);
  expect(await store.queued(webhook.id)).toEqual([]);
});

test('a webhook whose batches cannot be formed does not hold up others', async () => {
  const webhooks = await Promise.all([1, 2, 3].map(() => addWebhook({ maxEvents: 2, maxSeconds: 60 })));
  const scans = await scan(2);
  const [broken, ...others] = webhooks.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
    CREATE TRIGGER broken BEFORE INSERT ON webhook_queue FOR EACH ROW
      WHEN (NEW.webhook_id = '${broken!.id}') EXECUTE FUNCTION refuse()`);
  await expect(formDueBatches(pool)).rejects.toThrow('refused');
  for (const webhook of others) expect(await idsIn(webhook)).toEqual([scans]);
  await pool.query('DROP TRIGGER broken ON webhook_queue');
  await formDueBatches(pool);
  expect(await idsIn(broken!)).toEqual([scans]);
});

test('processes that form batches concurrently put each scan into one, and all but the last are full', async () => {
  const webhook = await addWebhook({ maxEvents: 7, maxSeconds: 60 });
  const scans: string[] = [];
  const formed = Array.from({ length: 4 }, async () => {
    while ((await countCollected()) > 6 || scans.length < 600) await formDueBatches(pool);
  });
  for (let times = 0; times < 20; times++) scans.push(...(await scan(30)));
  await Promise.all(formed);
  await age(61);
  await formDueBatches(pool);
  const batches = await idsIn(webhook);
  expect(batches.flat().sort()).toEqual(scans.sort());
  expect(batches.filter(({ length }) => length < 7)).toHaveLength(1);
});

/** Blocks every insert into the queue. */
const holdQueue = async () => {
  const holder = await pool.connect();
  await holder.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
  await holder.query('SELECT pg_advisory_xact_lock(1)');
  await pool.query(`
    CREATE OR REPLACE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$;
    CREATE TRIGGER wait AFTER INSERT ON webhook_queue FOR EACH ROW EXECUTE FUNCTION wait()`);
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`;
  return {
    isWaitedFor: () =>
      expect
        .poll(async () => (await pool.query(waiting)).rowCount, { timeout: 30_000, interval: 20 })
        .toBe(1),
    async letGo() {
      await holder.query('ROLLBACK');
      holder.release();
      await pool.query('DROP TRIGGER wait ON webhook_queue');
    },
  };
};

test("while one process forms a batch of a webhook, another one leaves that webhook's scans", async () => {
  const webhook = await addWebhook({ maxEvents: 3, maxSeconds: 60 });
  const scans = await scan(2);
  await age(61);
  const held = await holdQueue();
  const first = formDueBatches(pool);
  await held.isWaitedFor();
  const [third] = await scan(1);
  expect(await formDueBatches(pool)).toMatchObject({ batches: 0, scans: 0, hasMore: false });
  await held.letGo();
  expect(await first).toMatchObject({ batches: 1, scans: 2 });
  await age(61);
  await formDueBatches(pool);
  expect(await idsIn(webhook)).toEqual(expect.arrayContaining([scans, [third]]));
  expect(await countCollected()).toBe(0);
});

test('a control plane killed while it forms a batch leaves the scans to another one, which forms it once', async () => {
  const victim = await startPlaneProcess('control-plane/main.ts', {
    DATABASE_URL: store.databaseUrl,
    CLICKHOUSE_URL: await createTestClickHouse(),
  });
  await victim.ready();
  const held = await holdQueue();
  const webhook = await addWebhook({ maxEvents: 3, maxSeconds: 60 });
  const scans = await scan(3);
  await held.isWaitedFor();
  await victim.kill();
  await held.letGo();
  // PostgreSQL rolls back the dead process's transaction soon after.
  await expect
    .poll(async () => (await formDueBatches(pool)).batches, { timeout: 30_000, interval: 20 })
    .toBe(1);
  expect(await idsIn(webhook)).toEqual([scans]);
  expect(await countCollected()).toBe(0);
});
