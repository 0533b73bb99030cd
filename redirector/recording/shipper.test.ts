import fs from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { beforeAll, expect, test } from 'vitest';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { afterFile, createTestClickHouse } from '../../deploy/testing/index.ts';
import { eventually } from '../testing/eventually.ts';
import { append, batchOf, openTestSpool } from '../testing/spool.ts';
import { createClickHouseSink } from './clickhouse-sink.ts';
import { SegmentRefusedError, type Sink, startShipper } from './shipper.ts';
import type { Spool } from './spool.ts';

const logger = pino({ level: 'silent' });
let url: string;
let client: ClickHouseClient;
let visitor = 0;

beforeAll(async () => {
  url = await createTestClickHouse();
  client = createClickHouse(url, 'test', 60_000);
  afterFile(() => client.close());
});

const appendScans = async (spool: Spool, codeId: string, count: number): Promise<void> => {
  await append(spool, batchOf(Array.from({ length: count }, () => ({ codeId, visitorLow: visitor++ }))));
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
  const { spool } = await openTestSpool({ segmentBytesMax: 500 });
  const shipper = startShipper(spool, createClickHouseSink(client, logger), logger);
  for (let i = 0; i < 10; i++) await appendScans(spool, 'shipped', 20);
  expect(await shipper.stop(60_000)).toEqual({ rows: 0 });
  await eventually(() => expect(spool.statistics).toMatchObject({ segments: 0, bytes: 0 }));
  expect(shipper.statistics).toMatchObject({ rowsSent: 200, segmentsSent: 10, failures: 0 });
  expect(await counts('shipped')).toEqual(all(200));
});

test('a segment sent twice counts once, in the rollups too', async () => {
  const { spool } = await openTestSpool();
  await appendScans(spool, 'twice', 50);
  await spool.rotate();
  const sink = createClickHouseSink(client, logger);
  for (let i = 0; i < 3; i++) await sink.send(spool.first()!, new AbortController().signal);
  expect(await counts('twice')).toEqual(all(50));
});

test('while ClickHouse is down, scans stay in the spool; once it is back, they are sent', async () => {
  const { spool } = await openTestSpool();
  const away = createClickHouse('http://127.0.0.1:1/none', 'test', 1000);
  afterFile(() => away.close());
  let reachable = false;
  const sink: Sink = {
    name: 'clickhouse',
    send: (segment, signal) => createClickHouseSink(reachable ? client : away, logger).send(segment, signal),
  };
  const shipper = startShipper(spool, sink, logger);
  await appendScans(spool, 'away', 30);
  await spool.rotate();
  await eventually(() => expect(shipper.statistics.failures).toBeGreaterThan(0));
  expect(spool.closedRows()).toBe(30);
  reachable = true;
  expect(await shipper.stop(60_000)).toEqual({ rows: 0 });
  expect(await counts('away')).toEqual(all(30));
});

test('segments that cannot be sent in time are kept for the next process', async () => {
  const { spool } = await openTestSpool();
  await appendScans(spool, 'kept', 30);
  await spool.rotate();
  const sink: Sink = { name: 'none', send: () => Promise.reject(new Error('away')) };
  expect(await startShipper(spool, sink, logger).stop(50)).toEqual({ rows: 30 });
  expect(spool.first()?.rows).toBe(30);
});

test('bytes that ClickHouse cannot read are refused, and not retried forever', async () => {
  const broken = {
    name: `broken-${Date.now()}`,
    rows: 1,
    read: () => Promise.resolve(Buffer.from([1, 2, 3, 4, 5])),
  };
  await expect(
    createClickHouseSink(client, logger).send(broken, new AbortController().signal),
  ).rejects.toThrow(SegmentRefusedError);
});

test('a segment is not refused for good if the table does not exist yet or does not take scans yet', async () => {
  const { spool } = await openTestSpool();
  await appendScans(spool, 'early', 30);
  await spool.rotate();
  const empty = createClickHouse(new URL('/default', url).href, 'test', 60_000);
  afterFile(() => empty.close());
  const unready = createClickHouse(await createTestClickHouse(), 'test', 60_000);
  afterFile(() => unready.close());
  await unready.command({ query: 'ALTER TABLE scans ADD CONSTRAINT views_exist CHECK code_id != code_id' });
  for (const [to, why] of [
    [empty, 'UNKNOWN_TABLE'],
    [unready, 'VIOLATED_CONSTRAINT'],
  ] as const) {
    const failure = await createClickHouseSink(to, logger)
      .send(spool.first()!, new AbortController().signal)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ type: why });
    expect(failure).not.toBeInstanceOf(SegmentRefusedError);
  }
  await unready.command({ query: 'ALTER TABLE scans DROP CONSTRAINT views_exist' });
  await createClickHouseSink(unready, logger).send(spool.first()!, new AbortController().signal);
  const result = await unready.query({ query: 'SELECT count() FROM scans', format: 'TabSeparated' });
  expect((await result.text()).trim()).toBe('30');
});

test('a segment that was sent and cannot be deleted is not sent again, and is deleted once possible', async () => {
  const { spool, folder } = await openTestSpool();
  const sink = createClickHouseSink(client, logger);
  await appendScans(spool, 'undeleted', 10);
  await spool.rotate();
  const file = path.join(folder, fs.readdirSync(folder)[0]!);
  let sent = 0;
  const shipper = startShipper(
    spool,
    {
      name: 'clickhouse',
      async send(segment, signal) {
        await sink.send(segment, signal);
        sent++;
        // From now on a folder has the file's name, so the file cannot be deleted.
        if (sent > 1) return;
        fs.renameSync(file, `${file}.kept`);
        fs.mkdirSync(path.join(file, 'not empty'), { recursive: true });
      },
    },
    logger,
  );
  await eventually(() => expect(spool.statistics).toMatchObject({ segments: 0, sentSegments: 1 }));
  expect(spool.statistics.bytes).toBeGreaterThan(0);
  // Later segments are sent and deleted.
  for (let i = 0; i < 3; i++) {
    await appendScans(spool, 'undeleted', 10);
    await spool.rotate();
  }
  await eventually(() => expect(shipper.statistics.rowsSent).toBe(40));
  expect(await shipper.stop(60_000)).toEqual({ rows: 0 });
  // A file is gone from the folder a moment before its segment counts as deleted.
  await eventually(() => expect(spool.statistics.sentSegments).toBe(1));
  expect(fs.readdirSync(folder)).toHaveLength(2);
  expect(sent).toBe(4);
  // The next process finds the segment, and sends it under its name.
  fs.rmSync(file, { recursive: true });
  fs.renameSync(`${file}.kept`, file);
  const next = (await openTestSpool({ folder })).spool;
  expect(next.closedRows()).toBe(10);
  expect(await startShipper(next, sink, logger).stop(60_000)).toEqual({ rows: 0 });
  expect(await counts('undeleted')).toEqual(all(40));
  await eventually(() => expect(spool.statistics).toMatchObject({ sentSegments: 0, bytes: 0 }));
});

test('a segment whose rows no sink can read is set aside after ten attempts, and the next one is sent', async () => {
  const { spool } = await openTestSpool();
  let attempts = 0;
  const sink: Sink = {
    name: 'none',
    send: (segment) => {
      if (segment.rows === 1) return Promise.resolve();
      attempts++;
      return Promise.reject(new SegmentRefusedError('no'));
    },
  };
  await appendScans(spool, 'refused', 2);
  await spool.rotate();
  await appendScans(spool, 'taken', 1);
  await spool.rotate();
  const shipper = startShipper(spool, sink, logger, 1);
  await eventually(() => expect(shipper.statistics.rowsSent).toBe(1));
  expect(attempts).toBe(10);
  expect(spool.statistics).toMatchObject({ rejectedSegments: 1, rejectedRows: 2 });
  await shipper.stop(0);
});
