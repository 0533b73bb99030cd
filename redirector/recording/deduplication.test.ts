/** How long ClickHouse deduplicates a batch. */

import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { pino } from 'pino';
import { beforeAll, expect, test, vi } from 'vitest';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { loadSettings } from '#shared/config.ts';
import { afterFile, createTestClickHouse } from '../../deploy/testing/index.ts';
import { append, batchOf, openTestSpool, rowsOf } from '../testing/spool.ts';
import { createClickHouseSink, retryHours } from './clickhouse-sink.ts';
import type { Segment } from './segment.ts';

const logger = pino({ level: 'silent' });
let client: ClickHouseClient;

beforeAll(async () => {
  client = createClickHouse(await createTestClickHouse(), 'test', 60_000);
  afterFile(() => client.close());
});

/** Every table that a scan reaches. */
const tables = [
  'scans',
  'scans_daily',
  'scans_daily_breakdown',
  'scans_quarterly',
  'scans_quarterly_breakdown',
  'scan_changes',
  'scan_log',
];

const windowOf = async (table: string): Promise<number> => {
  const result = await client.query({
    query:
      'SELECT engine_full AS engine FROM system.tables WHERE database = currentDatabase() AND name = {table:String}',
    query_params: { table },
    format: 'JSONEachRow',
  });
  const [{ engine } = { engine: '' }] = await result.json<{ engine: string }>();
  return Number(/non_replicated_deduplication_window = (\d+)/.exec(engine)?.[1]);
};

const setWindow = async (inserts: number): Promise<void> => {
  for (const table of tables) {
    await client.command({
      query: `ALTER TABLE ${table} MODIFY SETTING non_replicated_deduplication_window = ${inserts}`,
    });
  }
};

const countsOf = async (codeId: string, using = client) => {
  const result = await using.query({
    query: `SELECT toUInt32((SELECT count() FROM scans WHERE code_id = {id:String})) AS raw,
      toUInt32((SELECT sum(scans) FROM scans_daily WHERE code_id = {id:String})) AS daily,
      toUInt32((SELECT sum(scans) FROM scans_daily_breakdown WHERE code_id = {id:String} AND dimension = 'os')) AS os`,
    query_params: { id: codeId },
    format: 'JSONEachRow',
  });
  return (await result.json())[0];
};

const segmentOf = async (codeId: string, rows = 7): Promise<Segment> => {
  const { spool } = await openTestSpool();
  await append(spool, batchOf(Array.from({ length: rows }, (_, n) => ({ codeId, source: `source${n}` }))));
  await spool.rotate();
  return spool.first()!;
};

const send = (segment: Segment, using = client): Promise<void> =>
  createClickHouseSink(using, logger).send(segment, new AbortController().signal);

test('every table that a scan reaches recognises a batch for six hours of INSERTs of all processes together', async () => {
  const { insertsPerSecond } = loadSettings({}).redirector;
  const reached = await client.query({
    query: `SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE 'scan%'
            AND engine LIKE '%MergeTree' ORDER BY name`,
    format: 'JSONEachRow',
  });
  expect((await reached.json<{ name: string }>()).map(({ name }) => name).sort()).toEqual(tables.toSorted());
  for (const table of tables) {
    expect(await windowOf(table)).toBeGreaterThanOrEqual(retryHours * 3600 * insertsPerSecond);
  }
});

test('a retry after an outage counts once, in the rollups too, if the window reaches back to the first attempt', async () => {
  const deployed = await windowOf('scans');
  const segment = await segmentOf('retried');
  // The window is scaled down by the same factor as the outage.
  await setWindow(8);
  await send(segment);
  for (let i = 0; i < 5; i++) await send(await segmentOf(`other${i}`));
  await send(segment);
  expect(await countsOf('retried')).toEqual({ raw: 7, daily: 7, os: 7 });
  // Beyond the window a batch is not recognised, so the window must be large.
  for (let i = 0; i < 10; i++) await send(await segmentOf(`another${i}`));
  await send(segment);
  expect(await countsOf('retried')).toEqual({ raw: 14, daily: 14, os: 14 });
  // After as many INSERTs the deployed window still recognises it.
  await setWindow(deployed);
  const later = await segmentOf('later');
  await send(later);
  for (let i = 0; i < 10; i++) await send(await segmentOf(`more${i}`));
  await send(later);
  expect(await countsOf('later')).toEqual({ raw: 7, daily: 7, os: 7 });
});

/** How many parts INSERTs have made in each table, without merged ones. */
const insertedParts = async (using: ClickHouseClient) => {
  const result = await using.query({
    query: `SELECT table, toUInt32(count()) AS parts FROM system.parts
            WHERE database = currentDatabase() AND table LIKE 'scan%' AND min_block_number = max_block_number
            GROUP BY table ORDER BY table`,
    format: 'JSONEachRow',
  });
  return result.json();
};

test('a segment is one block in every table and its dimensions are kept apart, whatever the server profile says', async () => {
  const url = await createTestClickHouse();
  const withBlocksOf = (rows: number): ClickHouseClient => {
    const own = createClient({
      url,
      log: { level: ClickHouseLogLevel.OFF },
      clickhouse_settings: {
        max_insert_block_size: String(rows),
        max_block_size: String(rows),
        min_insert_block_size_rows: String(rows),
        min_insert_block_size_rows_for_materialized_views: String(rows),
        force_grouping_standard_compatibility: 0,
        group_by_use_nulls: 1,
      },
    });
    afterFile(() => own.close());
    return own;
  };
  const [fives, threes] = [withBlocksOf(5), withBlocksOf(3)];
  const segment = await segmentOf('blocks', 20);
  await send(segment, fives);
  expect(await insertedParts(fives)).toEqual(tables.toSorted().map((table) => ({ table, parts: 1 })));
  // A retry of seven rows would deduplicate four of the blocks and store the other three again.
  await send(segment, threes);
  expect(await countsOf('blocks', threes)).toEqual({ raw: 20, daily: 20, os: 20 });
});

test('a segment of the maximum size is one block in every table', async () => {
  const using = createClickHouse(await createTestClickHouse(), 'test', 60_000);
  afterFile(() => using.close());
  const tenth = batchOf(Array.from({ length: 20_000 }, () => ({ codeId: 'large' })));
  const bytes = Buffer.concat(Array.from({ length: 10 }, () => rowsOf(tenth)));
  const segment = { name: 'large', rows: 200_000, read: () => Promise.resolve(bytes) };
  const exec = vi.spyOn(using, 'exec');
  await send(segment, using);
  expect(await insertedParts(using)).toEqual(tables.toSorted().map((table) => ({ table, parts: 1 })));
  // The embedded engine cuts only by max_block_size, a server by the other two.
  const settings = exec.mock.calls[0]![0].clickhouse_settings!;
  for (const name of ['max_block_size', 'max_insert_block_size', 'min_insert_block_size_rows'] as const) {
    expect(Number(settings[name])).toBeGreaterThanOrEqual(segment.rows);
  }
  await send(segment, using);
  expect(await countsOf('large', using)).toEqual({ raw: 200_000, daily: 200_000, os: 200_000 });
});
