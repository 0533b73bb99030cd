import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { devices, operatingSystems, type ScanEvent, scanInsert, scanKinds } from '#schemas/scan-event.ts';
import { createClickHouse } from '#shared/clickhouse.ts';
import { afterFile, createTestClickHouse } from '../../deploy/testing/index.ts';
import { rowsOf } from '../testing/spool.ts';
import { wholeRows } from '../testing/whole-rows.ts';
import { createRowBatches } from './row-batches.ts';
import { stringLengthMax } from './row-binary.ts';
import { createScanEncoder } from './scan-encoder.ts';

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: stringLengthMax }).filter((value) => value.isWellFormed()),
  // Blank lines and statements, which ClickHouse must not read as part of the query.
  fc.constantFrom('', '\n\n', '\n\nDROP TABLE scans;\n\n', 'a'.repeat(128), 'ü'.repeat(127)),
);
const dayMs = 86_400_000;
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const event: fc.Arbitrary<ScanEvent> = fc.record({
  // ClickHouse deletes rows older than its retention.
  tsMs: fc.integer({ min: Date.now() - 300 * dayMs, max: Date.now() + 800 * dayMs }),
  workspaceId: text,
  codeId: text,
  kind: fc.constantFrom(...scanKinds),
  device: fc.constantFrom(...devices),
  os: fc.constantFrom(...operatingSystems),
  visitorHigh: int32,
  visitorLow: int32,
  browser: text,
  country: text,
  referrerHost: text,
  source: text,
  variantId: text,
  ruleId: text,
});

const write = (events: ScanEvent[], bufferBytes = 2 ** 20): Buffer => {
  const batches = createRowBatches(createScanEncoder([1, 2]), bufferBytes);
  for (const one of events) batches.write(one);
  return rowsOf(batches.take());
};

test('ClickHouse reads the events as written', async () => {
  const client = createClickHouse(await createTestClickHouse(), 'test', 60_000);
  afterFile(() => client.close());
  const events = fc
    .sample(event, 300)
    .map((one, index) => ({ ...one, codeId: `code${String(index).padStart(4, '0')}` }));
  await client.exec({ query: scanInsert, values: Readable.from([write(events)], { objectMode: false }) });
  const result = await client.query({
    query: `SELECT toUnixTimestamp64Milli(ts) AS tsMs, workspace_id AS workspaceId, code_id AS codeId, kind, device, os,
      toInt32(bitShiftRight(visitor, 32)) AS visitorHigh, toInt32(bitAnd(visitor, 4294967295)) AS visitorLow, browser,
      country, referrer_host AS referrerHost, source, variant_id AS variantId, rule_id AS ruleId
      FROM scans ORDER BY code_id`,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  expect(await result.json()).toEqual(events);
  const ids = await client.query({
    query: 'SELECT toUInt32(uniqExact(event_id)) AS n FROM scans',
    format: 'JSONEachRow',
  });
  expect(await ids.json()).toEqual([{ n: 300 }]);
});

/** Room for the longest five events possible. */
const fewBytes = 2 ** 17;

test('a file cut off anywhere is read up to its last whole row', () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 5 }), fc.nat(), (events, cut) => {
      const bytes = write(events, fewBytes);
      expect(wholeRows(bytes)).toEqual({ rows: events.length, length: bytes.length });
      const ends = events.map((_, index) => write(events.slice(0, index + 1), fewBytes).length);
      const end = cut % bytes.length;
      const rows = ends.filter((rowEnd) => rowEnd <= end).length;
      expect(wholeRows(bytes.subarray(0, end))).toEqual({ rows, length: rows === 0 ? 0 : ends[rows - 1] });
    }),
  );
});

test('arbitrary bytes are not counted as rows', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      const { length } = wholeRows(bytes);
      expect(length).toBeLessThanOrEqual(bytes.length);
    }),
  );
  expect(wholeRows(Buffer.alloc(1000, 255))).toEqual({ rows: 0, length: 0 });
});
