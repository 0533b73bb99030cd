import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeAll, expect, test } from 'vitest';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { afterFile, createTestClickHouse, temporaryFolder } from '../../deploy/testing/index.ts';
import { sampleEvent } from '../testing/sample-event.ts';
import { createClickHouseSink } from './clickhouse-sink.ts';
import { createRowWriter } from './row-binary.ts';
import { SegmentRefusedError, type Sink, startShipper } from './shipper.ts';
import { openSpool, type Spool } from './spool.ts';

const logger = pino({ level: 'silent' });
let url: string;
let client: ClickHouseClient;
let visitor = 0;

beforeAll(async () => {
  url = await createTestClickHouse();
  client = createClickHouse(url, 'test', 10_000);
  afterFile(() => client.close());
});

const openTestSpool = async (segmentBytesMax = 2 ** 20): Promise<Spool> => {
  const folder = path.join(await temporaryFolder(), 'spool');
  const spool = await openSpool(
    { folder, bytesMax: 2 ** 30, memoryBytesMax: 0, segmentBytesMax, segmentAgeMaxMs: 60_000 },
    logger,
  );
  afterFile(() => spool.close());
  return spool;
};

const append = (spool: Spool, codeId: string, count: number): void => {
  const writer = createRowWriter(2 ** 20, [Math.floor(Math.random() * 2 ** 32), 1]);
  for (let i = 0; i < count; i++) writer.write(sampleEvent({ codeId, visitorLow: visitor++ }));
  spool.append(count, writer.bytes());
};

/** Rows of a code in the raw table, in the daily rollup, and in one breakdown. */
const counts = async (codeId: string) => {
  const result = await client.query({
    query: `SELECT (SELECT count() FROM scans WHERE code_id = {id:String}) AS raw,
      (SELECT sum(scans) FROM scans_daily WHERE code_id = {id:String}) AS daily,
      (SELECT uniqMerge(visitors) FROM scans_daily WHERE code_id = {id:String}) AS visitors,
      (SELECT sum(scans) FROM scans_daily_breakdown WHERE code_id = {id:String} AND dimension = 'country') AS countries`,
    query_params: { id: codeId },
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  const [row] = await result.json<Record<'raw' | 'daily' | 'visitors' | 'countries', number>>();
  return row!;
};

const all = (n: number) => ({ raw: n, daily: n, visitors: n, countries: n });

test('closed segments reach ClickHouse and leave the spool', async () => {
  const spool = await openTestSpool(500);
  const shipper = startShipper(spool, createClickHouseSink(client), logger);
  for (let i = 0; i < 10; i++) append(spool, 'shipped', 20);
  expect(await shipper.stop(5000)).toEqual({ rows: 0 });
  expect(spool.statistics).toMatchObject({ segments: 0, bytes: 0 });
  expect(shipper.statistics).toMatchObject({ rowsSent: 200, segmentsSent: 10, failures: 0 });
  expect(await counts('shipped')).toEqual(all(200));
});

test('a segment that is sent twice counts once, in the rollups too', async () => {
  const spool = await openTestSpool();
  append(spool, 'twice', 50);
  spool.rotate();
  const sink = createClickHouseSink(client);
  for (let i = 0; i < 3; i++) await sink.send(spool.first()!, new AbortController().signal);
  expect(await counts('twice')).toEqual(all(50));
});

test('while ClickHouse is away, scans stay in the spool; once it is back, they are sent', async () => {
  const spool = await openTestSpool();
  const away = createClickHouse('http://127.0.0.1:1/none', 'test', 1000);
  afterFile(() => away.close());
  let reachable = false;
  const sink: Sink = {
    name: 'clickhouse',
    send: (segment, signal) => createClickHouseSink(reachable ? client : away).send(segment, signal),
  };
  const shipper = startShipper(spool, sink, logger);
  append(spool, 'away', 30);
  spool.rotate();
  await sleep(300);
  expect(shipper.statistics.failures).toBeGreaterThan(0);
  expect(spool.closedRows()).toBe(30);
  reachable = true;
  expect(await shipper.stop(5000)).toEqual({ rows: 0 });
  expect(await counts('away')).toEqual(all(30));
});

test('what cannot be sent in time is kept for the next process', async () => {
  const spool = await openTestSpool();
  append(spool, 'kept', 30);
  spool.rotate();
  const sink: Sink = { name: 'none', send: () => Promise.reject(new Error('away')) };
  expect(await startShipper(spool, sink, logger).stop(50)).toEqual({ rows: 30 });
  expect(spool.first()?.rows).toBe(30);
});

test('bytes that ClickHouse cannot read are refused, not tried for ever', async () => {
  const broken = {
    name: `broken-${Date.now()}`,
    rows: 1,
    bytes: 5,
    openedAtMs: 0,
    read: () => Promise.resolve(Buffer.from([1, 2, 3, 4, 5])),
  };
  await expect(createClickHouseSink(client).send(broken, new AbortController().signal)).rejects.toThrow(
    SegmentRefusedError,
  );
});
