import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parametersLengthMax } from '#schemas/api/code-routing.ts';
import type { AddedParameters } from '#schemas/code-record.ts';
import { type AddingScan, withAdded, withParameters } from './parameters.ts';
import { scanQueryLengthMax } from './scan-query.ts';

const facts = {
  country: 'DE',
  device: 'mobile',
  os: 'ios',
  source: 'poster',
  variant: '',
  code: 'nX5cPq7Rk',
};
const scanOf = (query = '', changes: Partial<AddingScan> = {}): AddingScan => ({
  facts,
  acceptLanguage: () => 'de-CH,de;q=0.9',
  query: () => query,
  scanId: undefined,
  ...changes,
});
const add = (
  location: string,
  added: AddedParameters,
  query = '',
  changes: Partial<AddingScan> = {},
): string => withParameters(location, added, scanOf(query, changes));

/** Any text, often with what means something in a URL. */
const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...'#?&=%+/\\:@ \r\n\t\0\'"<>;,.äa0é'), maxLength: 20 }),
  fc.constantFrom('//evil.example/', '%0d%0aSet-Cookie: a=b', '#x', 'utm_source', '\ud800', '%', '%zz', 's'),
);
const rawQuery = fc.oneof(
  nasty,
  fc
    .array(fc.tuple(nasty, nasty), { maxLength: 6 })
    .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&')),
  fc.array(fc.tuple(nasty, nasty), { maxLength: 6 }).map((pairs) => String(new URLSearchParams(pairs))),
);
const location = fc
  .tuple(fc.webUrl({ withFragments: true, withQueryParameters: true }), rawQuery, nasty)
  .map(([url, query, fragment]) => {
    const made = new URL(url);
    if (query !== '') made.search = query;
    if (fragment !== '') made.hash = fragment;
    return made.href;
  });
/** The API accepts no unpaired surrogates. */
const known = nasty.map((text) => text.toWellFormed());
const added = fc.record(
  {
    forward: fc.constant(true as const),
    own: fc.array(fc.tuple(known, known), { maxLength: 5 }),
    scanId: fc.constantFrom('wm_sid', 's', 'a'),
  },
  { requiredKeys: [] },
);

describe('whatever the query of a scan', () => {
  test('the origin, the path, the user and the fragment stay, and the URL is one that the URL standard writes', () => {
    fc.assert(
      fc.property(location, added, rawQuery, (given, plan, query) => {
        const made = add(given, plan, query, { scanId: 'AAAAAAAAAAAAAAAAAAAAAA' });
        const [before, after] = [new URL(given), new URL(made)];
        for (const part of [
          'origin',
          'protocol',
          'host',
          'username',
          'password',
          'pathname',
          'hash',
        ] as const)
          expect(after[part]).toBe(before[part]);
        expect(after.href).toBe(made);
        expect(made).toMatch(/^[\x21-\x7e]*$/);
      }),
      { numRuns: 5_000 },
    );
  });

  test('the parameters are as URLSearchParams would make them: the id, the forwarded, the URL’s own, the defaults', () => {
    fc.assert(
      fc.property(location, added, rawQuery, (given, plan, query) => {
        const made = new URL(add(given, plan, query, { scanId: 'AAAAAAAAAAAAAAAAAAAAAA' }));
        const brought = plan.forward
          ? [...new URLSearchParams(query)].filter(([name]) => !['s', 'password', plan.scanId].includes(name))
          : [];
        const id = plan.scanId === undefined ? [] : [[plan.scanId, 'AAAAAAAAAAAAAAAAAAAAAA']];
        const winning = new Set([...brought, ...id].map(([name]) => name));
        const kept = [...new URL(given).searchParams].filter(([name]) => !winning.has(name));
        const names = new Set([...winning, ...kept.map(([name]) => name)]);
        const filled = (template: string) => template.replace('{none}', '');
        const defaults = (plan.own ?? [])
          .map(([name, value]) => [name, filled(value)])
          .filter(([name, value]) => value !== '' && !names.has(name!));
        expect([...made.searchParams]).toEqual([...kept, ...defaults, ...brought, ...id]);
      }),
      { numRuns: 5_000 },
    );
  });
});

test('a forwarded parameter takes the place of all of its name in the URL; those of the code are defaults', () => {
  const plan = {
    forward: true as const,
    own: [['utm_source', 'qr'] as [string, string], ['b', '9'] as [string, string]],
  };
  expect(add('https://a.example/x?b=1&b=2&c=3#y', plan, 'b=4&b=5&s=poster&password=x')).toBe(
    'https://a.example/x?c=3&utm_source=qr&b=4&b=5#y',
  );
  expect(add('https://a.example/?utm_source=own', plan)).toBe('https://a.example/?utm_source=own&b=9');
});

test('placeholders are filled and encoded; a value that is empty is left out', () => {
  const own = [
    ['all', '{country}-{device}-{os}-{source}-{code}-{language}'],
    ['variant', '{variant}'],
    ['odd', '{country'],
  ] as [string, string][];
  expect(add('https://a.example/', { own })).toBe(
    'https://a.example/?all=DE-mobile-ios-poster-nX5cPq7Rk-de&odd=%7Bcountry',
  );
  expect(add('https://a.example/', { own }, '', { facts: { ...facts, variant: 'a&b=ü' } })).toContain(
    '&variant=a%26b%3D%C3%BC&',
  );
});

test('a query of more than 2,000 characters or 50 parameters is not forwarded, and nothing makes a longer Location', () => {
  const plan = { forward: true as const };
  const long = (length: number) => `a=${'x'.repeat(length - 2)}`;
  const many = (count: number) => Array.from({ length: count }, (_, n) => `p${n}=`).join('&');
  const url = 'https://a.example/';
  expect(add(url, plan, long(scanQueryLengthMax - 1))).toHaveLength(url.length + scanQueryLengthMax);
  expect(add(url, plan, long(scanQueryLengthMax + 1))).toBe(url);
  // Each of these characters takes six once it is encoded.
  expect(add(url, plan, `a=${'ü'.repeat(400)}`)).toBe(url);
  expect(new URL(add(url, plan, many(50))).searchParams.size).toBe(50);
  expect(add(url, plan, many(51))).toBe(url);
  const own = Array.from({ length: 20 }, (_, n): [string, string] => [`p${n}`, '{variant}'.repeat(50)]);
  const made = add(url, { own }, '', { facts: { ...facts, variant: 'ü'.repeat(64) } });
  expect(made.length).toBeLessThanOrEqual(url.length + parametersLengthMax);
});

test('a page that tries an app adds to its fallback, not to the app’s own URL or its store', () => {
  const decision = {
    kind: 'app' as const,
    target: { url: 'myapp://x', storeUrl: 'https://store.example/' },
    fallback: 'https://a.example/',
    ruleId: '',
    variantId: '',
  };
  expect(withAdded(decision, { own: [['a', '1']] }, scanOf())).toEqual({
    ...decision,
    fallback: 'https://a.example/?a=1',
  });
});
