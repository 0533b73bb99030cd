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

/** @param ts may be long ago: a scan may have waited in a spool */
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

/** The counts of a process, and how often it has asked for counts. */
const start = () => {
  const client = createClickHouse(url, 'test-counts', 10_000);
  afterFile(() => client.close());
  const query = vi.spyOn(client, 'query');
  const counts = createScanCounts(client, logger);
  return {
    async of(...ids: string[]) {
      const { counts: found, stale } = await counts.of(workspaceId, ids);
      expect(stale).toBe(false);
      return ids.map((id) => found.get(id));
    },
    asked: () => query.mock.calls.filter(([{ query: text }]) => text.includes('scans_daily')).length,
  };
};

test('a count is not asked for again while nobody scans', async () => {
  const counts = start();
  await recordScan('idle');
  await counts.of('idle', 'never');
  // The first answer is older than the first look at what changes.
  await vi.waitFor(async () => {
    const before = counts.asked();
    expect(await counts.of('idle', 'never')).toEqual([1, 0]);
    expect(counts.asked()).toBe(before);
  });
  const before = counts.asked();
  for (let i = 0; i < 30; i++) {
    await sleep(50);
    expect(await counts.of('idle', 'never')).toEqual([1, 0]);
  }
  expect(counts.asked()).toBe(before);
});

test('a scan is counted within a second of its record, also one that waited in a spool', async () => {
  const counts = start();
  const id = 'scanned';
  for (let scans = 1; scans <= 5; scans++) {
    await recordScan(id, new Date(Date.now() - (scans % 2) * 86_400_000));
    await vi.waitFor(async () => expect(await counts.of(id)).toEqual([scans]), {
      timeout: 1000,
      interval: 20,
    });
    await sleep(scans * 60);
  }
});

test('a count that was read before its scan arrived is read again', async () => {
  const counts = start();
  const ids = Array.from({ length: 20 }, (_, n) => `racing${n}`);
  let reading = true;
  const readers = (async () => {
    while (reading) await counts.of(...ids);
  })();
  await sleep(700);
  await Promise.all(ids.map((id) => recordScan(id)));
  await sleep(1000);
  expect(await counts.of(...ids)).toEqual(ids.map(() => 1));
  reading = false;
  await readers;
});

test('nobody asks for changes when nobody reads counts', async () => {
  const client = createClickHouse(url, 'test-idle', 10_000);
  afterFile(() => client.close());
  const query = vi.spyOn(client, 'query');
  createScanCounts(client, logger);
  await sleep(700);
  expect(query).not.toHaveBeenCalled();
});
