/** The log of requests, as a workspace reads it. */
import { beforeAll, describe, expect, test, vi } from 'vitest';
import {
  requestLogList,
  type WholeRequestLogEntry,
  wholeRequestLogEntry,
} from '#schemas/api/request-logs.ts';
import { createClickHouse } from '#shared/clickhouse.ts';
import { afterFile, freePort } from '../../../deploy/testing/local.ts';
import {
  type Answer,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { insertRows } from './store.ts';

const timeout = 20_000;
let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
});

const idOf = ({ headers }: Answer): string => headers.get('request-id')!;

const list = async ({ call }: Pick<Workspace, 'call'>, query = '') => {
  const { status, body } = await call('GET', `/api/qr/request-logs${query}`);
  expect([status, body]).toEqual([200, expect.anything()]);
  return requestLogList.parse(body);
};

const idsIn = async (workspace: Workspace, query: string): Promise<string[]> =>
  (await list(workspace, query)).data.map(({ id }) => id);

/** The entry of a request, once it is written. */
const logged = async ({ call }: Pick<Workspace, 'call'>, id: string): Promise<WholeRequestLogEntry> => {
  const read = () => call('GET', `/api/qr/request-logs/${id}`);
  await expect.poll(async () => (await read()).status, { timeout }).toBe(200);
  return wholeRequestLogEntry.parse((await read()).body);
};

test('a successful request is in the log with its outcome, its key and its network, and without its body', async () => {
  const own = await plane.workspace();
  const answer = await own.call(
    'POST',
    '/api/qr/codes',
    { data: 'https://example.com/' },
    { 'x-forwarded-for': '198.51.100.77', 'waymark-idempotency-key': 'one' },
  );
  const entry = await logged(own, idOf(answer));
  const { rows } = await plane.pool.query('SELECT id FROM api_keys WHERE workspace_id = $1', [
    own.workspaceId,
  ]);
  expect(entry).toEqual({
    id: idOf(answer),
    at: expect.any(String),
    method: 'POST',
    route: '/api/qr/codes',
    path: '/api/qr/codes',
    status: 201,
    errorCode: null,
    errorParam: null,
    errorMessage: null,
    durationMs: expect.any(Number),
    keyId: rows[0].id,
    network: '198.51.100.0/24',
    idempotencyKeySent: true,
    requestBody: null,
  });
  expect(Math.abs(Date.now() - Date.parse(entry.at))).toBeLessThan(600_000);
});

test('a failed request is in the log with its error and its body, whose secrets are left out', async () => {
  const own = await plane.workspace();
  const body = {
    data: 'nowhere',
    password: 'hunter2',
    secure: ['password'],
    image: 'data:image/png;base64,AAAA',
  };
  const answer = await own.call('POST', '/api/qr/codes', body, { 'x-forwarded-for': '2001:db8:1:2::3' });
  expect(await logged(own, idOf(answer))).toMatchObject({
    status: 422,
    errorCode: 'UNPROCESSABLE',
    errorParam: (answer.body as { param: string }).param,
    errorMessage: (answer.body as { error: string }).error,
    network: '2001:db8:1::/48',
    idempotencyKeySent: false,
    requestBody: { data: 'nowhere', password: '[redacted]', secure: ['password'], image: '[26 characters]' },
  });
});

test('refusals of every step are in the log: of the query, the plan, the id and what is no JSON', async () => {
  const own = await plane.workspace({ plan: 'free' });
  const { id } = await own.createCode();
  const answers = [
    await own.call('GET', `/api/qr/codes?limit=0&token=hunter2`),
    await own.call('POST', '/api/qr/menus', { name: 'Menu', password: 'x' }),
    await own.call('GET', '/api/qr/codes/nX5cPq7Rk'),
    await own.call('PUT', `/api/qr/codes/${id}`, '{"password": "hunter2'),
    await own.call('HEAD', `/api/qr/codes/${id}`),
  ];
  const entries = await Promise.all(answers.map((each) => logged(own, idOf(each))));
  expect(
    entries.map(({ method, path, route, status, errorCode }) => [method, path, route, status, errorCode]),
  ).toEqual([
    ['GET', '/api/qr/codes?limit=0&token=…', '/api/qr/codes', 400, 'INVALID_REQUEST'],
    ['POST', '/api/qr/menus', '/api/qr/menus', 403, 'FEATURE_NOT_ON_PLAN'],
    ['GET', '/api/qr/codes/nX5cPq7Rk', '/api/qr/codes/{id}', 404, 'NOT_FOUND'],
    ['PUT', `/api/qr/codes/${id}`, '/api/qr/codes/{id}', 400, 'INVALID_REQUEST'],
    ['HEAD', `/api/qr/codes/${id}`, '/api/qr/codes/{id}', 200, null],
  ]);
  expect(JSON.stringify(entries)).not.toContain('hunter2');
});

describe('a list', () => {
  let own: Workspace;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    own = await plane.workspace();
    const note = async (name: string, ...call: Parameters<Workspace['call']>) => {
      ids[name] = idOf(await own.call(...call));
    };
    await note('created', 'POST', '/api/qr/codes', { data: 'https://example.com/' });
    await note('listed', 'GET', '/api/qr/codes?limit=5');
    await note('missing', 'GET', '/api/qr/codes/nX5cPq7Rk');
    await note('invalid', 'PUT', '/api/qr/codes/nX5cPq7Rk', { surprise: 1 });
    await vi.waitFor(
      async () => expect(await idsIn(own, '')).toEqual(expect.arrayContaining(Object.values(ids))),
      {
        timeout,
        interval: 100,
      },
    );
  });

  test('has the newest first, and only what matches every filter', async () => {
    const [key] = (await list(own, '?limit=1&method=POST')).data;
    for (const [query, names] of Object.entries({
      '?status=404': ['missing'],
      '?status=4xx&method=PUT': ['invalid'],
      '?method=POST': ['created'],
      '?route=/api/qr/codes': ['listed', 'created'],
      '?route=/api/qr/codes/%7Bid%7D': ['invalid', 'missing'],
      '?route=/api/qr/codes/%7Bid%7D&status=404': ['missing'],
      '?status=5xx': [],
      [`?keyId=${key!.keyId}&method=PUT`]: ['invalid'],
      '?keyId=key_none': [],
      '?to=2020-01-01': [],
      [`?from=${Date.now() + 3_600_000}`]: [],
      [`?to=${Date.now() + 60_000}&method=PUT`]: ['invalid'],
    }))
      expect([query, await idsIn(own, query)]).toEqual([query, names.map((name) => ids[name])]);
  });

  test('is read page by page, each request once; a cursor continues its own filters only', async () => {
    const query = `?route=/api/qr/codes/%7Bid%7D&limit=1`;
    const first = await list(own, query);
    const { nextCursor } = first.pagination;
    const second = await list(own, `${query}&cursor=${nextCursor}`);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual([ids.invalid, ids.missing]);
    expect(second.pagination).toEqual({ limit: 1, cursor: nextCursor, nextCursor: null });
    // A page of another size continues.
    expect(await idsIn(own, `?route=/api/qr/codes/%7Bid%7D&limit=9&cursor=${nextCursor}`)).toEqual([
      ids.missing,
    ]);
    const other = await plane.workspace();
    for (const call of [
      own.call('GET', `/api/qr/request-logs?limit=1&cursor=${nextCursor}`),
      own.call('GET', `/api/qr/request-logs${query}&status=4xx&cursor=${nextCursor}`),
      other.call('GET', `/api/qr/request-logs${query}&cursor=${nextCursor}`),
    ])
      expect(await call).toMatchObject({ status: 400, body: { param: 'cursor' } });
  });

  test('has nothing of another workspace, and neither has the look at one request', async () => {
    const other = await plane.workspace();
    expect(await idsIn(other, '')).toEqual([]);
    for (const id of Object.values(ids))
      expect((await other.call('GET', `/api/qr/request-logs/${id}`)).status).toBe(404);
  });

  test.each([
    ['status=99', /^status must be a status such as 404, or a class of them such as 4xx/],
    ['status=9xx', /^status must be/],
    ['method=get', /^method must be one of GET, HEAD, /],
    ['from=yesterday', /^from must be an ISO 8601 instant/],
    ['from=2030-01-02&to=2030-01-01', /^to must be later than from/],
    ['keyId=', /^keyId must have at least 1 character/],
  ])('refuses %s', async (query, message) => {
    const answer = await own.call('GET', `/api/qr/request-logs?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(message) } });
  });
});

test('of requests with the same id, the latest is returned; an id that is not in the log is 404', async () => {
  const own = await plane.workspace();
  const again = { 'request-id': 'order-17-retried' };
  await own.call('GET', '/api/qr/codes', undefined, again);
  await own.call('GET', '/api/qr/codes/nX5cPq7Rk', undefined, again);
  await expect.poll(async () => (await list(own)).data.length, { timeout }).toBeGreaterThanOrEqual(2);
  expect(await logged(own, again['request-id'])).toMatchObject({ status: 404 });
  expect(await own.call('GET', '/api/qr/request-logs/never-seen')).toMatchObject({
    status: 404,
    body: { error: "There is no request with the id 'never-seen' in the log" },
  });
});

test('a request of more than seven days ago is not shown, and its day is dropped as a whole', async () => {
  const own = await plane.workspace();
  const clickhouse = createClickHouse(plane.clickhouseUrl, 'test', 10_000);
  afterFile(() => clickhouse.close());
  const dayMs = 86_400_000;
  const row = {
    workspace_id: own.workspaceId,
    method: 'GET',
    route: '/api/qr/codes',
    path: '/api/qr/codes',
    status: 200,
    error_code: '',
    error_param: '',
    error_message: '',
    duration_ms: 1,
    key_id: 'key_1',
    network: '',
    idempotency_key: false,
    body: '',
  };
  const at = (days: number) => Date.now() - days * dayMs;
  await insertRows(clickhouse, `young of ${own.workspaceId}`, [
    { ...row, at: at(6.9), seq: '1', request_id: 'young-enough' },
    { ...row, at: at(7.1), seq: '2', request_id: 'too-old-by-hours' },
  ]);
  expect(await idsIn(own, '?limit=100&method=GET&route=/api/qr/codes')).toEqual(['young-enough']);
  expect((await own.call('GET', '/api/qr/request-logs/too-old-by-hours')).status).toBe(404);
  const result = await clickhouse.query({
    query: `SELECT engine_full AS engine, partition_key AS key FROM system.tables WHERE database = currentDatabase() AND name = 'request_log'`,
    format: 'JSONEachRow',
  });
  expect(await result.json()).toMatchObject([
    {
      engine: expect.stringMatching(/TTL toDateTime\(at\) \+ toIntervalDay\(7\) .*ttl_only_drop_parts = 1/),
      key: 'toDate(at)',
    },
  ]);
});

test('the same batch sent twice is stored once', async () => {
  const own = await plane.workspace();
  await own.call('GET', '/api/qr/codes', undefined, { 'request-id': 'first-of-all' });
  const clickhouse = createClickHouse(plane.clickhouseUrl, 'test', 10_000);
  afterFile(() => clickhouse.close());
  const row = {
    workspace_id: own.workspaceId,
    at: Date.now(),
    seq: '1',
    request_id: 'sent-in-a-batch',
    method: 'GET',
    route: '/x',
    path: '/x',
    status: 200,
    error_code: '',
    error_param: '',
    error_message: '',
    duration_ms: 1,
    key_id: 'key_1',
    network: '',
    idempotency_key: false,
    body: '',
  };
  const name = `batch of ${own.workspaceId}`;
  await insertRows(clickhouse, name, [row]);
  await insertRows(clickhouse, name, [row]);
  expect(await idsIn(own, '?route=/x')).toEqual(['sent-in-a-batch']);
});

test('while ClickHouse is away, requests are answered as ever, and only the log is 503', async () => {
  const away = await startTestControlPlane({ clickhouseUrl: `http://127.0.0.1:${await freePort()}/waymark` });
  const own = await away.workspace();
  for (let n = 0; n < 3; n++)
    expect((await own.call('POST', '/api/qr/codes', { data: 'https://a.example/' })).status).toBe(201);
  expect(await own.call('GET', '/api/qr/request-logs')).toMatchObject({
    status: 503,
    body: { error: 'The log of requests is temporarily unavailable', code: 'UNAVAILABLE' },
  });
  const metrics = String((await away.internal('GET', '/metrics')).body);
  expect(metrics).toMatch(/^waymark_request_log_rows_waiting [4-9]/m);
  expect(metrics).toContain('waymark_request_log_rows_total{how="dropped"} 0');
});

test('a stop writes the rows that are still in memory', async () => {
  const stopped = await startTestControlPlane();
  const own = await stopped.workspace();
  const id = idOf(await own.call('GET', '/api/qr/codes'));
  await stopped.close();
  const next = await startTestControlPlane({
    databaseUrl: stopped.databaseUrl,
    clickhouseUrl: stopped.clickhouseUrl,
  });
  const { status } = await next.callWith(own.apiKey)('GET', `/api/qr/request-logs/${id}`);
  expect(status).toBe(200);
});
