import { describe, expect, test } from 'vitest';
import { bodyBytesMax, redactedBody, redactedPath } from './redact.ts';

const secret = 'hunter2hunter2';

describe('a body is kept without', () => {
  test.each<[string, unknown]>([
    ['a password', { password: secret }],
    ['a password that is no text', { password: { value: [secret] } }],
    ['the key of an encryption', { encryption: { type: 'AES', key: secret }, data: 'x' }],
    ['the data that it encrypts', { encryption: { type: 'AES', key: 'k' }, data: { text: secret } }],
    ['the password of a network', { dataType: 'wifi', data: { ssid: 'home', password: secret } }],
    ['the password in the text of a network', { data: `WIFI:S:home;P:${secret};;` }],
    ['the user and password of a URL', { destination: `https://user:${secret}@example.com/` }],
    ['the query of a URL', { destination: `https://example.com/a?token=${secret}` }],
    ['the fragment of a URL', { destination: `https://example.com/a#${secret}` }],
    ['an API key inside a text', { name: `my key is wm_${secret}` }],
    ['an API key as the name of a field', { [`wm_${secret}`]: 1 }],
    ['fields that other APIs call secret', { client_secret: secret, apiKey: secret, authToken: secret }],
    ['a picture', { image: `data:image/png;base64,${secret}` }],
    ['a picture in base64', { logo: `${secret}aaaa` }],
    ['a long text without spaces, such as base64', { data: secret.repeat(20) }],
    ['what is after its first 200 characters', { name: `${'a b '.repeat(60)}${secret}` }],
    [
      'any of these in a row of a list',
      [
        { uid: '1', password: secret },
        { encryption: {}, data: secret },
      ],
    ],
  ])('%s', (_, body) => {
    const text = redactedBody(body);
    expect(text).not.toContain(secret);
    expect(JSON.parse(text)).toBeTypeOf('object');
  });
});

test('what is no secret is kept as it was sent', () => {
  const body = {
    data: 'https://example.com/menu',
    name: 'Table 7',
    maxScans: 5,
    secure: ['password'],
    routingRules: [{ condition: { country: ['DE'] }, destination: 'https://example.com/de' }],
    password: null,
    deepLinkConfig: null,
  };
  expect(JSON.parse(redactedBody(body))).toEqual(body);
});

test('what is left out is said to be left out', () => {
  const body = {
    tags: Array.from({ length: 60 }, (_, n) => n),
    name: 'x y '.repeat(100),
    password: 'a',
    image: 'abc',
  };
  expect(JSON.parse(redactedBody(body))).toEqual({
    tags: [...Array.from({ length: 50 }, (_, n) => n), '… 10 more'],
    name: `${'x y '.repeat(50)}…`,
    password: '[redacted]',
    image: '[3 characters]',
  });
});

const deep = (depth: number): unknown => (depth === 0 ? 'end' : [deep(depth - 1), deep(depth - 1)]);

test.each<[string, unknown]>([
  ['many fields', Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`field${n}`, n]))],
  ['many rows', Array.from({ length: 1_000 }, (_, n) => ({ uid: `${n}`, data: 'https://example.com/' }))],
  ['many empty lists', Array.from({ length: 40 }, () => Array.from({ length: 40 }, () => [[], [], []]))],
  ['deep lists', deep(14)],
  ['texts of many bytes', Array.from({ length: 50 }, () => '😀 "\\ \u0001'.repeat(30))],
  ['long names', Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}${'😀'.repeat(500)}`, {}]))],
])('a body with %s is kept in at most 8 kB of valid JSON', (_, body) => {
  const text = redactedBody(body);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bodyBytesMax);
  expect(text.length).toBeGreaterThan(300);
  expect(JSON.parse(text)).toBeTypeOf('object');
});

test('a body that is no JSON is not kept', () => {
  expect([redactedBody(undefined), redactedBody(Buffer.from('abc'))]).toEqual(['', '']);
});

test('a path keeps the values of the operation’s own parameters, unless they are secret', () => {
  const known = new Set(['limit', 'cursor', 'sig', 'type']);
  expect(redactedPath('/api/qr/codes', '', known)).toBe('/api/qr/codes');
  expect(
    redactedPath(
      '/api/qr/codes',
      `limit=5&sig=${secret}&api_key=${secret}&type=wm_${secret}&cursor=abc`,
      known,
    ),
  ).toBe('/api/qr/codes?limit=5&sig=…&api_key=…&type=…&cursor=abc');
  expect(redactedPath(`/api/qr/codes/wm_${secret}`, `wm_${secret}=1`, known)).toBe(
    '/api/qr/codes/wm_…?wm_…=…',
  );
  expect(redactedPath(`/${'a'.repeat(9_000)}`, `limit=${'1&a='.repeat(5_000)}`, known).length).toBeLessThan(
    1_000,
  );
});
