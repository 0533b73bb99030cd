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
import { copyScansTask } from './copy-scans.ts';

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

const copy = (client = clickhouse) =>
  copyScansTask(
    {
      connections: { jobs: plane.pool } as Parameters<typeof copyScansTask>[0]['connections'],
      clickhouse: client,
      logger: createLogger('test', 'silent'),
    },
    readCap,
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
