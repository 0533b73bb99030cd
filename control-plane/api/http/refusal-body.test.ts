/** What every refusal of the API says, wherever it comes from. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type ErrorCode, errorStatus } from '#shared/errors.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { codeOfBody } from './refusal-body.ts';

const baseUrl = 'https://api.example.com';
let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane({ environment: { BASE_URL: baseUrl } });
  own = await plane.workspace();
});

test('a refusal has its error, code and field, all faults with their codes, its explanation and the request id', async () => {
  const answer = await own.call('POST', '/api/qr/codes', { data: 'nowhere', name: 1, margin: 99 });
  const message = 'name must be a string; given: 1';
  expect(answer.body).toEqual({
    error: message,
    code: 'INVALID_REQUEST',
    param: 'name',
    errors: [
      { param: 'name', code: 'type', message },
      { param: 'margin', code: 'range', message: expect.stringMatching(/^margin must be /) },
      { param: 'data', code: 'format', message: expect.stringMatching(/^data must be an absolute/) },
    ],
    details: [expect.stringMatching(/^margin must be /), expect.stringMatching(/^data must be an absolute/)],
    docUrl: `${baseUrl}/docs/errors#INVALID_REQUEST`,
    requestId: answer.headers.get('request-id'),
  });
  const keys = ['error', 'code', 'param', 'errors', 'details', 'docUrl', 'requestId'];
  expect(Object.keys(answer.body as object)).toEqual(keys);
});

test('all faults of a query are listed, an unknown parameter first', async () => {
  const { status, body } = await own.call(
    'GET',
    '/api/qr/codes?limit=0&status=x&color=red&cursor=a&cursor=b',
  );
  expect([status, body]).toMatchObject([
    400,
    {
      error: expect.stringMatching(/^color is not a known parameter; accepted are limit, cursor, /),
      errors: [
        { param: 'color', code: 'unknown' },
        { param: 'cursor', code: 'value', message: 'cursor must be given once; given: 2 times' },
        { param: 'limit', code: 'range' },
        { param: 'status', code: 'enum' },
      ],
    },
  ]);
});

test('the path of a field inside a list of a list is its param', async () => {
  const rule = { condition: { country: ['DE', 'XX'] }, destination: 'https://example.com/' };
  const { id } = await own.createCode();
  const { body } = await own.call('PUT', `/api/qr/codes/${id}`, { routingRules: [rule] });
  expect(body).toMatchObject({
    code: 'UNPROCESSABLE',
    param: 'routingRules[0].condition.country[1]',
    errors: [{ param: 'routingRules[0].condition.country[1]', code: 'format' }],
  });
});

describe('a refusal that comes after validation has its field too', () => {
  const kit = 'bk_7Ab3kQw2ZnX5cPq7';
  test.each<[string, string, unknown, Record<string, string>, string, string]>([
    ['POST', '/api/qr/codes', { data: 'https://a.example/', brandKitId: kit }, {}, 'brandKitId', 'reference'],
    ['GET', '/api/qr/codes?cursor=abc', undefined, {}, 'cursor', 'value'],
    ['POST', '/api/qr/codes/bulk', [{ data: 'https://a.example/' }], {}, 'rows[0].uid', 'required'],
    [
      'POST',
      '/api/qr/codes/bulk',
      [{ uid: 'a', data: 'https://a.example/', preset: 'x' }],
      {},
      'rows[0].preset',
      'enum',
    ],
    ['POST', '/api/qr/codes', 'x', { 'content-type': 'text/plain' }, 'Content-Type', 'value'],
    ['POST', '/api/domains', { domain: 'nothing' }, {}, 'domain', 'value'],
    [
      'POST',
      '/api/qr/codes',
      { data: 'https://a.example/' },
      { 'Waymark-Idempotency-Key': 'x'.repeat(300) },
      'Waymark-Idempotency-Key',
      'value',
    ],
  ])('%s %s', async (method, path, body, headers, param, code) => {
    const answer = await own.call(method, path, body, headers);
    const { error } = answer.body as { error: string };
    expect(answer.body).toMatchObject({ param, errors: [{ param, code, message: error }] });
    expect(error.startsWith(param)).toBe(true);
  });
});

test('a body that is so large that a thread reads it is refused in the same words', async () => {
  const item = { name: 'Soup', description: 'x'.repeat(500), price: 5 };
  const sections = Array.from({ length: 20 }, () => ({
    name: 'All',
    items: Array.from({ length: 30 }, () => item),
  }));
  const { status, body } = await own.call('POST', '/api/qr/menus', { sections });
  const { errors } = body as { errors: unknown[] };
  expect([status, body, errors.length]).toMatchObject([
    400,
    { error: 'name is required', param: 'name' },
    50,
  ]);
  expect(errors[1]).toEqual({
    param: 'sections[0].items[0].price',
    code: 'type',
    message: 'sections[0].items[0].price must be a string; given: 5',
  });
});

test('a refusal of no single field has neither param nor errors', async () => {
  const answers = await Promise.all([
    own.call('GET', '/api/qr/codes/nX5cPq7Rk'),
    own.call('GET', '/api/nothing'),
    own.call('POST', '/api/qr/codes', '{'),
    plane.callWith('wm_unknown')('GET', '/api/qr/codes'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 400, 401]);
  for (const { body, headers } of answers) {
    expect(Object.keys(body as object)).toEqual(['error', 'code', 'docUrl', 'requestId']);
    expect(body).toMatchObject({ requestId: headers.get('request-id') });
  }
});

test('a refusal that an operation words itself ends like the others', async () => {
  const form = await own.call('POST', '/api/qr/forms', { name: 'Contact' });
  const { formId } = form.body as { formId: string };
  await own.call('PATCH', `/api/qr/forms/${formId}`, { status: 'paused' });
  const page = await plane.callWith(undefined)('GET', `/f/${formId}`, undefined, {
    accept: 'application/json',
  });
  expect([page.status, page.body]).toEqual([
    404,
    {
      error: expect.any(String),
      code: 'NOT_FOUND',
      docUrl: `${baseUrl}/docs/errors#NOT_FOUND`,
      requestId: page.headers.get('request-id'),
    },
  ]);
});

test('the request id is the client’s own if it is short and plain, and a new one otherwise', async () => {
  const idFor = async (given: string) => {
    const { body, headers } = await own.call('GET', '/api/qr/codes/nX5cPq7Rk', undefined, {
      'request-id': given,
    });
    expect(body).toMatchObject({ requestId: headers.get('request-id') });
    return headers.get('request-id');
  };
  expect(await idFor('order-17.retry_2')).toBe('order-17.retry_2');
  for (const given of ['short', 'x'.repeat(65), 'has spaces in it', '<script>alert'])
    expect(await idFor(given)).toMatch(/^[0-9a-f-]{36}$/);
});

test('every code of an error has its section at the page that docUrl names, with a cause and a remedy', async () => {
  const call = plane.callWith(undefined);
  const page = String((await call('GET', '/docs/errors', undefined, { 'accept-encoding': 'identity' })).body);
  for (const code of Object.keys(errorStatus) as ErrorCode[]) {
    const name = codeOfBody(code);
    const section = new RegExp(`<section class="row" id="${name}"[\\s\\S]*?</section>`).exec(page)?.[0] ?? '';
    expect([name, section]).toEqual([
      name,
      expect.stringMatching(/<p>\S.*<\/p>\s*<p><strong>What to do:<\/strong> \S/),
    ]);
    expect(section).toContain(`<span class="status bad">${errorStatus[code]}</span>`);
  }
});
