/** The fan-out on write, with a real PostgreSQL. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Event, EventType } from '#schemas/events.ts';
import { createOutbox } from '../../../framework/outbox.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { openWebhookStore, type WebhookStore } from '../testing/webhook-store.ts';
import { deliveryIdOf, isDeliveryIdShaped } from './delivery-id.ts';
import { type CollectedScan, createFanOut } from './fan-out.ts';
import { payloadOf } from './payloads.ts';

let store: WebhookStore;
let workspaceId: string;
const outbox = createOutbox([createFanOut()]);

beforeAll(async () => {
  store = await openWebhookStore();
  workspaceId = await store.workspace();
});

describe('an event', () => {
  test('is stored once, and each webhook that follows it has a delivery', async () => {
    const workspace = await store.workspace();
    const one = await store.webhook({ workspaceId: workspace, events: ['qr.created'] });
    const all = await store.webhook({ workspaceId: workspace, events: ['*'] });
    const other = await store.webhook({ workspaceId: workspace, events: ['qr.deleted'] });
    const event = store.event('qr.created', workspace);
    await store.emit(outbox, [event]);
    const stored = await store.stored(workspace);
    expect(stored).toEqual([
      {
        id: event.id,
        placed_at: event.occurredAt,
        workspace_id: workspace,
        type: 'qr.created',
        occurred_at: event.occurredAt,
        data: payloadOf(event, one.subscriptionId),
        only_for: null,
        feed_timeline: 0,
        feed_xid: expect.any(String),
        tag_ids: null,
        folder_id: null,
      },
    ]);
    const queued = await store.queued(one.id, all.id, other.id);
    expect(queued.map((row) => [row.webhook_id, row.id]).sort()).toEqual(
      [one, all].map(({ id }) => [id, deliveryIdOf(id, event.id)]).sort(),
    );
    expect(queued[0]).toMatchObject({
      event_id: event.id,
      type: 'qr.created',
      round_attempts: 0,
      attempts: [],
    });
  });

  test('is stored even if no webhook follows it, unless it is a scan', async () => {
    const workspace = await store.workspace();
    const webhook = await store.webhook({ workspaceId: workspace, events: ['qr.deleted'] });
    const elsewhere = await store.webhook({ workspaceId, events: ['*'] });
    const event = store.event('form.submitted', workspace);
    await store.emit(outbox, [event, store.event('scan.created', workspace)]);
    expect((await store.stored(workspace)).map(({ id }) => id)).toEqual([event.id]);
    expect(await store.queued(webhook.id, elsewhere.id)).toEqual([]);
  });

  test('of a code passes a filter that names the code; the filter is nothing to other events', async () => {
    const workspace = await store.workspace();
    const webhook = await store.webhook({ workspaceId: workspace, filter: { codeIds: ['Ab3dEf9Hk'] } });
    const about = (type: EventType, codeId: string) =>
      ({ ...store.event(type, workspace), subject: { id: codeId, version: 1 } }) as Event;
    const wanted = [
      about('scan.created', 'Ab3dEf9Hk'),
      about('qr.updated', 'Ab3dEf9Hk'),
      store.event('form.submitted', workspace),
      store.event('domain.verified', workspace),
    ];
    const unwanted = [about('scan.created', 'Other1111'), about('qr.deleted', 'Other1111')];
    await store.emit(outbox, [...unwanted, ...wanted]);
    const queued = (await store.queued(webhook.id)).map(({ event_id }) => event_id);
    expect(queued.sort()).toEqual(wanted.map(({ id }) => id).sort());
    // A scan that no webhook gets is stored nowhere.
    expect((await store.stored(workspace)).map(({ id }) => id)).not.toContain(unwanted[0]!.id);
  });

  test('of a code passes a filter whose codes, tags or folders have it, by the tags as they are now', async () => {
    const workspace = await store.workspace();
    const stranger = await store.workspace();
    const addTag = async (of: string, key: string, into?: number): Promise<number> => {
      const { rows } = await store.pool.query(
        `INSERT INTO tags (workspace_id, name, key, gone_at, merged_into)
         VALUES ($1, $2, $2, CASE WHEN $3::int IS NOT NULL OR $2 = 'gone' THEN now() END, $3) RETURNING id`,
        [of, key, into ?? null],
      );
      return rows[0].id;
    };
    const [vip, gone, other, foreign] = [
      await addTag(workspace, 'vip'),
      await addTag(workspace, 'gone'),
      await addTag(workspace, 'other'),
      await addTag(stranger, 'vip'),
    ];
    const merged = await addTag(workspace, 'merged', vip);
    const tags = ['vip', 'gone'].map((key) => ({ key, name: key }));
    const webhook = await store.webhook({
      workspaceId: workspace,
      filter: { codeIds: ['Ab3dEf9Hk'], tags, folderIds: ['fold_berlin'] },
    });
    const tagged = await store.webhook({ workspaceId: workspace, filter: { codeIds: [], tags } });
    const about = (type: EventType, id: string, tagIds: number[], folderId: string | null = null) =>
      ({
        ...store.event(type, workspace),
        subject: { id, version: 1 },
        labels: { tagIds, folderId },
      }) as Event;
    const byTag = [
      about('scan.created', 'Other1111', [other, vip]),
      about('qr.created', 'Other1111', [merged]),
    ];
    const wanted = [
      ...byTag,
      about('scan.created', 'Other1111', [], 'fold_berlin'),
      about('qr.updated', 'Ab3dEf9Hk', [other]),
    ];
    const unwanted = [
      about('scan.created', 'Other1111', [other, gone, foreign], 'fold_other'),
      about('qr.deleted', 'Other1111', []),
    ];
    await store.emit(outbox, [...unwanted, ...wanted]);
    const got = async (id: string) => (await store.queued(id)).map(({ event_id }) => event_id).sort();
    expect(await got(webhook.id)).toEqual(wanted.map(({ id }) => id).sort());
    expect(await got(tagged.id)).toEqual(byTag.map(({ id }) => id).sort());
    const stored = await store.stored(workspace);
    expect(stored.find(({ id }) => id === byTag[0]!.id)).toMatchObject({
      tag_ids: [other, vip],
      folder_id: null,
    });
  });

  test('is not delivered again if it is reported again, even if its delivery is finished', async () => {
    const workspace = await store.workspace();
    const webhook = await store.webhook({ workspaceId: workspace });
    const event = store.event('scan.created', workspace);
    await store.emit(outbox, [event, event]);
    expect(await store.queued(webhook.id)).toHaveLength(1);
    await store.emit(outbox, [event]);
    expect(await store.queued(webhook.id)).toHaveLength(1);
    await store.pool.query('DELETE FROM webhook_queue WHERE webhook_id = $1', [webhook.id]);
    await store.emit(outbox, [event]);
    expect(await store.queued(webhook.id)).toEqual([]);
    expect(await store.stored(workspace)).toHaveLength(1);
  });

  test('leaves nothing if its transaction is rolled back', async () => {
    const workspace = await store.workspace();
    const webhook = await store.webhook({ workspaceId: workspace });
    const failing = inTransaction(store.pool, async (tx) => {
      await outbox.emit(tx, [store.event('qr.deleted', workspace)]);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await store.stored(workspace)).toEqual([]);
    expect(await store.queued(webhook.id)).toEqual([]);
  });

  test('of the year 1970, or of next year, is placed in an existing partition', async () => {
    const workspace = await store.workspace();
    await store.webhook({ workspaceId: workspace });
    const beforeMs = Date.now();
    const future = new Date(beforeMs + 400 * 86_400_000);
    await store.emit(outbox, [
      store.event('qr.deleted', workspace, new Date(0)),
      store.event('qr.deleted', workspace, future),
    ]);
    const [first, last] = await store.stored(workspace);
    const afterMs = Date.now();
    expect(first.placed_at.getTime()).toBeGreaterThanOrEqual(beforeMs - 7 * 86_400_000);
    expect(first.placed_at.getTime()).toBeLessThanOrEqual(afterMs - 7 * 86_400_000);
    expect(first.occurred_at).toEqual(new Date(0));
    expect(last.placed_at.getTime()).toBeLessThanOrEqual(afterMs + 300_000);
    expect(last.occurred_at).toEqual(future);
  });
});

test('events of two workspaces that are emitted together go only to the webhooks of their own workspace', async () => {
  const workspaces = [await store.workspace(), await store.workspace()] as const;
  const webhooks = await Promise.all(workspaces.map((id) => store.webhook({ workspaceId: id })));
  const events = [0, 1, 0].map((at) => store.event('scan.created', workspaces[at as 0 | 1]));
  await store.emit(outbox, events);
  for (const { id, workspaceId: own } of webhooks) {
    const ids = events.filter((event) => event.workspaceId === own).map((event) => event.id);
    expect((await store.queued(id)).map((row) => row.event_id).sort()).toEqual(ids.sort());
    expect((await store.stored(own)).map((row) => row.id).sort()).toEqual(ids);
  }
});

test('a paused webhook has deliveries, which wait', async () => {
  const workspace = await store.workspace();
  const webhook = await store.webhook({ workspaceId: workspace });
  await store.pool.query(
    `UPDATE webhooks SET status = 'paused', paused_reason = 'owner', paused_at = now() WHERE id = $1`,
    [webhook.id],
  );
  await store.emit(outbox, [store.event('qr.deleted', workspace)]);
  expect(await store.queued(webhook.id)).toHaveLength(1);
});

test('an overflowing webhook gets no new deliveries; its events are kept', async () => {
  const workspace = await store.workspace();
  const webhook = await store.webhook({ workspaceId: workspace });
  await store.pool.query('UPDATE webhooks SET overflowing_since = now() WHERE id = $1', [webhook.id]);
  await store.emit(outbox, [store.event('qr.deleted', workspace)]);
  expect(await store.queued(webhook.id)).toEqual([]);
  expect(await store.stored(workspace)).toHaveLength(1);
});

test('scans of a webhook with batches are collected; its other events, and scans of others, are queued', async () => {
  const workspace = await store.workspace();
  const rule = { maxEvents: 10, maxSeconds: 5 };
  const batching = await store.webhook({ workspaceId: workspace, batch: rule });
  const single = await store.webhook({ workspaceId: workspace });
  const collected: CollectedScan[] = [];
  const collecting = createOutbox([createFanOut(async (_, scans) => void collected.push(...scans))]);
  const scan = store.event('scan.created', workspace);
  const change = store.event('qr.deleted', workspace);
  await store.emit(collecting, [scan, change]);
  await store.emit(collecting, [scan]);
  expect(collected).toEqual([
    { webhookId: batching.id, eventId: scan.id, placedAt: scan.occurredAt, bytes: expect.any(Number) },
  ]);
  expect((await store.queued(batching.id)).map(({ type }) => type)).toEqual(['qr.deleted']);
  expect((await store.queued(single.id)).map(({ type }) => type).sort()).toEqual([
    'qr.deleted',
    'scan.created',
  ]);
});

test('changes of a workspace wait neither for each other nor for a change of its webhook', async () => {
  const workspace = await store.workspace();
  const webhook = await store.webhook({ workspaceId: workspace });
  await inTransaction(store.pool, async (changing) => {
    await changing.query('UPDATE webhooks SET url = url, updated_at = now() WHERE id = $1', [webhook.id]);
    await inTransaction(store.pool, async (first) => {
      await outbox.emit(first, [store.event('qr.deleted', workspace)]);
      await store.emit(outbox, [store.event('qr.deleted', workspace)]);
      expect(await store.queued(webhook.id)).toHaveLength(1);
    });
  });
  expect(await store.queued(webhook.id)).toHaveLength(2);
});

test('a webhook deleted during a change does not undo the change', async () => {
  const workspace = await store.workspace();
  const webhook = await store.webhook({ workspaceId: workspace });
  const event = store.event('qr.deleted', workspace);
  await inTransaction(store.pool, async (tx) => {
    await outbox.emit(tx, [event]);
    await store.pool.query('DELETE FROM webhooks WHERE id = $1', [webhook.id]);
  });
  expect(await store.stored(workspace)).toHaveLength(1);
});

test('the events of a large change are stored in several statements', async () => {
  const workspace = await store.workspace();
  const webhook = await store.webhook({ workspaceId: workspace });
  const events = Array.from({ length: 2_001 }, () => store.event('qr.deleted', workspace));
  await store.emit(outbox, events);
  const queued = await store.queued(webhook.id);
  expect(new Set(queued.map((row) => row.event_id))).toEqual(new Set(events.map(({ id }) => id)));
});

test('the events of a large change do not wait for its commit, with or without a webhook', async () => {
  const workspace = await store.workspace();
  const follower = await store.workspace();
  await store.webhook({ workspaceId: follower });
  const events = [workspace, follower].map((id) =>
    Array.from({ length: 1_001 }, () => store.event('qr.deleted', id)),
  );
  await inTransaction(store.pool, async (tx) => {
    for (const some of events) await outbox.emit(tx, some);
    const { rows } = await tx.query<{ stored: number }>(
      `SELECT count(*)::integer AS stored FROM webhook_events WHERE workspace_id = ANY ($1) GROUP BY workspace_id`,
      [[workspace, follower]],
    );
    expect(rows).toEqual([{ stored: 1_001 }, { stored: 1_001 }]);
  });
});

test('a delivery’s id is a function of its webhook and its event, and has the right shape', () => {
  const id = deliveryIdOf('wh_1', 'evt_1');
  expect(id).toMatch(/^dlv_[1-9A-HJ-NP-Za-km-z]{16}$/);
  expect(isDeliveryIdShaped(id)).toBe(true);
  expect(deliveryIdOf('wh_1', 'evt_1')).toBe(id);
  expect(deliveryIdOf('wh_2', 'evt_1')).not.toBe(id);
  expect(deliveryIdOf('wh_1', 'evt_2')).not.toBe(id);
  for (const other of ['', 'dlv_', `${id}1`, id.replace('dlv', 'evt'), `${id.slice(0, -1)}0`])
    expect(isDeliveryIdShaped(other)).toBe(false);
});
