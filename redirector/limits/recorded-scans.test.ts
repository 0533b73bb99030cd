import { expect, test } from 'vitest';
import { sampleRecord } from '#schemas/testing/sample-record.ts';
import { createClickHouse } from '#shared/clickhouse.ts';
import { afterFile, createTestClickHouse } from '../../deploy/testing/index.ts';
import { createScanCount } from './recorded-scans.ts';

const clickhouse = createClickHouse(await createTestClickHouse(), 'test', 10_000);
afterFile(() => clickhouse.close());
const count = createScanCount(clickhouse);

const add = (table: string, id: string, columns: string, values: readonly string[]) =>
  clickhouse.command({
    query: `INSERT INTO ${table} (workspace_id, code_id, ${columns})
      VALUES ${values.map((each) => `('ws_1111111111111111', '${id}', ${each})`).join(', ')}`,
  });

test('counts the recorded scans of a code and its erased scans, once each', async () => {
  expect(await count(sampleRecord({ id: 'unscanned' }))).toBe(0);
  await add('scans_daily', 'cleared', 'day, scans', [`'2030-01-01', 5`, `'2030-01-02', 2`]);
  await add('scans_daily', 'other', 'day, scans', [`'2030-01-01', 9`]);
  for (const name of ['one scans', 'one days', 'one scans'])
    await add('erased_counts', 'cleared', 'name, scans', [`'${name}', 30`]);
  expect(await count(sampleRecord({ id: 'cleared' }))).toBe(67);
});

test('days that are below zero while they are erased count as none', async () => {
  await add('scans_daily', 'erasing', 'day, scans', [`'2030-01-01', toUInt64(0) - 3`]);
  expect(await count(sampleRecord({ id: 'erasing' }))).toBe(0);
});
