/** Slices of an erasure, one at a time. */
import { beforeAll, expect, test } from 'vitest';
import { createOutbox, type Outbox } from '../../framework/outbox.ts';
import type { Job } from '../../jobs/kind.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { takeSegment } from '../../reports/take-segment.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { createFanOut } from '../webhooks/queue/fan-out.ts';
import { collectScans } from '../webhooks/scans/collected-scans.ts';
import { scanTables } from '../webhooks/scans/nightly.ts';
import { type ScanProblem, type TakenScans, takeScans } from '../webhooks/scans/take-scans.ts';
import { linesOf, reportedScanOf } from '../webhooks/testing/reported-scans.ts';
import { createErasureKind } from './kind.ts';
import { erasureIds, readErasure } from './store.ts';

let plane: TestControlPlane;
let own: Workspace;
beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

const minuteMs = 60_000;
const before = (ms: number): Date => new Date(Date.now() - ms);

/** One that was asked for ten minutes ago, and has no job. */
const erasureOf = async (codeId: string, step: 'history' | 'events', upTo: Date): Promise<string> => {
  const id = erasureIds.create();
  await plane.pool.query(
    `INSERT INTO erasures (id, workspace_id, code_id, what, step, asked_at, up_to) VALUES ($1, $2, $3, 'scans', $4, $5, $6)`,
    [id, own.workspaceId, codeId, step, before(10 * minuteMs), upTo],
  );
  return id;
};

const doSlice = async (id: string): Promise<void> => {
  const { pool } = plane;
  const kind = createErasureKind({ pool, advance: async () => 'idle' });
  const job = { id } as Job;
  const prepared = await kind.prepare!(job, await kind.choose!(job));
  await inTransaction(pool, (tx) => kind.effect(tx, job, prepared, () => undefined));
};

test('events of scans go up to the moment to which a repeated call has moved the erasure, and no further', async () => {
  const { id: codeId } = await own.createCode();
  const webhook = { url: 'https://example.com/', events: ['scan.created'] };
  expect((await own.call('POST', '/api/webhooks', webhook)).status).toBe(201);
  const [early, between, later] = [20, 5, 1].map((minutes) =>
    reportedScanOf({ workspaceId: own.workspaceId, codeId }, { atMs: Date.now() - minutes * minuteMs }),
  );
  const scans = [early!, between!, later!];
  const taken = await plane.internal('POST', `/internal/scans?segment=${codeId}`, linesOf(scans));
  expect(taken).toMatchObject({ body: { counted: 3 } });
  await doSlice(await erasureOf(codeId, 'events', before(3 * minuteMs)));
  const { rows } = await plane.pool.query(
    `SELECT id FROM webhook_events WHERE type = 'scan.created' AND data ->> 'qrId' = $1`,
    [codeId],
  );
  expect(rows).toEqual([{ id: later!.id }]);
});

test('counters that changes hold are not waited for', async () => {
  const { id: codeId } = await own.createCode({ data: 'https://left.example/' });
  await own.call('PUT', `/api/qr/codes/${codeId}`, { destination: 'https://other.example/' });
  const id = await erasureOf(codeId, 'history', new Date());
  const holder = await plane.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM code_facets WHERE workspace_id = $1 FOR UPDATE', [own.workspaceId]);
    await doSlice(id);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  expect(await readErasure(plane.pool, id)).toMatchObject({ state: 'erasing', step: 'events' });
});

test('events of scans that another transaction stores are erased, though it looked for erasures before there was one', async () => {
  const { pool } = plane;
  const { id: codeId } = await own.createCode();
  const webhook = { url: 'https://example.com/', events: ['scan.created'] };
  expect((await own.call('POST', '/api/webhooks', webhook)).status).toBe(201);
  const stored = createOutbox([createFanOut(collectScans)]);
  const [hasLooked, mayStore] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const outbox: Outbox = {
    async emit(tx, events) {
      hasLooked.resolve();
      await mayStore.promise;
      await stored.emit(tx, events);
    },
  };
  const lines = Buffer.from(linesOf([reportedScanOf({ workspaceId: own.workspaceId, codeId })]));
  const taking = takeSegment<ScanProblem, TakenScans>(pool, scanTables, codeId, (tx, rejections) =>
    takeScans(tx, outbox, lines, rejections),
  );
  await hasLooked.promise;
  const id = await erasureOf(codeId, 'events', new Date(Date.now() + minuteMs));
  await doSlice(id);
  mayStore.resolve();
  expect((await taking).taken).toEqual({ counted: 1 });
  const step = async () => {
    await doSlice(id);
    return (await readErasure(pool, id)).step;
  };
  await expect.poll(step).toBe(null);
  const { rows } = await pool.query(
    `SELECT id FROM webhook_events WHERE data ->> 'qrId' = $1 AND type = 'scan.created'`,
    [codeId],
  );
  expect(rows).toEqual([]);
});
