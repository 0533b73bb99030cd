import { beforeAll, describe, expect, test } from 'vitest';
import { codeList } from '#schemas/api/code-lists.ts';
import { type CodeObject, codeAnalytics, codeObject } from '#schemas/api/codes.ts';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { afterFile } from '../../../../deploy/testing/local.ts';
import {
  errorBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { clearOfMidnight } from '../../../testing/midnight.ts';
import { readAnalytics } from './analytics.ts';

let plane: TestControlPlane;
let own: Workspace;
let clickhouse: ClickHouseClient;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

interface Scan {
  ts: Date;
  kind?: 'scan' | 'bot';
  visitor?: number;
  [column: string]: unknown;
}

const recordScans = async (code: CodeObject, scans: Scan[]): Promise<void> => {
  await clickhouse.insert({
    table: 'scans',
    format: 'JSONEachRow',
    values: scans.map(({ ts, ...columns }, n) => ({
      workspace_id: own.workspaceId,
      code_id: code.id,
      ts: ts.toISOString().slice(0, -1).replace('T', ' '),
      kind: 'scan',
      device: 'mobile',
      os: 'ios',
      visitor: n,
      browser: 'Safari',
      country: 'DE',
      ...columns,
    })),
  });
};

// The tests must not run over midnight.
await clearOfMidnight();

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
  clickhouse = createClickHouse(plane.clickhouseUrl, 'test', 10_000);
  afterFile(() => clickhouse.close());
});

const analyticsOf = async (code: CodeObject, query = '') => {
  const answer = await own.call('GET', `/api/qr/codes/${code.id}/analytics${query}`);
  expect(answer.status).toBe(200);
  return codeAnalytics.parse(answer.body);
};

const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

describe('GET /api/qr/codes/{id}/analytics', () => {
  test('a code without scans has a series of thirty days of zeros that ends today', async () => {
    const code = await own.createCode();
    const beforeMs = Date.now();
    const analytics = await analyticsOf(code);
    expect(analytics).toMatchObject({
      id: code.id,
      days: 30,
      timezone: 'UTC',
      totalScans: 0,
      uniqueScans: 0,
    });
    expect([utcDay(beforeMs), utcDay(Date.now())]).toContain(analytics.to);
    expect(analytics.from).toBe(utcDay(Date.parse(analytics.to) - 29 * dayMs));
    expect(analytics.series).toHaveLength(30);
    expect(analytics.series[0]).toEqual({ date: analytics.from, scans: 0, uniqueScans: 0 });
    expect(analytics.series.at(-1)?.date).toBe(analytics.to);
    expect(analytics.countries).toEqual([]);
  });

  test('counts scans and visitors by day, country, device and so on; bots never count', async () => {
    const code = await own.createCode();
    const todayMs = Date.parse(utcDay(Date.now()));
    const today = new Date(todayMs);
    const yesterday = new Date(todayMs - 1);
    await recordScans(code, [
      { ts: today, visitor: 1, country: 'DE', source: 'flyer' },
      { ts: today, visitor: 1, country: 'DE' },
      { ts: today, visitor: 2, country: 'FR', device: 'desktop', os: 'windows', browser: 'Firefox' },
      {
        ts: yesterday,
        visitor: 3,
        country: '',
        referrer_host: 'news.example',
        variant_id: 'b',
        rule_id: 'r1',
      },
      { ts: today, visitor: 4, kind: 'bot', device: 'bot', country: 'US' },
      { ts: new Date(todayMs - 40 * dayMs), visitor: 5, country: 'JP' },
    ]);
    const analytics = await analyticsOf(code, '?days=2');
    expect(analytics).toEqual({
      id: code.id,
      days: 2,
      from: utcDay(todayMs - dayMs),
      to: utcDay(todayMs),
      timezone: 'UTC',
      totalScans: 4,
      uniqueScans: 3,
      series: [
        { date: utcDay(todayMs - dayMs), scans: 1, uniqueScans: 1 },
        { date: utcDay(todayMs), scans: 3, uniqueScans: 2 },
      ],
      countries: [
        { country: 'DE', scans: 2 },
        { country: 'FR', scans: 1 },
      ],
      devices: [
        { device: 'mobile', scans: 3 },
        { device: 'desktop', scans: 1 },
      ],
      os: [
        { os: 'ios', scans: 3 },
        { os: 'windows', scans: 1 },
      ],
      browsers: [
        { browser: 'Safari', scans: 3 },
        { browser: 'Firefox', scans: 1 },
      ],
      referrers: [{ referrer: 'news.example', scans: 1 }],
      sources: [{ source: 'flyer', scans: 1 }],
      variants: [{ variant: 'b', scans: 1 }],
      rules: [{ rule: 'r1', scans: 1 }],
    });
    expect(await analyticsOf(code, '?days=90')).toMatchObject({ totalScans: 5, uniqueScans: 4 });
    // The single scans give the same totals.
    const inZone = await analyticsOf(code, '?days=90&timezone=Africa/Abidjan');
    const { timezone: _, ...rest } = await analyticsOf(code, '?days=90');
    expect(inZone).toEqual({ ...rest, timezone: 'Africa/Abidjan' });
  });

  test('days follow the time zone, through the change to summer time', async () => {
    const code = await own.createCode();
    // Berlin: 28 March 2027 has 23 hours; UTC+1 before, UTC+2 after.
    const scans = [
      '2027-03-26T23:30Z',
      '2027-03-27T22:59Z',
      '2027-03-27T23:00Z',
      '2027-03-28T21:59Z',
      '2027-03-28T22:00Z',
    ];
    await recordScans(
      code,
      scans.map((ts) => ({ ts: new Date(ts) })),
    );
    const window = { days: 3, timezone: 'Europe/Berlin' };
    const place = { id: code.id, workspaceId: own.workspaceId };
    const analytics = await readAnalytics(clickhouse, place, window, new Date('2027-03-28T22:30Z'));
    expect(analytics.series).toEqual([
      { date: '2027-03-27', scans: 2, uniqueScans: 2 },
      { date: '2027-03-28', scans: 2, uniqueScans: 2 },
      { date: '2027-03-29', scans: 1, uniqueScans: 1 },
    ]);
    expect(analytics).toMatchObject({ totalScans: 5, from: '2027-03-27', to: '2027-03-29' });
  });

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu'])(
    'no scan is lost at the edges of %s',
    async (timezone) => {
      const code = await own.createCode();
      const now = new Date('2027-06-15T12:00Z');
      const scans = Array.from({ length: 24 * 5 }, (_, hour) => ({
        ts: new Date(now.getTime() - hour * hourMs),
      }));
      await recordScans(code, scans);
      const place = { id: code.id, workspaceId: own.workspaceId };
      const { series } = await readAnalytics(clickhouse, place, { days: 4, timezone }, now);
      expect(series.slice(0, 3).map(({ scans }) => scans)).toEqual([24, 24, 24]);
    },
  );

  test.each([
    // The first and the last minute of the window, in the zones furthest from UTC.
    ['Etc/GMT+12', '2027-06-15T12:00:00Z', '2027-06-16T11:59:00Z'],
    ['Pacific/Pago_Pago', '2027-06-15T11:00:00Z', '2027-06-16T10:59:00Z'],
    ['Pacific/Kiritimati', '2027-06-14T10:00:00Z', '2027-06-15T09:59:00Z'],
  ])('a day of %s is counted from its first minute to its last', async (timezone, first, last) => {
    const code = await own.createCode();
    const minuteMs = 60_000;
    const outside = [new Date(Date.parse(first) - minuteMs), new Date(Date.parse(last) + minuteMs)];
    await recordScans(
      code,
      [new Date(first), new Date(last), ...outside].map((ts) => ({ ts })),
    );
    const place = { id: code.id, workspaceId: own.workspaceId };
    const analytics = await readAnalytics(clickhouse, place, { days: 1, timezone }, new Date(last));
    expect(analytics).toMatchObject({
      to: '2027-06-15',
      series: [{ date: '2027-06-15', scans: 2 }],
      countries: [{ country: 'DE', scans: 2 }],
    });
  });

  test('the answer has the canonical spelling of the time zone', async () => {
    const code = await own.createCode();
    expect((await analyticsOf(code, '?timezone=europe/berlin')).timezone).toBe('Europe/Berlin');
    expect((await analyticsOf(code, '?timezone=etc/utc')).timezone).toBe('UTC');
  });

  test('an inactive code keeps its analytics', async () => {
    const code = await own.createCode();
    await recordScans(code, [{ ts: new Date() }]);
    await own.call('DELETE', `/api/qr/codes/${code.id}`);
    expect((await analyticsOf(code)).totalScans).toBe(1);
  });
});

describe('scanCount', () => {
  test('is the number of counted scans, in the object and in the list', async () => {
    const codes = [await own.createCode(), await own.createCode(), await own.createCode()] as const;
    await recordScans(codes[0], [{ ts: new Date() }, { ts: new Date(Date.now() - 80 * dayMs) }]);
    await recordScans(codes[1], [{ ts: new Date() }, { ts: new Date(), kind: 'bot' }]);
    const list = async () => codeList.parse((await own.call('GET', '/api/qr/codes?limit=3')).body);
    // If ClickHouse takes more than a second, the answer says that the counts are not current.
    await expect
      .poll(async () => (await list()).data.map(({ scanCount }) => scanCount), { interval: 500 })
      .toEqual([0, 1, 2]);
    const one = async () => {
      const { body, headers } = await own.call('GET', `/api/qr/codes/${codes[0].id}`);
      return [codeObject.parse(body).scanCount, headers.get('waymark-stale')];
    };
    await expect.poll(one, { interval: 500 }).toEqual([2, null]);
    const changed = await own.call('PUT', `/api/qr/codes/${codes[0].id}`, { name: 'counted' });
    expect(codeObject.parse(changed.body).scanCount).toBe(2);
  });
});

describe('while ClickHouse is away', () => {
  test('codes can be read, with a header saying that scanCount is not current; analytics answer 503', async () => {
    const away = await startTestControlPlane({
      clickhouseUrl: 'http://127.0.0.1:1/waymark',
    });
    const workspace = await away.workspace();
    const code = await workspace.createCode();
    for (const path of ['/api/qr/codes', `/api/qr/codes/${code.id}`]) {
      const answer = await workspace.call('GET', path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('waymark-stale')).toBe('scanCount');
    }
    for (const query of ['', '?timezone=Europe/Berlin']) {
      const answer = await workspace.call('GET', `/api/qr/codes/${code.id}/analytics${query}`);
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(errorBody.parse(answer.body).error).toBe('Analytics are temporarily unavailable');
    }
    expect(await away.internal('GET', '/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ok', unhealthy: { clickhouse: expect.any(String) } },
    });
  });
});
