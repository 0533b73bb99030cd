/** What is shown of sums from which scans are just being removed. */
import { expect, test } from 'vitest';
import type { CodeObject } from '#schemas/api/codes.ts';
import { createClickHouse } from '#shared/clickhouse.ts';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestClickHouse } from '../../../deploy/testing/index.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';
import { copyScansTask } from '../codes/lists/copy-scans.ts';

test('sums of days that are below zero for a while are shown as zero, and are copied', async () => {
  const clickhouseUrl = await createTestClickHouse();
  const plane = await startTestControlPlane({ clickhouseUrl });
  const clickhouse = createClickHouse(clickhouseUrl, 'test', 10_000);
  afterFile(() => clickhouse.close());
  const own = await plane.workspace();
  const [erasing, other] = [await own.createCode(), await own.createCode()];
  for (const [{ id }, scans] of [
    [erasing, 'toUInt64(0) - 3'],
    [other, '5'],
  ] as const) {
    const keys = `'${own.workspaceId}', '${id}', today() - 1`;
    await clickhouse.command({
      query: `INSERT INTO scans_daily (workspace_id, code_id, day, scans) SELECT ${keys}, ${scans}`,
    });
    await clickhouse.command({
      query: `INSERT INTO scans_daily_breakdown (workspace_id, code_id, day, dimension, value, scans)
        SELECT ${keys}, 'country', 'DE', ${scans}`,
    });
  }
  const scanCount = async ({ id }: CodeObject) =>
    ((await own.call('GET', `/api/qr/codes/${id}`)).body as CodeObject).scanCount;
  expect([await scanCount(erasing), await scanCount(other)]).toEqual([0, 5]);
  expect((await own.call('GET', '/api/qr/analytics?groupBy=code&days=7')).body).toMatchObject({
    total: { scans: 5 },
    data: [{ value: other.id, scans: 5 }],
  });
  for (const timezone of ['UTC', 'Asia/Kathmandu']) {
    const path = `/api/qr/codes/${erasing.id}/analytics?days=7&timezone=${timezone}`;
    const { status, body } = await own.call('GET', path);
    expect({ status, body }).toMatchObject({ status: 200, body: { totalScans: 0 } });
    expect(JSON.stringify(body)).not.toMatch(/\d{15}/);
  }
  const copy = copyScansTask(
    {
      connections: { jobs: plane.pool } as Parameters<typeof copyScansTask>[0]['connections'],
      clickhouse,
      logger: createLogger('test', 'silent'),
    },
    async () => null,
  );
  const copied = async () => {
    await copy.run(undefined);
    const { rows } = await plane.pool.query(
      'SELECT code_id AS id, scans::integer FROM code_scans WHERE code_id = ANY($1)',
      [[erasing.id, other.id]],
    );
    return new Map(rows.map(({ id, scans }) => [id, scans]));
  };
  const expected = new Map([
    [erasing.id, 0],
    [other.id, 5],
  ]);
  await expect.poll(copied, { timeout: 30_000 }).toEqual(expected);
});
