/** Control planes that are killed, lose their answers, work side by side or find a PostgreSQL that takes nothing: each scan counts once. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { VerificationEvent } from '#schemas/verification.ts';
import { createLogger } from '#shared/logger.ts';
import { internalToken } from '#shared/signing.ts';
import { queryOnce } from '../../../../deploy/embedded/parts/postgres/postgres.ts';
import {
  afterFile,
  createTestClickHouse,
  createTestDatabase,
  databaseAdminUrl,
} from '../../../../deploy/testing/index.ts';
import { createPool } from '../../../platform/db/pool.ts';
import { caller, secretKey, startTestControlPlane } from '../../../testing/control-plane.ts';
import { startPlaneProcess } from '../../../testing/plane-process.ts';
import { createWorkspace } from '../../tenancy/store.ts';
import { addBatch, linesOf, scansOf } from './testing/items.ts';
import { itemEventsTable, recordingFeatures } from './testing/recording-plane.ts';

const [databaseUrl, clickhouseUrl] = [await createTestDatabase(), await createTestClickHouse()];
const pool = createPool(databaseUrl, 'test', createLogger('test', 'silent'), 4);
afterFile(() => pool.end());
await pool.query(itemEventsTable);
const workspace = await createWorkspace(pool, 'test', 'enterprise');

const reportTo = (internalUrl: string) => (events: readonly VerificationEvent[], segment: string) =>
  caller(internalUrl, internalToken(secretKey))(
    'POST',
    `/internal/serialized/verifications?segment=${segment}`,
    linesOf(events),
  );

const startVictim = async () => {
  const plane = await startPlaneProcess(
    'control-plane/features/serialized/verification/testing/recording-plane.ts',
    { DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickhouseUrl },
  );
  await plane.ready();
  return { ...plane, report: reportTo(plane.internalUrl) };
};
const [survivor, ...victims] = await Promise.all([
  startTestControlPlane({ databaseUrl, clickhouseUrl, features: recordingFeatures }),
  startVictim(),
  startVictim(),
]);
const report = reportTo(survivor.internalUrl);

/** What is counted of a batch, by each of the places that count. */
const countsOf = async (batchId: string) => {
  const { rows } = await pool.query(
    `SELECT (SELECT scanned FROM serialized_batches WHERE id = $1) AS scanned,
            (SELECT sum(scan_count)::integer FROM serialized_items WHERE batch_id = $1) AS scans,
            count(*)::integer AS events, count(DISTINCT event->'subject'->>'id' || (event->'data'->>'scanCount'))::integer AS numbers,
            count(*) FILTER (WHERE event->>'type' = 'serialized.first_scanned')::integer AS firsts
     FROM item_events WHERE event->'data'->>'batchId' = $1`,
    [batchId],
  );
  return rows[0];
};
const counts = (items: number, scans: number) => ({
  scanned: items,
  scans,
  events: scans,
  numbers: scans,
  firsts: items,
});

const eachOnce = (items: readonly string[]) => items.map((item) => scansOf(item).claim());
const eachAgain = (items: readonly string[], seconds: number) =>
  items.map((item) => scansOf(item).again(seconds));

/** Holds rows, so that any transaction that needs them waits. */
const hold = async (sql: string, id: string) => {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query(sql, [id]);
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const waiting = async () =>
    (await pool.query('SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [rows[0]!.pid]))
      .rowCount;
  return {
    /** Resolves when somebody waits for it. */
    isWaitedFor: () => expect.poll(waiting, { interval: 20 }).toBeGreaterThan(0),
    async letGo() {
      await client.query('ROLLBACK');
      client.release();
    },
  };
};

test('a segment whose answer is lost is sent again to another plane, and adds nothing', async () => {
  const { id, items } = await addBatch(pool, workspace, 20);
  const segment = randomUUID();
  const held = await hold('SELECT FROM serialized_items WHERE batch_id = $1 FOR UPDATE', id);
  const gone = new AbortController();
  const url = `${victims[0]!.internalUrl}/internal/serialized/verifications?segment=${segment}`;
  const lost = fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${internalToken(secretKey)}` },
    body: linesOf(eachOnce(items)),
    signal: gone.signal,
  }).catch((error: unknown) => error);
  await held.isWaitedFor();
  gone.abort();
  expect(await lost).toBeInstanceOf(Error);
  // Comes while the first try is not over, and waits for it.
  const again = report(eachOnce(items), segment);
  await held.letGo();
  expect(await again).toMatchObject({ status: 200, body: { repeated: true, counted: 0 } });
  expect(await countsOf(id)).toEqual(counts(20, 20));
});

test('two planes that take segments about the same items at the same time count every scan once', async () => {
  const { id, items } = await addBatch(pool, workspace, 200);
  // No more at once than a plane has connections to the database.
  const segments = Array.from({ length: 7 }, (_, index) => {
    const events = index === 5 ? eachOnce(items) : eachAgain(items, index + 1);
    return index % 2 === 0 ? events : events.toReversed();
  });
  // Each is sent to both.
  const answers = await Promise.all(
    segments.flatMap((events) => {
      const segment = randomUUID();
      return [report, victims[0]!.report].map((send) => send(events, segment));
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(14).fill(200));
  expect(await countsOf(id)).toEqual(counts(200, 1_400));
});

test('while PostgreSQL takes no changes or its disk is full a segment is refused with 503, and counts once when it is sent again', async () => {
  const { id, items } = await addBatch(pool, workspace, 20);
  const database = new URL(databaseUrl).pathname.slice(1);
  const segment = randomUUID();
  const admin = (sql: string) => queryOnce(databaseAdminUrl(), sql);
  const reconnect = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = '${database}' AND application_name = 'waymark-requests'`;
  await admin(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
  await admin(reconnect);
  await expect.poll(async () => (await report(eachOnce(items), segment)).status).toBe(503);
  await admin(`ALTER DATABASE ${database} RESET default_transaction_read_only`);
  await admin(reconnect);
  // On connections that were made since.
  await expect.poll(async () => (await report([], randomUUID())).status).toBe(200);
  await pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER full_disk BEFORE UPDATE ON serialized_batches FOR EACH ROW EXECUTE FUNCTION refuse()`);
  const refused = await report(eachOnce(items), segment);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  await pool.query('DROP TRIGGER full_disk ON serialized_batches');
  expect(await countsOf(id)).toMatchObject({ scanned: 0, scans: 0, events: 0 });
  expect(await report(eachOnce(items), segment)).toMatchObject({ status: 200, body: { counted: 20 } });
  expect(await countsOf(id)).toEqual(counts(20, 20));
});

test.each([
  [0, 'before an item is counted', 'SELECT FROM serialized_items WHERE batch_id = $1 FOR UPDATE'],
  [1, 'after the items are counted', 'SELECT FROM serialized_batches WHERE id = $1 FOR UPDATE'],
] as const)(
  'a plane (%i) that is killed in the middle of a segment, %s, has taken nothing of it',
  async (index, _, sql) => {
    const victim = victims[index]!;
    const { id, items } = await addBatch(pool, workspace, 20);
    const segment = randomUUID();
    const events = [...eachOnce(items), ...eachAgain(items, 5)];
    const held = await hold(sql, id);
    const lost = victim.report(events, segment).catch((error: unknown) => error);
    await held.isWaitedFor();
    await victim.kill();
    expect(await lost).toBeInstanceOf(Error);
    await held.letGo();
    expect(await countsOf(id)).toEqual({ scanned: 0, scans: 0, events: 0, numbers: 0, firsts: 0 });
    expect(await report(events, segment)).toMatchObject({ status: 200, body: { repeated: false } });
    expect(await countsOf(id)).toEqual(counts(20, 40));
  },
);
