import { pino } from 'pino';
import { beforeAll, expect, test } from 'vitest';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { afterFile } from '../../../../deploy/testing/local.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { deleteExpiredScans } from './task.ts';

const dayMs = 86_400_000;
let plane: TestControlPlane;
let clickhouse: ClickHouseClient;

beforeAll(async () => {
  plane = await startTestControlPlane();
  clickhouse = createClickHouse(plane.clickhouseUrl, 'test', 10_000);
  afterFile(() => clickhouse.close());
});

/** Each scan has a conversion. */
const record = async ({ workspaceId }: Workspace, daysAgo: readonly number[]): Promise<void> => {
  const values = daysAgo.map((days) => ({
    workspace_id: workspaceId,
    code_id: 'code00001',
    event_id: crypto.randomUUID(),
    ts: new Date(Date.now() - days * dayMs).toISOString().slice(0, -1).replace('T', ' '),
    kind: 'scan',
    device: 'mobile',
    country: 'DE',
  }));
  await clickhouse.insert({ table: 'scans', format: 'JSONEachRow', values });
  await clickhouse.insert({ table: 'conversions', format: 'JSONEachRow', values });
};

const numberIn = async (query: string, { workspaceId }: Workspace): Promise<number> => {
  const result = await clickhouse.query({
    query: `${query} WHERE workspace_id = '${workspaceId}'`,
    format: 'JSONEachRow',
  });
  return Number((await result.json<{ n: string }>())[0]!.n);
};

/** How many rows the tables of single scans have. */
const singleScans = (workspace: Workspace): Promise<number[]> =>
  Promise.all(
    ['scans', 'scan_log', 'conversions'].map((table) =>
      numberIn(`SELECT count() AS n FROM ${table}`, workspace),
    ),
  );

const change = (workspace: Workspace, body: object) => workspace.call('PATCH', '/api/qr/settings', body);

test('single scans, their log and their conversions are deleted once their workspace keeps them no longer; sums and other workspaces keep theirs', async () => {
  const [brief, whole] = [await plane.workspace(), await plane.workspace()];
  for (const workspace of [brief, whole]) await record(workspace, [1, 20, 40, 60]);
  expect((await change(brief, { scanRetentionDays: 30 })).status).toBe(200);
  expect((await change(whole, { scanRetentionDays: 30 })).status).toBe(200);
  expect((await change(whole, { scanRetentionDays: null })).body).toEqual({
    scanRetentionDays: null,
    scanRetentionDaysMax: 400,
  });
  const logger = pino({ level: 'silent' });
  await deleteExpiredScans({ pool: plane.pool, clickhouse, serverDays: 400, logger }, new Date());
  await expect.poll(() => singleScans(brief), { timeout: 60_000 }).toEqual([2, 2, 2]);
  expect(await singleScans(whole)).toEqual([4, 4, 4]);
  expect(await numberIn('SELECT sum(scans) AS n FROM scans_quarterly', brief)).toBe(4);
  const filtered = (days: number) => brief.call('GET', `/api/qr/analytics?country=DE&days=${days}`);
  expect((await filtered(30)).body).toMatchObject({ total: { scans: 2 } });
  expect((await filtered(31)).body).toMatchObject({
    error: expect.stringMatching(/^from must be at most 30 days ago/),
  });
  expect((await brief.call('GET', '/api/qr/analytics?days=90')).body).toMatchObject({ total: { scans: 4 } });
});

test('settings: more days than the server keeps are 422, a wrong type is 400, and another workspace keeps its own', async () => {
  const [own, other] = [await plane.workspace(), await plane.workspace()];
  expect(await change(own, { scanRetentionDays: 401 })).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining('scanRetentionDays must be at most 400') },
  });
  expect((await change(own, { scanRetentionDays: '30' })).status).toBe(400);
  expect((await change(own, { scanRetentionDays: 0 })).status).toBe(422);
  await change(own, { scanRetentionDays: 7 });
  expect((await change(own, {})).body).toMatchObject({ scanRetentionDays: 7 });
  expect((await other.call('GET', '/api/qr/settings')).body).toMatchObject({ scanRetentionDays: null });
});
