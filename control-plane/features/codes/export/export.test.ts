import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type CodeObject, wholeCodeObject } from '#schemas/api/codes.ts';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { createLogger } from '#shared/logger.ts';
import { afterFile } from '../../../../deploy/testing/local.ts';
import { startRelay } from '../../../../deploy/testing/relay.ts';
import { attachment } from '../../../api/http/attachment.ts';
import { createStreams, streamLimits } from '../../../api/http/streams.ts';
import { pageReads } from '../../../platform/db/page-reads.ts';
import { createPool } from '../../../platform/db/pool.ts';
import {
  errorBody,
  logo,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { clearOfMidnight } from '../../../testing/midnight.ts';
import { readWholePage } from '../store/pages.ts';
import { codePages } from './pages.ts';

let plane: TestControlPlane;
let clickhouse: ClickHouseClient;

const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
// The tests must not run over midnight.
await clearOfMidnight();
const today = dayBefore(0);

const exported = ({ call }: Pick<Workspace, 'call'>, path = '/api/qr/codes/export') => call('GET', path);

const textOf = ({ body }: { body: unknown }): string => String(body);

const csvOf = (text: string): Record<string, string>[] => parse(text, { bom: true, columns: true });

const linesOf = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Codes made by {@link insertCodes}; no two have the same id. */
let inserted = 2 ** 20;

/** Inserts codes in bulk. @returns their ids, oldest first */
const insertCodes = async ({ workspaceId }: Workspace, count: number, style?: object): Promise<string[]> => {
  const first = inserted;
  inserted += count;
  const { rows } = await plane.pool.query<{ id: string }>(
    `INSERT INTO codes (id, workspace_id, data_type, destination, style)
     SELECT lpad(translate(to_hex(n + $3), '0', 'x'), 9, 'y'), $1, 'url', 'https://example.com/' || n, $4
     FROM generate_series(1, $2) AS n ORDER BY n RETURNING id`,
    [workspaceId, count, first, style ?? null],
  );
  return rows.map(({ id }) => id);
};

beforeAll(async () => {
  plane = await startTestControlPlane();
  clickhouse = createClickHouse(plane.clickhouseUrl, 'test', 10_000);
  afterFile(() => clickhouse.close());
});

describe('csv', () => {
  test('has every code once, oldest first, over many pages', async () => {
    const workspace = await plane.workspace();
    const ids = await insertCodes(workspace, 1_234);
    const answer = await exported(workspace);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="waymark-codes-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(csvOf(textOf(answer)).map(({ id }) => id)).toEqual(ids);
  });

  test('has the fields of the code object, and the columns to create the code again', async () => {
    const workspace = await plane.workspace();
    const made = await workspace.createCode({
      name: '=HYPERLINK("https://evil.example")',
      data: 'https://example.com/ü?a=1,2',
      preset: 'ocean',
      dotsOptions: { type: 'dots', color: '#0c4a6e' },
      maxScans: 7,
      expiresAt: '2099-01-01T00:00:00Z',
      campaign: {
        status: 'active',
        variants: [{ id: 'a', name: 'A', destination: 'https://a.example/', weight: 1 }],
      },
    });
    const [row] = csvOf(textOf(await exported(workspace)));
    expect(row).toMatchObject({
      id: made.id,
      type: 'dynamic',
      name: `'${made.name}`,
      dataType: 'url',
      destination: 'https://example.com/ü?a=1,2',
      redirectUrl: made.redirectUrl,
      status: 'active',
      encrypted: 'false',
      passwordProtected: 'false',
      expiresAt: '2099-01-01T00:00:00.000Z',
      maxScans: '7',
      scanCount: '0',
      secure: 'expire',
      createdAt: made.createdAt,
      preset: 'ocean',
      brandKitId: '',
      stale: '',
    });
    expect(JSON.parse(row!.styleJson!)).toEqual({ dotsOptions: { type: 'dots', color: '#0c4a6e' } });
    expect(JSON.parse(row!.campaign!)).toMatchObject({ status: 'active' });
  });

  test('of a workspace without codes is only the header', async () => {
    const text = textOf(await exported(await plane.workspace()));
    expect(text).toMatch(/^\ufeffid,type,name,.*,stale\r\n$/);
  });
});

test('ndjson has the whole code object of each code, one per line', async () => {
  const workspace = await plane.workspace();
  const rules = [{ id: 'de', condition: { country: ['DE'] }, destination: 'https://example.de/' }];
  for (const body of [{ image: logo }, { dataType: 'text', data: 'two\nlines' }, { routingRules: rules }])
    await workspace.createCode(body);
  const answer = await exported(workspace, '/api/qr/codes/export?format=ndjson');
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
  const lines = linesOf(textOf(answer));
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    const read = await workspace.call('GET', `/api/qr/codes/${line.id}`);
    expect(wholeCodeObject.strict().parse(line)).toEqual(read.body);
  }
});

test('scanCount is the number of recorded scans', async () => {
  const workspace = await plane.workspace();
  const code = await workspace.createCode();
  await insertScans(code, workspace.workspaceId, 3);
  const lines = async () => linesOf(textOf(await exported(workspace, '/api/qr/codes/export?format=ndjson')));
  // If ClickHouse takes more than a second, the count is not current.
  await expect
    .poll(lines, { interval: 500 })
    .toEqual([expect.objectContaining({ id: code.id, scanCount: 3 })]);
});

test('without ClickHouse codes are still exported, and each line says that its count is not current', async () => {
  const workspace = await plane.workspace();
  const ids = await insertCodes(workspace, 60);
  const cut = await startTestControlPlane({
    databaseUrl: plane.databaseUrl,
    clickhouseUrl: 'http://127.0.0.1:1/waymark',
  });
  const own = { ...workspace, call: cut.callWith(workspace.apiKey) };
  const rows = csvOf(textOf(await exported(own)));
  expect(rows.map(({ id, scanCount, stale }) => [id, scanCount, stale])).toEqual(
    ids.map((id) => [id, '0', 'scanCount']),
  );
  const lines = linesOf(textOf(await exported(own, '/api/qr/codes/export?format=ndjson')));
  expect(lines[0]).toMatchObject({ scanCount: 0, stale: ['scanCount'] });
});

test('if codes are made or changed meanwhile, every code that existed is exported once', async () => {
  const workspace = await plane.workspace();
  const ids = await insertCodes(workspace, 600);
  const text = await exported(workspace).then(textOf);
  const racing = exported(workspace);
  await Promise.all([
    insertCodes(workspace, 50),
    plane.pool.query(`UPDATE codes SET name = 'new' WHERE workspace_id = $1`, [workspace.workspaceId]),
  ]);
  expect(csvOf(text).map(({ id }) => id)).toEqual(ids);
  const found = csvOf(textOf(await racing)).map(({ id }) => id!);
  expect(new Set(found).size).toBe(found.length);
  expect(found.slice(0, ids.length)).toEqual(ids);
});

test('codes of other workspaces are not exported', async () => {
  const [own, other] = [await plane.workspace(), await plane.workspace()];
  await insertCodes(other, 3);
  const [id] = await insertCodes(own, 1);
  for (const format of ['csv', 'ndjson', 'nginx-map']) {
    const text = textOf(await exported(own, `/api/qr/codes/export?format=${format}`));
    expect(text.match(/example\.com\/\d/g)?.length ?? 0).toBe(1);
    expect(text).toContain(id);
  }
});

test('three exports an hour of one subscription, of codes and of scans together, announced by draft-7 headers; refusals and HEAD do not count', async () => {
  const workspace = await plane.workspace({ limits: { exportsPerHour: undefined } });
  const { id } = await workspace.createCode();
  for (const wrong of [
    '/api/qr/codes/export?format=pdf',
    '/api/qr/codes/export?a=b',
    `/api/qr/codes/${id}/scans.csv?days=x`,
  ])
    expect((await exported(workspace, wrong)).status).toBe(400);
  for (let other = 0; other < 4; other++)
    expect((await exported(workspace, '/api/qr/codes/nothing/scans.csv')).status).toBe(404);
  for (const path of ['/api/qr/codes/export', `/api/qr/codes/${id}/scans.csv`])
    expect((await workspace.call('HEAD', path)).status).toBe(200);
  const paths = [
    '/api/qr/codes/export?format=ndjson',
    `/api/qr/codes/${id}/scans.csv`,
    '/api/qr/codes/export',
  ];
  for (const [at, path] of paths.entries()) {
    const answer = await exported(workspace, path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^limit=3, remaining=${2 - at}, reset=\\d+$`));
    expect(answer.headers.get('ratelimit-policy')).toBe('3;w=3600');
  }
  const refused = await exported(workspace, paths[0]);
  expect(refused.status).toBe(429);
  expect(errorBody.parse(refused.body).error).toMatch(
    /^More than 3 exports in an hour of one subscription; try again in /,
  );
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
  expect((await exported(await plane.workspace())).status).toBe(200);
});

test('an export that fails before its first byte does not count, and its answer says so', async () => {
  const relay = await startRelay(plane.clickhouseUrl);
  const cut = await startTestControlPlane({ clickhouseUrl: relay.url });
  const workspace = await cut.workspace({ limits: { exportsPerHour: undefined } });
  const { id } = await workspace.createCode();
  const scans = () => exported(workspace, `/api/qr/codes/${id}/scans.csv`);
  relay.cut();
  const failed = await Promise.all([1, 2, 3].map(scans));
  expect(failed.map(({ status }) => status)).toEqual([503, 503, 503]);
  const remaining = failed.map(({ headers }) => /remaining=(\d)/.exec(headers.get('ratelimit')!)?.[1]);
  expect(remaining.sort().at(-1)).toBe('3');
  relay.mend();
  for (const left of [2, 1, 0]) {
    const answer = await scans();
    expect([answer.status, answer.headers.get('ratelimit')]).toEqual([
      200,
      expect.stringContaining(`remaining=${left},`),
    ]);
  }
  expect((await scans()).status).toBe(429);
});

test('only one page is read ahead of the reader; meanwhile no database connection is held', async () => {
  const workspace = await plane.workspace();
  await insertCodes(workspace, 1_000);
  const pool = createPool(plane.databaseUrl, 'test', createLogger('test', 'silent'), 1);
  afterFile(() => pool.end());
  const query = vi.spyOn(pool, 'query');
  const { pieces } = attachment(
    'codes',
    'text/plain',
    (async function* () {
      for await (const page of codePages(pageReads(pool), workspace.workspaceId, readWholePage))
        yield () => `${page.length}\n`;
    })(),
  );
  const streams = createStreams({ ...streamLimits, onEnded: () => undefined, onRefused: () => undefined });
  const pages = streams.written('own', pieces!)[Symbol.asyncIterator]();
  for (let read = 1; read <= 3; read++) {
    await pages.next();
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
    // One extra query finds the end of the export.
    expect(query.mock.calls.length - 1).toBeLessThanOrEqual(read + 1);
  }
  await pages.return?.();
});

test('pages of large codes are short: at most half a megabyte and one code', async () => {
  const workspace = await plane.workspace();
  const ids = [
    ...(await insertCodes(workspace, 150)),
    ...(await insertCodes(workspace, 6, { image: `data:image/png;base64,${'A'.repeat(900_000)}` })),
    ...(await insertCodes(workspace, 20)),
  ];
  const seen: string[] = [];
  for await (const page of codePages(plane.pool, workspace.workspaceId, readWholePage)) {
    seen.push(...page.map(({ id }) => id));
    expect(page.filter(({ style }) => style !== null).length).toBeLessThanOrEqual(1);
  }
  expect(seen).toEqual(ids);
});

/** A scan each second, from the beginning of a day. */
const insertScans = (code: CodeObject, workspaceId: string, count: number, day = today): Promise<unknown> =>
  clickhouse.command({
    query: `INSERT INTO scans SELECT generateUUIDv4(), toDateTime64({day:String}, 3, 'UTC') + number, {workspaceId:String},
      {id:String}, 'scan', 'mobile', 'ios', number, 'Safari', 'DE', '=1+1', 'flyer', 'a', 'r1' FROM numbers({count:UInt32})`,
    query_params: { workspaceId, id: code.id, count, day },
  });

describe('scans.csv', () => {
  test('has the stored fields of each scan, oldest first, over many pages, and neither an address nor a user agent', async () => {
    const workspace = await plane.workspace();
    const code = await workspace.createCode();
    await insertScans(code, workspace.workspaceId, 11_000);
    const answer = await exported(workspace, `/api/qr/codes/${code.id}/scans.csv?from=${today}&to=${today}`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
    const rows = csvOf(textOf(answer));
    expect(rows).toHaveLength(11_000);
    expect(rows[10]).toEqual({
      time: `${today}T00:00:10.000Z`,
      kind: 'scan',
      device: 'mobile',
      os: 'ios',
      browser: 'Safari',
      country: 'DE',
      referrer: "'=1+1",
      source: 'flyer',
      variant: 'a',
      rule: 'r1',
      visitor: 'v000000000000000a',
    });
    const times = rows.map(({ time }) => time!);
    expect(times).toEqual([...new Set(times)].sort());
  });

  test('has the scans of whole UTC days, by days or from and to', async () => {
    const workspace = await plane.workspace();
    const code = await workspace.createCode();
    const [yesterday, before] = [dayBefore(1), dayBefore(2)];
    for (const day of [today, yesterday, before]) await insertScans(code, workspace.workspaceId, 2, day);
    const daysOf = async (query: string) => {
      const answer = await exported(workspace, `/api/qr/codes/${code.id}/scans.csv?${query}`);
      return [...new Set(csvOf(textOf(answer)).map(({ time }) => time!.slice(0, 10)))];
    };
    expect(await daysOf('')).toEqual([before, yesterday, today]);
    expect(await daysOf('days=2')).toEqual([yesterday, today]);
    expect(await daysOf(`from=${before}&to=${yesterday}`)).toEqual([before, yesterday]);
  });

  test.each([
    ['days=91', 'days must be a whole number from 1 to 90'],
    ['from=2030-01-31', 'to must be given together with the other end of the window'],
    ['from=2030-01-31&to=2030-01-30', "to must not be before from; given: '2030-01-30'"],
    ['from=2030-01-01&to=2030-04-01', 'to must be at most 89 days after from'],
    ['from=2030-02-30&to=2030-03-01', 'from must be a day such as 2030-01-31'],
    ['days=3&from=2030-01-01&to=2030-01-02', 'days must not be given together with from and to'],
  ])('%s is refused', async (query, message) => {
    const workspace = await plane.workspace();
    const { id } = await workspace.createCode();
    const answer = await exported(workspace, `/api/qr/codes/${id}/scans.csv?${query}`);
    expect(answer.status).toBe(400);
    expect(errorBody.parse(answer.body).error).toContain(message);
  });

  test('of another workspace’s code are 403, of an unknown one 404', async () => {
    const [own, other] = [await plane.workspace(), await plane.workspace()];
    const { id } = await other.createCode();
    expect((await exported(own, `/api/qr/codes/${id}/scans.csv`)).status).toBe(403);
    expect((await exported(own, '/api/qr/codes/123456789/scans.csv')).status).toBe(404);
  });

  test('answers 503 if ClickHouse is away, and destroys the connection if it fails half-way', async () => {
    const workspace = await plane.workspace();
    const code = await workspace.createCode();
    await insertScans(code, workspace.workspaceId, 80_000);
    const relay = await startRelay(plane.clickhouseUrl);
    const other = await startTestControlPlane({
      databaseUrl: plane.databaseUrl,
      clickhouseUrl: relay.url,
    });
    const path = `/api/qr/codes/${code.id}/scans.csv`;
    const request = http.get(other.url + path, {
      agent: false,
      headers: { authorization: `Bearer ${workspace.apiKey}` },
    });
    const [response] = await once(request, 'response');
    request.on('error', () => undefined);
    expect(response.statusCode).toBe(200);
    response.pause();
    relay.cut();
    await expect(text(response)).rejects.toThrow();
    const answer = await exported({ ...workspace, call: other.callWith(workspace.apiKey) }, path);
    expect(answer.status).toBe(503);
    expect(errorBody.parse(answer.body).error).toBe('Scans are temporarily unavailable');
  });
});
