import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestClickHouse } from '../../../../deploy/testing/index.ts';
import { createScanCounts } from './scan-counts.ts';

const logger = createLogger('test', 'silent');
const workspaceId = 'ws_1111111111111111';
let clickhouse: ClickHouseClient;
let url: string;

beforeAll(async () => {
  url = await createTestClickHouse();
  clickhouse = createClickHouse(url, 'test', 10_000);
  afterFile(() => clickhouse.close());
});

/** @param ts may be old: a scan may have waited in a spool */
const recordScan = (codeId: string, ts = new Date()): Promise<unknown> =>
  clickhouse.insert({
    table: 'scans',
    format: 'JSONEachRow',
    values: [
      {
        event_id: crypto.randomUUID(),
        ts: ts.toISOString().slice(0, -1).replace('T', ' '),
        workspace_id: workspaceId,
        code_id: codeId,
        kind: 'scan',
        device: 'mobile',
        os: 'ios',
        visitor: 1,
      },
    ],
  });

/** The counts of a process, with the number of its queries for counts and for changes. */
const start = () => {
  const client = createClickHouse(url, 'test-counts', 10_000);
  afterFile(() => client.close());
  const query = vi.spyOn(client, 'query');
  const counts = createScanCounts(client, logger);
  const queriesOf = (table: string) =>
    query.mock.calls.filter(([{ query: text }]) => text.includes(table)).length;
  return {
    /** Repeats the read while ClickHouse is too slow to be waited for. */
    async of(...ids: string[]) {
      let answer = await counts.of(workspaceId, ids);
      while (answer.stale) {
        await sleep(20);
        answer = await counts.of(workspaceId, ids);
      }
      return ids.map((id) => answer.counts.get(id));
    },
    asked: () => queriesOf('scans_daily'),
    looked: () => queriesOf('scan_changes'),
    queried: () => query.mock.calls.length,
  };
};

test('a count is not queried again without new scans', async () => {
  const counts = start();
  await recordScan('idle');
  const reads = 100;
  const askedWhileRead = async () => {
    const before = counts.asked();
    for (let i = 0; i < reads; i++) {
      expect(await counts.of('idle', 'never')).toEqual([1, 0]);
      await sleep(10);
    }
    return counts.asked() - before;
  };
  // The first answer is older than the first query for changes.
  await counts.of('idle', 'never');
  await expect.poll(() => counts.looked()).toBeGreaterThan(1);
  // If ClickHouse is slow to report changes, nothing is certain for a while.
  expect(await askedWhileRead()).toBeLessThan(reads / 2);
});

test('a scan is counted soon after it is recorded, long before a count expires, even if it waited in a spool', async () => {
  const counts = start();
  const id = 'scanned';
  for (let scans = 1; scans <= 4; scans++) {
    await recordScan(id, new Date(Date.now() - (scans % 2) * 86_400_000));
    // A count expires after a minute.
    await expect.poll(() => counts.of(id), { timeout: 30_000, interval: 20 }).toEqual([scans]);
    await sleep(scans * 60);
  }
});

test('a count that was read before its scan arrived is read again', async () => {
  const counts = start();
  const ids = Array.from({ length: 6 }, (_, n) => `racing${n}`);
  let reading = true;
  const readers = (async () => {
    while (reading) {
      await counts.of(...ids);
      await sleep(1);
    }
  })();
  await expect.poll(() => counts.looked()).toBeGreaterThan(1);
  await Promise.all(ids.map((id) => recordScan(id)));
  await expect.poll(() => counts.of(...ids)).toEqual(ids.map(() => 1));
  reading = false;
  await readers;
});

test('changes are not queried if no counts are read', async () => {
  const [unread, read] = [start(), start()];
  await read.of('read');
  await expect.poll(() => read.looked()).toBeGreaterThan(2);
  expect(unread.queried()).toBe(0);
});
