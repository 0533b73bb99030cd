import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ScanList, type ScanObject, scanList, scanObject } from '#schemas/api/scans.ts';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { scanFoldersKey } from '#shared/delivered-scans.ts';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { afterFile } from '../../../../deploy/testing/local.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';

let plane: TestControlPlane;
let own: Workspace;
let other: Workspace;
let clickhouse: ClickHouseClient;
let redis: Redis;

beforeAll(async () => {
  plane = await startTestControlPlane();
  [own, other] = [await plane.workspace(), await plane.workspace()];
  clickhouse = createClickHouse(plane.clickhouseUrl, 'test', 10_000);
  afterFile(() => clickhouse.close());
  redis = createRedis(plane.redisUrl, { name: 'test', commandTimeoutMs: 5_000 }, pino({ level: 'silent' }));
  afterFile(() => redis.disconnect());
  await untilReady(redis);
});

let made = 0;

/** Records scans of a code, one after the other. @returns their ids */
const record = async (
  workspace: Workspace,
  scans: Record<string, unknown>[],
  code = 'code00001',
): Promise<void> => {
  await clickhouse.insert({
    table: 'scans',
    format: 'JSONEachRow',
    values: scans.map((scan) => ({
      event_id: `00000000-0000-0000-0000-${String(++made).padStart(12, '0')}`,
      workspace_id: workspace.workspaceId,
      code_id: code,
      ts: new Date().toISOString().slice(0, -1).replace('T', ' '),
      kind: 'scan',
      device: 'mobile',
      os: 'ios',
      visitor: made,
      browser: 'Safari',
      country: 'DE',
      ...scan,
    })),
  });
};

const list = async (workspace: Workspace, query = ''): Promise<ScanList> => {
  const { status, body } = await workspace.call('GET', `/api/qr/scans${query}`);
  expect(status).toBe(200);
  return scanList.parse(body);
};

const refusal = async (workspace: Workspace, query: string, headers?: Record<string, string>) => {
  const { status, body } = await workspace.call('GET', `/api/qr/scans${query}`, undefined, headers);
  return `${status} ${(body as { error: string }).error}`;
};

const sourcesOf = (scans: readonly ScanObject[]): (string | null)[] => scans.map(({ source }) => source);

/** What redirectors say: all scans up to some time ago are delivered. */
const sayDelivered = async (agoMs: number): Promise<number> => {
  const [seconds] = await redis.time();
  const nowMs = Number(seconds) * 1000;
  await redis.hset(scanFoldersKey, { since: `${nowMs - 60_000} #x`, folder: `${nowMs} ${nowMs - agoMs} 1` });
  return nowMs - agoMs;
};

describe('pages', () => {
  test('have each scan of the workspace once, the newest first or last, and nothing of a visitor', async () => {
    const workspace = await plane.workspace();
    for (const source of ['a', 'b', 'c', 'd', 'e']) await record(workspace, [{ source, kind: 'scan' }]);
    await record(workspace, [{ source: 'bot', kind: 'bot' }]);
    const all: ScanObject[] = [];
    let page = await list(workspace, '?limit=2');
    for (;;) {
      all.push(...page.data);
      const { nextCursor } = page.pagination;
      if (nextCursor === null) break;
      page = await list(workspace, `?limit=2&cursor=${nextCursor}`);
    }
    expect(sourcesOf(all)).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(Object.keys(all[0]!).sort()).toEqual(Object.keys(scanObject.shape).sort());
    expect(sourcesOf((await list(workspace, '?order=asc&kind=all')).data)).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
      'bot',
    ]);
    expect((await list(other)).data).toEqual([]);
  });

  test('have only the scans that the filters and the window let through', async () => {
    const workspace = await plane.workspace();
    const hourAgo = new Date(Date.now() - 3_600_000);
    await record(workspace, [
      { source: 'de' },
      { source: 'us', country: 'US' },
      { source: 'fr', country: 'FR' },
    ]);
    await record(workspace, [{ source: 'other code' }], 'code00002');
    await record(workspace, [{ source: 'past', ts: hourAgo.toISOString().slice(0, -1).replace('T', ' ') }]);
    const found = async (query: string) => sourcesOf((await list(workspace, query)).data).sort();
    expect(await found('?country=US,FR')).toEqual(['fr', 'us']);
    expect(await found('?country=-US,FR&code=code00001')).toEqual(['de', 'past']);
    expect(await found('?code=code00002')).toEqual(['other code']);
    const [from, to] = [new Date(hourAgo.getTime() - 1), new Date(hourAgo.getTime() + 1)].map((at) =>
      at.toISOString(),
    );
    expect(await found(`?from=${from}&to=${to}`)).toEqual(['past']);
  });

  test('say up to when they are complete, and null while no redirector says it', async () => {
    await redis.del(scanFoldersKey);
    expect((await list(own)).completeUntil).toBeNull();
    const untilMs = await sayDelivered(30_000);
    const answerMsMax = 15_000;
    expect((await list(own)).completeUntil).toBe(new Date(untilMs - answerMsMax).toISOString());
  });

  test('refuse a cursor of other filters or of another workspace, and what a format cannot do', async () => {
    const workspace = await plane.workspace();
    await record(workspace, [{}, {}]);
    const { nextCursor } = (await list(workspace, '?limit=1')).pagination;
    const wrong = '400 cursor must be a nextCursor of this list';
    expect(await refusal(workspace, `?limit=1&country=DE&cursor=${nextCursor}`)).toBe(wrong);
    expect(await refusal(other, `?limit=1&cursor=${nextCursor}`)).toBe(wrong);
    expect(await refusal(workspace, '?format=csv&limit=5')).toBe(
      '400 limit must not be given with the format csv',
    );
    expect(await refusal(workspace, '?days=5', { accept: 'text/event-stream' })).toBe(
      '400 days must not be given with a stream of events',
    );
    expect(await refusal(workspace, '?from=2020-01-01&to=2020-01-02')).toMatch(
      /^400 from must be at most 91 days ago/,
    );
    expect(await refusal(workspace, '?from=2026-01-01T00:00:00')).toMatch(/^400 from must be a day/);
    expect(await refusal(workspace, '?country=de')).toMatch(/^400 country must have countries such as DE/);
  });
});

test('all scans are in a file of lines and in a table, oldest first', async () => {
  const workspace = await plane.workspace();
  for (const source of ['a', 'b', 'c']) await record(workspace, [{ source, browser: '' }]);
  const [lines, table] = await Promise.all(
    [{ accept: 'application/x-ndjson' }, { accept: 'text/csv' }].map(async (headers) =>
      String((await workspace.call('GET', '/api/qr/scans', undefined, headers)).body),
    ),
  );
  const scans = lines!
    .trimEnd()
    .split('\n')
    .map((line) => scanObject.parse(JSON.parse(line)));
  expect(sourcesOf(scans)).toEqual(['a', 'b', 'c']);
  const [head, ...rows] = table!.trimEnd().split('\r\n');
  expect(head).toBe(`\ufeff${Object.keys(scanObject.shape).join(',')}`);
  expect(rows.map((row) => row.split(',')[10])).toEqual(['a', 'b', 'c']);
});

/** A client of the stream. */
const follow = async (workspace: Workspace, query = '', lastEventId?: string) => {
  const ended = new AbortController();
  const response = await fetch(`${plane.url}/api/qr/scans${query}`, {
    headers: {
      authorization: `Bearer ${workspace.apiKey}`,
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    signal: ended.signal,
  });
  const events: { id: string; scan: ScanObject }[] = [];
  const reading = (async () => {
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
        const fields = Object.fromEntries(
          text
            .slice(0, at)
            .split('\n')
            .map((line) => line.split(/: (.*)/s).slice(0, 2)),
        );
        text = text.slice(at + 2);
        if (fields.event === 'scan')
          events.push({ id: fields.id, scan: scanObject.parse(JSON.parse(fields.data)) });
      }
    }
  })().catch(() => undefined);
  afterFile(() => ended.abort());
  return { response, events, reading, close: () => ended.abort() };
};

describe('a stream of events', () => {
  const settle = () => sayDelivered(0);
  const got = ({ events }: Awaited<ReturnType<typeof follow>>) => sourcesOf(events.map(({ scan }) => scan));

  test('has the scans that its filters let through as they are recorded, and continues behind any of them', async () => {
    const workspace = await plane.workspace();
    await record(workspace, [{ source: 'before' }]);
    await settle();
    const all = await follow(workspace);
    const french = await follow(workspace, '?country=FR');
    expect(all.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    // A stream begins up to a second in the past, by the clocks' allowance.
    const now = (events: readonly (string | null)[]) => events.filter((source) => source !== 'before');
    for (const source of ['a', 'b', 'c'])
      await record(workspace, [{ source, country: source === 'b' ? 'FR' : 'DE' }]);
    await record(workspace, [{ source: 'bot', kind: 'bot' }]);
    await expect
      .poll(
        async () => {
          await settle();
          return now(got(all));
        },
        { timeout: 60_000 },
      )
      .toEqual(['a', 'b', 'c']);
    await expect.poll(() => got(french)).toEqual(['b']);
    all.close();
    await record(workspace, [{ source: 'd' }]);
    const b = all.events.find(({ scan }) => scan.source === 'b')!;
    const again = await follow(workspace, '', b.id);
    await expect
      .poll(
        async () => {
          await settle();
          return got(again);
        },
        { timeout: 60_000 },
      )
      .toEqual(['c', 'd']);
    french.close();
    again.close();
  });

  test('holds back scans that were recorded while an earlier one may still be on its way', async () => {
    const workspace = await plane.workspace();
    await sayDelivered(20_000);
    const stream = await follow(workspace);
    await record(workspace, [{ source: 'held back' }]);
    // A scan of another workspace that was recorded earlier is not held back.
    const probe = await plane.workspace();
    const passed = await follow(probe);
    await clickhouse.command({
      query: `INSERT INTO scan_log (workspace_id, recorded_at, event_id, ts, code_id, source)
              VALUES ('${probe.workspaceId}', now64(3) - INTERVAL 15 SECOND, generateUUIDv4(), now64(3), 'code00001', 'settled')`,
    });
    await sayDelivered(10_000);
    await expect.poll(() => got(passed), { timeout: 60_000 }).toEqual(['settled']);
    passed.close();
    expect(got(stream)).toEqual([]);
    await expect
      .poll(
        async () => {
          await settle();
          return got(stream);
        },
        { timeout: 60_000 },
      )
      .toEqual(['held back']);
    stream.close();
  });

  test('is refused beyond four of a workspace, and of another workspace it has nothing', async () => {
    const workspace = await plane.workspace();
    const streams: Awaited<ReturnType<typeof follow>>[] = [];
    for (let n = 0; n < 4; n++) streams.push(await follow(workspace));
    expect(await refusal(workspace, '', { accept: 'text/event-stream' })).toMatch(/^429 More than 4 streams/);
    const stranger = await follow(other);
    await record(workspace, [{ source: 'mine' }]);
    await expect
      .poll(
        async () => {
          await settle();
          return streams.map(got);
        },
        { timeout: 60_000 },
      )
      .toEqual(streams.map(() => ['mine']));
    expect(got(stranger)).toEqual([]);
    for (const { close } of [...streams, stranger]) close();
  });
});

test('a stream ends when its process does', async () => {
  const ending = await startTestControlPlane({ databaseUrl: plane.databaseUrl });
  const response = await fetch(`${ending.url}/api/qr/scans`, {
    headers: { authorization: `Bearer ${own.apiKey}`, accept: 'text/event-stream' },
  });
  expect(response.status).toBe(200);
  const text = response.text();
  await ending.close();
  expect(await text).toMatch(/^retry: /);
});
