import { describe, expect, test } from 'vitest';
import { createVisitHeaders, type VisitHeaders } from './visit-headers.ts';

type Line = readonly [name: string, value: string];

const requestOf = (lines: readonly Line[]) => ({
  forEach(visit: (name: string, value: string) => void) {
    for (const [name, value] of lines) visit(name, value);
  },
});

/** The headers that are read by name. */
const named = ['user-agent', 'referer', 'sec-purpose', 'purpose', 'x-moz', 'x-purpose'] as const;

/** Everything that is read of a request. All requests share one headers object. */
const all = (headers: VisitHeaders): Record<string, string> => ({
  ...Object.fromEntries(named.map((name) => [name, headers.getHeader(name)])),
  'x-forwarded-for': headers.forwardedFor,
  'cf-ipcountry': headers.country,
});

const empty = Object.fromEntries([...named, 'x-forwarded-for', 'cf-ipcountry'].map((name) => [name, '']));

describe('a request keeps nothing of the request before it', () => {
  test.each(Object.keys(empty))('%s', (name) => {
    const read = createVisitHeaders('cf-ipcountry');
    expect(all(read(requestOf([[name, 'of the first']])))).toEqual({ ...empty, [name]: 'of the first' });
    expect(all(read(requestOf([['host', 'x']])))).toEqual(empty);
    expect(all(read(requestOf([[name, 'of the third']])))).toEqual({ ...empty, [name]: 'of the third' });
  });
});

describe('if a header has several lines', () => {
  const lines = (name: string) => requestOf([1, 2, 3].map((n): Line => [name, `line ${n}`]));

  test.each(named)('the first counts: %s', (name) => {
    expect(createVisitHeaders('cf-ipcountry')(lines(name)).getHeader(name)).toBe('line 1');
  });

  test('all lines of X-Forwarded-For form one list', () => {
    const { forwardedFor } = createVisitHeaders(undefined)(lines('x-forwarded-for'));
    expect(forwardedFor).toBe('line 1,line 2,line 3');
  });

  test('the last country counts', () => {
    expect(createVisitHeaders('cf-ipcountry')(lines('cf-ipcountry')).country).toBe('line 3');
  });
});

test('no country is read if no header gives it', () => {
  expect(createVisitHeaders(undefined)(requestOf([['cf-ipcountry', 'DE']])).country).toBe('');
});

test('a header that a visit does not read is refused', () => {
  expect(() => createVisitHeaders(undefined)(requestOf([])).getHeader('cookie')).toThrow('cookie');
});
