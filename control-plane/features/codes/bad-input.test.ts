import { beforeAll, describe, expect, test } from 'vitest';
import { codeList } from '#schemas/api/code-lists.ts';
import type { CodeObject } from '#schemas/api/codes.ts';
import {
  errorBody,
  qrHost,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';

let plane: TestControlPlane;
let own: Workspace;
let code: CodeObject;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
  code = await own.createCode({ name: 'untouched' });
});

const good = 'https://example.com/';
const megabyte = 2 ** 20;

/** A body, the expected status, and the message or a part of it. */
type Case = [body: unknown, status: number, message: string | RegExp, headers?: Record<string, string>];

const bodies: Case[] = [
  // The body is not JSON.
  ['', 400, 'The body is empty, which is not valid JSON; send a JSON object'],
  [' \n', 400, 'The body is empty'],
  ['{', 400, 'not valid JSON'],
  ["{'name': 'x'}", 400, /not valid JSON \(at line 1 column 2\)$/],
  ['{"name":"x"}garbage', 400, 'not valid JSON'],
  [Buffer.from([0x22, 0xff, 0xfe, 0x22]), 400, 'not valid UTF-8'],
  ['{}', 400, 'Content-Type', { 'content-type': 'text/plain' }],
  ['name=x', 400, 'Content-Type', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['{}', 400, 'UTF-8', { 'content-type': 'application/json; charset=utf-16' }],
  ['{}', 400, 'Content-Encoding', { 'content-encoding': 'gzip' }],
  [Buffer.alloc(5 * megabyte + 1, 0x20), 413, 'The body must not be larger than 5 MB'],
  [`${'['.repeat(33)}${']'.repeat(33)}`, 400, 'The body must not be nested deeper than 32 levels'],
  [`[${'1,'.repeat(50_001)}1]`, 400, 'The body must not have more than 50000 fields'],
  // The body is JSON of the wrong shape.
  ['null', 400, 'The body must be an object'],
  ['[]', 400, 'The body must be an object'],
  ['"text"', 400, 'The body must be an object'],
  ['1', 400, 'The body must be an object'],
  [{ name: 1 }, 400, 'name must be a string'],
  [{ name: {} }, 400, 'name must be a string'],
  [{ nmae: 'x' }, 400, /^nmae is not a known field; accepted are (\w+, )+name, /],
  [{ scanCount: 5 }, 400, 'scanCount is not a known field'],
  ['{"__proto__":{"name":"x"}}', 400, '__proto__ is not a known field'],
  ['{"\\u005f_proto__":{"name":"x"}}', 400, '__proto__ is not a known field'],
  [{ constructor: { prototype: {} } }, 400, 'constructor is not a known field'],
  // The type is right, but the value is not acceptable.
  [{ name: 'x'.repeat(121) }, 422, 'name must have at most 120 characters'],
  [{ name: 'a\u0000b' }, 422, 'name must not contain control characters'],
  ['{"name":"\\ud800"}', 422, 'name must not contain control characters'],
];

const destinations: unknown[] = [
  '',
  'example.com',
  'javascript:alert(1)',
  'data:text/html,hi',
  'ftp://example.com/',
  'https://',
  'https:///path',
  'https://user:password@example.com/',
  'https://example.com/\n',
  'https://example.com/\u0000',
  `https://example.com/${'x'.repeat(4096)}`,
  `${qrHost}/r/123456789`,
  'HTTP://QR.EXAMPLE.COM.:80/r/123456789',
];

const expectRefusal = async (answer: { status: number; body: unknown }, [, status, message]: Case) => {
  const { error } = errorBody.parse(answer.body);
  expect({ status: answer.status, error }).toEqual({
    status,
    error: expect.stringMatching(
      message instanceof RegExp ? message : message.replaceAll(/[.[\]]/g, String.raw`\$&`),
    ),
  });
  expect(JSON.stringify(answer.body)).not.toMatch(/at \w+ \(|node_modules|\.ts:/);
};

const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
const title = (value: unknown): string =>
  shown(Buffer.isBuffer(value) ? value.toString('hex', 0, 8) : (JSON.stringify(value) ?? ''));

describe('POST /api/qr/codes refuses, and stores nothing', () => {
  const withData = (body: unknown) => {
    if (typeof body === 'string') return body.replace(/^\{"/, `{"data":"${good}","`);
    return typeof body === 'object' && body !== null && !Buffer.isBuffer(body)
      ? { data: good, ...body }
      : body;
  };
  const cases: Case[] = [
    ...bodies.map(([body, ...rest]): Case => [withData(body), ...rest]),
    [{}, 400, 'data is required'],
    [{ name: 'x' }, 400, 'data is required'],
    [{ data: null }, 400, 'data must be a string'],
    [{ data: 5 }, 400, 'data must be a string'],
    [{ data: { url: good } }, 400, 'data must be a string'],
    [{ data: good, dataType: 'fax' }, 422, 'dataType must be one of url, text'],
    [{ data: good, dataType: 'URL' }, 422, 'dataType must be one of url, text'],
    [{ data: good, dataType: 1 }, 400, 'dataType must be one of url, text'],
    [{ data: good, dataType: null }, 400, 'dataType must be one of url, text'],
    [{ data: good, status: 'inactive' }, 400, 'status is not a known field'],
    ...destinations.map((data): Case => [{ data }, 422, /^data must /]),
  ];

  test.each(cases.map((each) => [title(each[0]), each] as const))('%s', async (_, each) => {
    const [body, , , headers] = each;
    await expectRefusal(await own.call('POST', '/api/qr/codes', body, headers), each);
  });

  test('none of these is stored', async () => {
    const { pagination } = codeList.parse((await own.call('GET', '/api/qr/codes')).body);
    expect(pagination.total).toBe(1);
  });
});

describe('PUT /api/qr/codes/{id} refuses, and changes nothing', () => {
  const cases: Case[] = [
    ...bodies,
    [{ destination: null }, 400, 'destination must be a string'],
    [{ destination: 5 }, 400, 'destination must be a string'],
    [{ status: 'paused' }, 422, 'status must be one of active, inactive'],
    [{ status: null }, 400, 'status must be one of active, inactive'],
    [{ status: true }, 400, 'status must be one of active, inactive'],
    [{ data: good }, 400, 'data is not a known field'],
    [{ name: 'changed', destination: 'javascript:alert(1)' }, 422, 'destination must '],
    ...destinations.map((destination): Case => [{ destination }, 422, /^destination must /]),
  ];

  test.each(cases.map((each) => [title(each[0]), each] as const))('%s', async (_, each) => {
    const [body, , , headers] = each;
    await expectRefusal(await own.call('PUT', `/api/qr/codes/${code.id}`, body, headers), each);
  });

  test('none of these changes the code', async () => {
    expect((await own.call('GET', `/api/qr/codes/${code.id}`)).body).toEqual(code);
  });
});

test('several faults are all reported, a wrong shape before a wrong value; the first names its field', async () => {
  const answer = await own.call('POST', '/api/qr/codes', { data: 'nowhere', name: 1, extra: true });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    error: 'name must be a string; given: 1',
    code: 'INVALID_REQUEST',
    details: [
      expect.stringMatching(/^extra is not a known field; accepted are data, dataType, name, /),
      "data must be an absolute http or https URL with a host; given: 'nowhere'",
    ],
  });
});

test('a thousand unknown fields do not give a thousand messages', async () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`field${n}`, n]));
  const answer = await own.call('PUT', `/api/qr/codes/${code.id}`, many);
  expect(answer.status).toBe(400);
  expect(errorBody.parse(answer.body).details?.length).toBeLessThan(20);
});

test('a message quotes only a little of a long request', async () => {
  const long = 'x'.repeat(3 * megabyte);
  for (const body of [{ [long]: 1 }, { name: long }, { status: long }, { data: good, dataType: long }]) {
    const answer = await own.call('PUT', `/api/qr/codes/${code.id}`, body);
    expect([400, 422]).toContain(answer.status);
    expect(JSON.stringify(answer.body).length).toBeLessThan(2_000);
  }
});

test('a body just under the operation’s limit is read', async () => {
  const body = `{"name":"${' '.repeat(4 * megabyte - 100)}"}`;
  const answer = await own.call('PUT', `/api/qr/codes/${code.id}`, body);
  expect(answer.status).toBe(422);
});

test.each([
  'days=0',
  'days=91',
  'days=x',
  'timezone=Mars/Olympus',
  'timezone=%2B02:00',
  // In no IANA database: Intl has it from ICU.
  'timezone=SystemV/PST8',
  'timezone=',
  'days=1&days=2',
])('analytics?%s answers 400 naming the parameter', async (query) => {
  const answer = await own.call('GET', `/api/qr/codes/${code.id}/analytics?${query}`);
  expect(answer.status).toBe(400);
  expect(errorBody.parse(answer.body).error).toContain(query.slice(0, query.indexOf('=')));
});

test.each(['size=63', 'size=4097', 'size=big', 'format=gif', 'format=PNG', 'format='])(
  'image?%s answers 400 naming the parameter',
  async (query) => {
    const answer = await own.call('GET', `/api/qr/codes/${code.id}/image?${query}`);
    expect(answer.status).toBe(400);
    expect(errorBody.parse(answer.body).error).toContain(query.slice(0, query.indexOf('=')));
  },
);
