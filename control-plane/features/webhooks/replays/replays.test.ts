/** Replays, with a real PostgreSQL and slices of two rows. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Replayable } from '#schemas/api/webhooks.ts';
import type { Event } from '#schemas/events.ts';
import { createLogger } from '#shared/logger.ts';
import { createOutbox } from '../../../framework/outbox.ts';
import { createWork } from '../../../jobs/work.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { deliveryIdOf } from '../queue/delivery-id.ts';
import { batchType, enqueueBatches, enqueueTest } from '../queue/enqueue.ts';
import { createFanOut } from '../queue/fan-out.ts';
import { collectScans } from '../scans/collected-scans.ts';
import { finishDeliveries } from '../testing/finished.ts';
import { openWebhookStore, type TestWebhook, type WebhookStore } from '../testing/webhook-store.ts';
import { createReplayKind, type ReplayKindOptions } from './kind.ts';
import { createReplay, findReplay, listReplays, type NewReplay, replayJobs } from './store.ts';

const logger = createLogger('test', 'silent');
const outbox = createOutbox([createFanOut()]);
let store: WebhookStore;

beforeAll(async () => {
  store = await openWebhookStore();
});

/** Any day of the last two weeks but today's, so that nothing is of the future. */
const day = new Date(Date.now() - 3 * 86_400_000);
const range = { from: new Date(day.getTime() - 1), to: new Date(day.getTime() + 60_000) };

const create = (webhook: TestWebhook, which: Replayable, further: Partial<NewReplay> = {}) =>
  inTransaction(store.pool, (tx) =>
    createReplay(tx, {
      ...range,
      which,
      webhookId: webhook.id,
      workspaceId: webhook.workspaceId,
      ...further,
    }),
  );

const working = (options: ReplayKindOptions = {}) => {
  const kinds = [createReplayKind({ sliceRows: 2, ...options })];
  const work = createWork({ pool: store.pool, kinds, logger, onSlice: () => undefined });
  return (workspaceId: string) => work({ lane: replayJobs.lane, workspaceId });
};

/** Works until the replay has ended. @returns it, and how many slices that took */
const finish = async (webhook: TestWebhook, id: string, work = working()) => {
  for (let slices = 0; ; slices++) {
    const replay = await findReplay(store.pool, webhook.id, id);
    if (replay?.completedAt) return { replay, slices };
    if (slices > 50) throw new Error(`the replay does not end: ${JSON.stringify(replay)}`);
    await work(webhook.workspaceId);
  }
};

/** Emits events, a second after the other. @returns the ids of their deliveries to a webhook */
const emit = async (
  webhook: TestWebhook,
  types: readonly ('qr.created' | 'qr.deleted' | 'scan.created')[],
) => {
  const events = types.map((type, at) =>
    store.event(type, webhook.workspaceId, new Date(day.getTime() + at * 1_000)),
  );
  await store.emit(outbox, events);
  return events.map(({ id }) => deliveryIdOf(webhook.id, id));
};

const newWebhook = async (events: string[] = ['*']) =>
  store.webhook({ workspaceId: await store.workspace(), events });

const queuedIds = async (webhook: TestWebhook) => (await store.queued(webhook.id)).map(({ id }) => id).sort();

describe('a replay', () => {
  test('of what has failed sends that again under its id, in slices, and nothing else', async () => {
    const webhook = await newWebhook();
    const ids = await emit(webhook, ['qr.created', 'qr.created', 'qr.created', 'qr.deleted', 'qr.deleted']);
    await finishDeliveries(store.pool, webhook.id, 'succeeded', [ids[1]!]);
    await finishDeliveries(store.pool, webhook.id, 'failed');
    const { id } = await create(webhook, 'failed');
    const { replay, slices } = await finish(webhook, id);
    expect(replay).toMatchObject({ status: 'completed', done: 4 });
    expect(slices).toBe(3);
    expect(await queuedIds(webhook)).toEqual(ids.filter((_, at) => at !== 1).sort());
    const [again] = await store.queued(webhook.id);
    expect(again).toMatchObject({ round_attempts: 0, attempts: [{ status: 500 }] });
  });

  test('of what was missed sends events that have no delivery, also if no webhook followed them, and no scan that no webhook followed', async () => {
    const earlier = await newWebhook(['qr.created']);
    await emit(earlier, ['scan.created']);
    const [, second] = await emit(earlier, ['qr.created', 'qr.deleted', 'qr.created']);
    expect(second).toBeDefined();
    const webhook = await store.webhook({ workspaceId: earlier.workspaceId, events: ['*'] });
    const { id } = await create(webhook, 'missed');
    expect((await finish(webhook, id)).replay).toMatchObject({ status: 'completed', done: 3 });
    const queued = await store.queued(webhook.id);
    expect(queued.map(({ type }) => type).sort()).toEqual(['qr.created', 'qr.created', 'qr.deleted']);
    await finishDeliveries(store.pool, webhook.id, 'failed');
    const again = await create(webhook, 'missed');
    expect((await finish(webhook, again.id)).replay).toMatchObject({ done: 0 });
  });

  test('of what was missed sends the events of the codes in the filter only, and all that are about no code', async () => {
    const { workspaceId } = await newWebhook();
    const about = (codeId: string) =>
      ({
        ...store.event('qr.updated', workspaceId, day),
        subject: { id: codeId, version: 1 },
      }) as Event<'qr.updated'>;
    await store.emit(outbox, [
      about('Ab3dEf9Hk'),
      about('Other1111'),
      store.event('form.submitted', workspaceId, day),
    ]);
    await store.emit(outbox, [
      { ...about('Tagged111'), labels: { tagIds: [], folderId: 'fold_then' } },
      { ...about('Other1111'), labels: { tagIds: [], folderId: 'fold_other' } },
    ]);
    const byFolder = await store.webhook({ workspaceId, filter: { codeIds: [], folderIds: ['fold_then'] } });
    await finish(byFolder, (await create(byFolder, 'missed')).id);
    expect((await store.queued(byFolder.id)).map(({ type }) => type).sort()).toEqual([
      'form.submitted',
      'qr.updated',
    ]);
    const webhook = await store.webhook({ workspaceId, filter: { codeIds: ['Ab3dEf9Hk'] } });
    await finish(webhook, (await create(webhook, 'missed')).id);
    expect((await store.queued(webhook.id)).map(({ type }) => type).sort()).toEqual([
      'form.submitted',
      'qr.updated',
    ]);
  });

  test('of all sends what was delivered as well, each event once', async () => {
    const webhook = await newWebhook();
    const ids = await emit(webhook, ['qr.created', 'qr.deleted', 'qr.created', 'qr.deleted']);
    await finishDeliveries(store.pool, webhook.id, 'succeeded', ids.slice(0, 2));
    // Missed while it overflowed.
    await store.pool.query('DELETE FROM webhook_queue WHERE id = $1', [ids[3]]);
    const { id } = await create(webhook, 'all');
    expect((await finish(webhook, id)).replay).toMatchObject({ status: 'completed', done: 3 });
    expect(await queuedIds(webhook)).toEqual([...ids].sort());
  });

  test('is of the types that are asked for, else of the types that the webhook follows', async () => {
    const earlier = await newWebhook();
    await emit(earlier, ['qr.created', 'qr.deleted', 'scan.created']);
    const { workspaceId } = earlier;
    const following = await store.webhook({ workspaceId, events: ['qr.deleted'] });
    const asked = await store.webhook({ workspaceId, events: ['qr.deleted'] });
    await finish(following, (await create(following, 'missed')).id);
    await finish(asked, (await create(asked, 'missed', { types: ['qr.created'] })).id);
    expect((await store.queued(following.id)).map(({ type }) => type)).toEqual(['qr.deleted']);
    expect((await store.queued(asked.id)).map(({ type }) => type)).toEqual(['qr.created']);
  });

  test('is of its range alone: from the first instant to before the last one', async () => {
    const webhook = await newWebhook();
    const ids = await emit(webhook, ['qr.created', 'qr.created', 'qr.created']);
    await finishDeliveries(store.pool, webhook.id, 'failed');
    const at = (seconds: number) => new Date(day.getTime() + seconds * 1_000);
    await finish(webhook, (await create(webhook, 'failed', { from: at(1), to: at(2) })).id);
    expect(await queuedIds(webhook)).toEqual([ids[1]]);
  });

  test('sends no test delivery of another webhook, and no event of another workspace', async () => {
    const tested = await newWebhook();
    await inTransaction(store.pool, (tx) => enqueueTest(tx, tested, 'form.submitted', day));
    const other = await newWebhook();
    await emit(other, ['qr.created']);
    const webhook = await store.webhook({ workspaceId: tested.workspaceId });
    expect((await finish(webhook, (await create(webhook, 'all')).id)).replay).toMatchObject({ done: 0 });
  });

  test('of missed scans makes batches if the webhook has them, and knows the scans that are in one', async () => {
    const earlier = await newWebhook();
    const ids = await emit(earlier, ['scan.created', 'scan.created', 'scan.created', 'qr.created']);
    const batch = { maxEvents: 10, maxSeconds: 5 };
    const webhook = await store.webhook({ workspaceId: earlier.workspaceId, batch });
    const [first] = await store.stored(earlier.workspaceId);
    await inTransaction(store.pool, (tx) =>
      enqueueBatches(tx, [{ webhookId: webhook.id, events: [{ id: first.id, placedAt: first.placed_at }] }]),
    );
    await finishDeliveries(store.pool, webhook.id, 'succeeded');
    const { id } = await create(webhook, 'missed');
    await finish(webhook, id, working({ sliceRows: 10 }));
    const queued = await store.queued(webhook.id);
    expect(queued.map(({ type }) => type).sort()).toEqual(['qr.created', batchType]);
    expect(queued.find(({ type }) => type === batchType)!.batch).toHaveLength(2);
    expect(ids).toHaveLength(4);
    const again = await create(webhook, 'missed');
    expect((await finish(webhook, again.id)).replay).toMatchObject({ done: 0 });
  });

  test.each(['missed', 'all'] as const)(
    'of what is %s leaves scans alone that wait for their batch',
    async (which) => {
      const batch = { maxEvents: 10, maxSeconds: 5 };
      const webhook = await store.webhook({ workspaceId: await store.workspace(), batch });
      const scans = [0, 1].map((at) =>
        store.event('scan.created', webhook.workspaceId, new Date(day.getTime() + at)),
      );
      await store.emit(createOutbox([createFanOut(collectScans)]), scans);
      const { id } = await create(webhook, which);
      expect((await finish(webhook, id)).replay).toMatchObject({ status: 'completed', done: 0 });
      expect(await store.queued(webhook.id)).toEqual([]);
    },
  );

  test('waits where as many deliveries of the webhook wait as may', async () => {
    const webhook = await newWebhook();
    await emit(webhook, ['qr.created', 'qr.created', 'qr.created', 'qr.created']);
    await finishDeliveries(store.pool, webhook.id, 'failed');
    const { id } = await create(webhook, 'failed');
    const work = working({ waitingMax: 2 });
    for (let turn = 0; turn < 4; turn++) await work(webhook.workspaceId);
    expect(await findReplay(store.pool, webhook.id, id)).toMatchObject({ status: 'processing', done: 2 });
    await finishDeliveries(store.pool, webhook.id, 'succeeded');
    await work(webhook.workspaceId);
    expect(await findReplay(store.pool, webhook.id, id)).toMatchObject({ done: 4 });
  });

  test('that fails again and again has failed, with what it has sent', async () => {
    const webhook = await newWebhook();
    await emit(webhook, ['qr.created']);
    await finishDeliveries(store.pool, webhook.id, 'failed');
    const { id } = await create(webhook, 'failed');
    await store.pool.query(`UPDATE jobs SET done = 7 WHERE id = $1`, [id]);
    // A check that refuses stands for whatever makes a slice fail each time.
    await store.pool.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON webhook_queue FOR EACH ROW WHEN (NEW.webhook_id = '${webhook.id}') EXECUTE FUNCTION refuse()`,
    );
    const { replay } = await finish(webhook, id);
    expect(replay).toMatchObject({ status: 'failed', done: 7 });
    expect(await store.finished(webhook.id)).toHaveLength(1);
    expect(await create(webhook, 'failed')).toMatchObject({ status: 'pending' });
  });

  test('is one at a time for a webhook, and those of a workspace take turns', async () => {
    const webhook = await newWebhook();
    const other = await store.webhook({ workspaceId: webhook.workspaceId });
    await emit(webhook, ['qr.created', 'qr.created', 'qr.created']);
    for (const each of [webhook, other]) await finishDeliveries(store.pool, each.id, 'failed');
    const first = await create(webhook, 'failed');
    await expect(create(webhook, 'missed')).rejects.toMatchObject({ code: 'CONFLICT' });
    const second = await create(other, 'failed');
    const work = working();
    for (let turn = 0; turn < 2; turn++) await work(webhook.workspaceId);
    expect(await findReplay(store.pool, webhook.id, first.id)).toMatchObject({ status: 'processing' });
    expect(await findReplay(store.pool, other.id, second.id)).toMatchObject({ status: 'processing' });
  });

  test('goes with its webhook', async () => {
    const webhook = await newWebhook();
    const { id } = await create(webhook, 'all');
    await store.pool.query('DELETE FROM webhooks WHERE id = $1', [webhook.id]);
    await working()(webhook.workspaceId);
    expect(await findReplay(store.pool, webhook.id, id)).toBeUndefined();
    const { rows } = await store.pool.query('SELECT status, error FROM jobs WHERE id = $1', [id]);
    expect(rows).toEqual([{ status: 'failed', error: 'The webhook was deleted' }]);
  });
});

test('the replays of a webhook are listed page by page, the newest first', async () => {
  const [webhook, other] = [await newWebhook(), await newWebhook()];
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    const { id } = await create(webhook, 'failed');
    ids.unshift(id);
    await finish(webhook, id);
  }
  await create(other, 'failed');
  const first = await listReplays(store.pool, webhook.id, undefined, 2);
  const second = await listReplays(store.pool, webhook.id, first[1]!.seq, 2);
  expect([first, second].map((page) => page.map(({ id }) => id))).toEqual([ids.slice(0, 2), ids.slice(2)]);
});

test('a webhook has at most 10 replays in an hour', async () => {
  const webhook = await newWebhook();
  for (let n = 0; n < 10; n++) {
    const { id } = await create(webhook, 'failed');
    await finish(webhook, id);
  }
  await expect(create(webhook, 'failed')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringMatching(
      /^More than 10 replays of a webhook in an hour; try again in \d+ seconds$/,
    ),
    retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 3_000 && seconds <= 3_600),
  });
  await create(await newWebhook(), 'failed');
  await store.pool.query(
    `UPDATE jobs SET created_at = created_at - interval '1 hour'
     WHERE seq = (SELECT min(seq) FROM jobs JOIN webhook_replays USING (id) WHERE webhook_id = $1)`,
    [webhook.id],
  );
  await create(webhook, 'failed');
});
