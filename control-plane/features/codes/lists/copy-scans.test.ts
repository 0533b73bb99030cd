import { beforeAll, expect, test } from 'vitest';
import type { CodeObject } from '#schemas/api/codes.ts';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestClickHouse } from '../../../../deploy/testing/index.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import type { ReadCap } from '../explain/cap-state.ts';
import { type CopyBounds, copyScansTask } from './copy-scans.ts';

const dayMs = 86_400_000;

let plane: TestControlPlane;
let own: Workspace;
let clickhouse: ClickHouseClient;

beforeAll(async () => {
  const clickhouseUrl = await createTestClickHouse();
  plane = await startTestControlPlane({ clickhouseUrl });
  own = await plane.workspace();
  clickhouse = createClickHouse(clickhouseUrl, 'test', 10_000);
  afterFile(() => clickhouse.close());
});

const readCap: ReadCap = async ({ maxScans }) =>
  maxScans === null ? null : { max: maxScans, taken: maxScans, exact: true };

const copy = (client = clickhouse, bounds?: CopyBounds) =>
  copyScansTask(
    {
      connections: { jobs: plane.pool } as Parameters<typeof copyScansTask>[0]['connections'],
      clickhouse: client,
      logger: createLogger('test', 'silent'),
    },
    readCap,
    bounds,
  ).run(undefined);

const record = (codeId: string, times: readonly Date[], kind = 'scan') =>
  clickhouse.insert({
    table: 'scans',
    format: 'JSONEachRow',
    values: times.map((ts, at) => ({
      event_id: crypto.randomUUID(),
      ts: ts.toISOString().slice(0, -1).replace('T', ' '),
      workspace_id: own.workspaceId,
      code_id: codeId,
      kind,
      device: 'mobile',
      os: 'ios',
      visitor: at,
    })),
  });

const listOf = async (query: string) =>
  ((await own.call('GET', `/api/qr/codes?${query}`)).body as { data: CodeObject[] }).data;

/** The plane's own task may copy at the same time; then this one leaves it to that. */
const copied = (read: () => Promise<unknown>) =>
  expect.poll(
    async () => {
      await copy();
      return read();
    },
    { timeout: 60_000 },
  );

test('lists are sorted by the scans of ClickHouse, and objects say when the last one was', async () => {
  const [few, many, none] = [await own.createCode(), await own.createCode(), await own.createCode()];
  const now = new Date();
  await record(few.id, [now]);
  await record(many.id, [new Date(now.getTime() - 5_000), new Date(now.getTime() - 9_000)]);
  await record(none.id, [now], 'bot');
  await copied(async () => (await listOf('sort=-scanCount')).map(({ id }) => id)).toEqual([
    many.id,
    few.id,
    none.id,
  ]);
  expect((await listOf('sort=-lastScannedAt')).map(({ id, lastScannedAt }) => [id, lastScannedAt])).toEqual([
    [few.id, now.toISOString()],
    [many.id, new Date(now.getTime() - 5_000).toISOString()],
    [none.id, null],
  ]);
  // A scan that comes late moves the count, and not the time.
  await record(few.id, [new Date(now.getTime() - 3 * dayMs), new Date(now.getTime() - 4 * dayMs)]);
  await copied(async () => (await listOf('sort=-scanCount')).map(({ id }) => id)).toEqual([
    few.id,
    many.id,
    none.id,
  ]);
  const read = async () => (await own.call('GET', `/api/qr/codes/${few.id}`)).body;
  await expect.poll(read).toMatchObject({ scanCount: 3, lastScannedAt: now.toISOString() });
});

test('after a pause that ClickHouse does not remember, all codes are copied', async () => {
  const code = await own.createCode();
  const long = new Date(Date.now() - 40 * dayMs);
  await record(code.id, [long]);
  await clickhouse.command({ query: 'TRUNCATE TABLE scan_changes' });
  await plane.pool.query(`UPDATE code_scans_progress SET copied_to = now() - interval '1 hour'`);
  const read = async () =>
    ((await own.call('GET', `/api/qr/codes/${code.id}`)).body as CodeObject).lastScannedAt;
  await copied(read).toBe(long.toISOString());
});

test('a code whose cap is reached is known to be', async () => {
  const code = await own.createCode({ name: 'capped', maxScans: 1 });
  await record(code.id, [new Date()]);
  await copied(async () => (await listOf('excludeCapped=true')).map(({ name }) => name)).not.toContain(
    'capped',
  );
});

test('while ClickHouse is away, the copy stays, and the next run copies', async () => {
  const code = await own.createCode();
  await record(code.id, [new Date()]);
  const away = createClickHouse('http://127.0.0.1:9/default', 'test', 500);
  afterFile(() => away.close());
  await copy(away);
  const { rows } = await plane.pool.query('SELECT held_until < now() AS free FROM code_scans_progress');
  expect(rows).toEqual([{ free: true }]);
  await copied(
    async () => ((await own.call('GET', `/api/qr/codes/${code.id}`)).body as CodeObject).lastScannedAt,
  ).not.toBe(null);
});

/** The plane's own task would copy as well: it finds the copy held from the next minute on. */
const holdForOthers = (until: string) =>
  plane.pool.query(`UPDATE code_scans_progress SET held_until = ${until}, held_by = NULL`);

const countsOf = async (codes: readonly CodeObject[]) => {
  const { rows } = await plane.pool.query<{ scans: string }>(
    'SELECT scans FROM code_scans WHERE code_id = ANY($1) ORDER BY code_id',
    [codes.map(({ id }) => id)],
  );
  return rows.map(({ scans }) => Number(scans));
};

test('a run that ends before all codes are copied is continued by the next one', async () => {
  await copied(() =>
    plane.pool.query('SELECT FROM code_scans_progress WHERE all_after_id IS NULL'),
  ).toMatchObject({ rowCount: 1 });
  const codes = [await own.createCode(), await own.createCode(), await own.createCode()];
  for (const { id } of codes) await record(id, [new Date()]);
  const atOnce = { sliceMax: 1, runMsMax: 0 };
  // Codes of other tests were scanned as well.
  for (let run = 0; run < 12; run++) {
    await holdForOthers(`'-infinity'`);
    await copy(clickhouse, atOnce);
  }
  expect(await countsOf(codes)).toEqual([1, 1, 1]);
});

test('a slow run neither takes back the counts of another one nor ends its hold', async () => {
  const code = await own.createCode();
  await record(code.id, [new Date()]);
  const counted = Promise.withResolvers<void>();
  const later = Promise.withResolvers<void>();
  // As the client, but slow once it has counted.
  const slow = Object.create(clickhouse, {
    query: {
      async value(...[query]: Parameters<ClickHouseClient['query']>) {
        const answer = await clickhouse.query(query);
        if (!query.query.includes('UNION ALL')) return answer;
        const rows = await answer.json();
        counted.resolve();
        await later.promise;
        return { json: async () => rows };
      },
    },
  }) as ClickHouseClient;
  await holdForOthers(`'-infinity'`);
  const slowRun = copy(slow);
  await counted.promise;
  await record(code.id, [new Date(), new Date()]);
  await holdForOthers(`'-infinity'`);
  await copy();
  await expect.poll(() => countsOf([code])).toEqual([3]);
  await plane.pool.query(
    `UPDATE code_scans_progress SET held_until = now() + interval '1 minute', held_by = gen_random_uuid()`,
  );
  later.resolve();
  await slowRun;
  expect(await countsOf([code])).toEqual([3]);
  const { rows } = await plane.pool.query('SELECT held_until > now() AS held FROM code_scans_progress');
  expect(rows).toEqual([{ held: true }]);
  await holdForOthers(`'-infinity'`);
});

test('excludeCapped knows the cap of a code whose scans are not recorded', async () => {
  const code = await own.createCode({ name: 'unrecorded', maxScans: 1, analytics: 'none' });
  const names = async () => (await listOf('excludeCapped=true')).map(({ name }) => name);
  expect(await names()).toContain('unrecorded');
  await copied(names).not.toContain('unrecorded');
  expect(code.scanCount).toBe(0);
});
