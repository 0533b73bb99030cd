/** The feed of events: what a reader behind a firewall sees, and that it misses nothing. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { EventFeed } from '#schemas/api/event-feed.ts';
import type { Event, EventType } from '#schemas/events.ts';
import { deriveKey } from '#shared/signing.ts';
import { createTextCursors } from '../../../api/http/cursors.ts';
import { createOutbox, eventIds } from '../../../framework/outbox.ts';
import { inTransaction, type Transaction } from '../../../platform/db/transaction.ts';
import {
  secretKey,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { exampleEvent } from '../queue/examples.ts';
import { createFanOut } from '../queue/fan-out.ts';

const path = '/api/qr/events';
const dayMs = 86_400_000;
const outbox = createOutbox([createFanOut()]);
let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startTestControlPlane();
});

const read = async ({ call }: Workspace, query = ''): Promise<EventFeed> => {
  const answer = await call('GET', `${path}?${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as EventFeed;
};
const idsOf = ({ data }: EventFeed) => data.map(({ id }) => id);

const newEvent = (type: EventType, { workspaceId }: Workspace, occurredAt = new Date()): Event =>
  exampleEvent(type, { id: eventIds.create(), workspaceId, occurredAt });

/** Waits until the feed reaches everything that is stored: other tests have transactions open on the same server. */
const settled = async (): Promise<void> => {
  const { rows } = await plane.pool.query('SELECT pg_current_xact_id()::text AS xid');
  const isReached = 'SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 AS reached';
  await expect
    .poll(async () => (await plane.pool.query(isReached, [rows[0].xid])).rows[0].reached, { timeout: 30_000 })
    .toBe(true);
};

const emit = (...events: Event[]) => inTransaction(plane.pool, (tx) => outbox.emit(tx, events));

/** A transaction that stays open until `commit` is called. */
const openTransaction = async (work: (tx: Transaction) => Promise<void>) => {
  const worked = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const committed = inTransaction(plane.pool, async (tx) => {
    // As after the change itself: the event is stored at the commit.
    await tx.query('SELECT pg_current_xact_id()');
    await work(tx);
    worked.resolve();
    await end.promise;
  });
  await Promise.race([worked.promise, committed]);
  return {
    async commit() {
      end.resolve();
      await committed;
    },
  };
};

test('the feed has each change as its webhook gets it, oldest first, without any webhook', async () => {
  const own = await plane.workspace();
  const { id } = await own.createCode();
  await own.call('PUT', `/api/qr/codes/${id}`, { name: 'Door' });
  await own.call('DELETE', `/api/qr/codes/${id}`);
  await settled();
  const { data, pagination } = await read(own);
  const about = { qrId: id, shortId: id, subscriptionId: own.subscriptionId };
  expect(data).toEqual([
    {
      id: expect.stringMatching(/^evt_/),
      type: 'qr.created',
      createdAt: expect.any(String),
      data: { qrId: id, shortId: id, dataType: 'url', secure: [], subscriptionId: own.subscriptionId },
    },
    expect.objectContaining({ type: 'qr.updated', data: { ...about, changedKeys: ['name'] } }),
    expect.objectContaining({ type: 'qr.deleted', data: about }),
  ]);
  expect(pagination).toEqual({ limit: 25, cursor: null, nextCursor: expect.any(String), hasMore: false });
  // A transaction of another test that began before the last change may have written only after it.
  const completeUntil = async () => (await read(own)).completeUntil ?? '';
  await expect.poll(completeUntil, { timeout: 30_000 }).toSatisfy((until) => until >= data[2]!.createdAt);

  for (const event of data) {
    expect((await own.call('GET', `${path}/${event.id}`)).body).toEqual(event);
  }
  const other = await plane.workspace();
  expect(await read(other)).toMatchObject({ data: [] });
  expect(await other.call('GET', `${path}/${data[0]!.id}`)).toMatchObject({ status: 403 });
  for (const unknown of ['evt_1111111111111111', 'x'])
    expect(await other.call('GET', `${path}/${unknown}`)).toMatchObject({ status: 404 });
});

test('an event that is committed late is skipped by no reader, and holds later ones back until then', async () => {
  const own = await plane.workspace();
  const [early, late, last] = [
    newEvent('qr.created', own),
    newEvent('qr.updated', own),
    newEvent('qr.deleted', own),
  ];
  await emit(early);
  await settled();
  const open = await openTransaction((tx) => outbox.emit(tx, [late]));
  const { rows } = await plane.pool.query('SELECT clock_timestamp() AS now');
  await emit(last);

  const before = await read(own);
  expect(idsOf(before)).toEqual([early.id]);
  expect(before.pagination.hasMore).toBe(false);
  // It says so: what was answered since the open transaction began is missing.
  if (before.completeUntil)
    expect(Date.parse(before.completeUntil)).toBeLessThanOrEqual(rows[0].now.getTime());

  await open.commit();
  await settled();
  const after = await read(own, `after=${before.pagination.nextCursor}`);
  expect(idsOf(after)).toEqual([late.id, last.id]);
  expect(idsOf(await read(own, `after=${after.pagination.nextCursor}`))).toEqual([]);
});

test('a reader that goes on from an event that a webhook has delivered before the feed reached it gets it no second time', async () => {
  const own = await plane.workspace();
  const open = await openTransaction((tx) => outbox.emit(tx, [newEvent('qr.created', own)]));
  const delivered = newEvent('qr.updated', own);
  await emit(delivered);
  const page = await read(own, `after=${delivered.id}`);
  expect(idsOf(page)).toEqual([]);
  await open.commit();
  const last = newEvent('qr.deleted', own);
  await emit(last);
  await expect
    .poll(async () => idsOf(await read(own, `after=${page.pagination.nextCursor}`)))
    .toEqual([last.id]);
});

test('pages go on from a cursor or an event, also within a transaction and after a restore, and `now` begins at the end', async () => {
  const own = await plane.workspace();
  const many = Array.from({ length: 5 }, () => newEvent('qr.updated', own));
  await emit(...many);
  // Its time is before that of the others: the order is that of the commits.
  const lateReport = newEvent('form.submitted', own, new Date(Date.now() - 3 * dayMs));
  await emit(lateReport);
  await settled();
  const all = idsOf(await read(own));
  expect(all.toSorted()).toEqual([...many, lateReport].map(({ id }) => id).toSorted());
  expect(all.at(-1)).toBe(lateReport.id);

  const paged: string[] = [];
  let next: string | undefined;
  for (let hasMore = true; hasMore; ) {
    const page = await read(own, `limit=2${next === undefined ? '' : `&after=${next}`}`);
    paged.push(...idsOf(page));
    ({ hasMore, nextCursor: next } = page.pagination);
  }
  expect(paged).toEqual(all);
  expect(idsOf(await read(own, `after=${all[2]}`))).toEqual(all.slice(3));

  const fromNow = await read(own, 'after=now');
  expect([idsOf(fromNow), fromNow.pagination.hasMore]).toEqual([[], false]);
  const more = newEvent('qr.created', own);
  await emit(more);
  await settled();
  for (const after of [next, fromNow.pagination.nextCursor])
    expect(idsOf(await read(own, `after=${after}`))).toEqual([more.id]);
  all.push(more.id);
  // In a restored database, transactions may have smaller ids than the events that it has.
  await plane.pool.query(
    `UPDATE webhook_events SET feed_xid = (feed_xid::text::bigint + 1000000000)::text::xid8 WHERE workspace_id = $1`,
    [own.workspaceId],
  );
  await plane.pool.query('UPDATE record_timeline SET timeline = timeline + 1');
  const restored = newEvent('qr.created', own);
  await emit(restored);
  await settled();
  expect(idsOf(await read(own))).toEqual([...all, restored.id]);
  expect(idsOf(await read(own, `after=${all[2]}`))).toEqual([...all.slice(3), restored.id]);
});

describe('types', () => {
  test('select events, past thousands of others a page at a time', async () => {
    const own = await plane.workspace();
    const others = Array.from({ length: 2_500 }, () => newEvent('qr.updated', own));
    await emit(...others);
    const wanted = newEvent('form.submitted', own);
    await emit(wanted, newEvent('qr.deleted', own));
    await settled();
    const first = await read(own, 'types=form.submitted,domain.verified');
    expect(idsOf(first)).toEqual([]);
    expect(first.pagination.hasMore).toBe(true);
    const second = await read(
      own,
      `types=domain.verified,form.submitted&after=${first.pagination.nextCursor}`,
    );
    expect(idsOf(second)).toEqual([wanted.id]);
    expect(second.pagination.hasMore).toBe(false);
  });

  test('that are unknown, twice or scans are 400, like a cursor of other types or of another workspace', async () => {
    const own = await plane.workspace();
    const other = await plane.workspace();
    const { nextCursor } = (await read(own, 'types=qr.created')).pagination;
    const foreign = newEvent('qr.created', other);
    await emit(foreign);
    for (const [query, message] of [
      ['types=qr.made', 'types must be types of events'],
      ['types=qr.created,qr.created', 'types must not have a type twice'],
      ['types=scan.created', 'types must not have scan.created'],
      ['types=', 'types must be types of events'],
      [`after=${nextCursor}`, 'after must be a nextCursor of this feed with the same types'],
      ['after=x', 'after must be a nextCursor'],
      [`after=${foreign.id}`, 'after must be an event of the last 30 days'],
    ])
      expect(await own.call('GET', `${path}?${query}`)).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining(message!) },
      });
    expect(await other.call('GET', `${path}?types=qr.created&after=${nextCursor}`)).toMatchObject({
      status: 400,
    });
  });
});

test('a cursor from which on events are no longer kept is 410, a younger one is not', async () => {
  const own = await plane.workspace();
  const cursors = createTextCursors(deriveKey(secretKey, 'event feed cursor'));
  const reachedAgo = (ms: number) => cursors.encode(`${own.workspaceId} `, `0.1.0..${Date.now() - ms}`);
  await read(own, `after=${reachedAgo(30 * dayMs - 60_000)}`);
  expect(await own.call('GET', `${path}?after=${reachedAgo(30 * dayMs + 60_000)}`)).toMatchObject({
    status: 410,
    body: { code: 'CURSOR_EXPIRED' },
  });
});

test('a cursor beyond the present horizon, which only a failover that lost commits leaves, is 410; other cursors are not', async () => {
  const own = await plane.workspace();
  const cursors = createTextCursors(deriveKey(secretKey, 'event feed cursor'));
  const cursorAt = (timeline: number, xid: bigint, id = '') =>
    cursors.encode(`${own.workspaceId} `, [timeline, xid, 0, id, Date.now()].join('.'));
  const event = newEvent('qr.created', own);
  await emit(event);
  await settled();
  const { rows } = await plane.pool.query(
    `SELECT timeline, pg_snapshot_xmax(pg_current_snapshot())::text AS xid FROM record_timeline`,
  );
  const [timeline, lost] = [rows[0].timeline as number, BigInt(rows[0].xid) + 1_000_000n];
  for (const after of [cursorAt(timeline, lost), cursorAt(timeline, lost, eventIds.create())])
    expect(await own.call('GET', `${path}?after=${after}`)).toMatchObject({
      status: 410,
      body: { code: 'CURSOR_EXPIRED', error: expect.stringMatching(/^after was given out by a database/) },
    });
  // Of a timeline that a restore has ended, and of a transaction that came before.
  if (timeline > 0)
    expect(idsOf(await read(own, `after=${cursorAt(timeline - 1, lost)}`))).toEqual([event.id]);
  expect(idsOf(await read(own, `after=${cursorAt(timeline, 1n)}`))).toEqual([event.id]);
});

test('scans and test deliveries are not in the feed; an event of a scan is there by its id if a webhook followed it', async () => {
  const own = await plane.workspace();
  const hook = await own.call('POST', '/api/webhooks', { url: 'https://example.com/', events: ['*'] });
  const { id } = hook.body as { id: string };
  await own.call('POST', `/api/webhooks/${id}/test`, { type: 'qr.created' });
  const scan = newEvent('scan.created', own);
  await emit(scan);
  await settled();
  expect(idsOf(await read(own))).toEqual([]);
  expect((await own.call('GET', `${path}/${scan.id}`)).body).toMatchObject({
    id: scan.id,
    type: 'scan.created',
  });
});
