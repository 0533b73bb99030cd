/** What blocks a URL: the bounded look-up agrees with a slow reading of the rules, however the URL is written. */
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readEntry, writtenEntry } from './entry.ts';
import { entryLengthMax, hashesOf, textsOf } from './expressions.ts';
import { placeOf } from './place.ts';

const isBlocked = (url: string, entry: string): boolean =>
  textsOf(placeOf(new URL(url))).includes(readEntry(entry).lookup);

const decodedFully = (text: string): string => {
  const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return decoded === text ? text : decodedFully(decoded);
};

/** Without a table, an index or a bound: the host label by label from its end, the path segment by segment. */
const isBlockedSlowly = (url: string, host: string, path: string): boolean => {
  const labelsOf = (name: string) => name.split('.').filter((label) => label !== '');
  const segmentsOf = (name: string) =>
    decodedFully(name)
      .split('/')
      .filter((segment) => segment !== '');
  const { hostname, pathname } = new URL(url);
  const [labels, blocked] = [
    labelsOf(hostname).reverse(),
    labelsOf(new URL(`http://${host}`).hostname).reverse(),
  ];
  if (!blocked.every((label, at) => labels[at] === label)) return false;
  const [segments, below] = [segmentsOf(pathname), segmentsOf(new URL(`http://a${path}`).pathname)];
  return below.every((segment, at) => segments[at] === segment);
};

const label = fc.constantFrom('a', 'evil', 'xn--bcher-kva', 'bücher', 'B\u00dcCHER', 'www', 'x1', 'ＥＶＩＬ');
const hostName = fc
  .array(label, { minLength: 1, maxLength: 5 })
  .map((labels) => `${labels.join('.')}.example`);
const segment = fc.constantFrom('a', 'login', 'é', 'a b', '100%', 'A');

/** Each character as it is, or escaped up to three times. */
const written = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...[...encodeURIComponent(text).matchAll(/%..|./g)].map(([part]) =>
        fc.constantFrom(0, 1, 2, 3).map((times) => {
          let out = part!;
          if (times > 0 && out.length === 1) out = `%${out.charCodeAt(0).toString(16)}`;
          for (let at = 1; at < times; at++) out = out.replaceAll('%', '%25');
          return out;
        }),
      ),
    )
    .map((parts) => parts.join(''));

const path = fc.array(segment, { maxLength: 5 });
const writtenPath = (segments: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('/', '//', '/./', '/x/../'), fc.tuple(...segments.map(written)))
    .map(([slash, parts]) => parts.map((part) => slash + part).join('') || '/');

const authority = (host: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('', 'user@', 'good.example:pw@'),
      fc.constantFrom(
        host,
        host.toUpperCase(),
        host.replace(/[a-z]/, (c) => `%${c.charCodeAt(0).toString(16)}`),
      ),
      fc.constantFrom('', '.'),
      fc.constantFrom('', ':443', ':8080'),
    )
    .map((parts) => parts.join(''));

const givenUrl = fc
  .tuple(hostName, path)
  .chain(([host, segments]) =>
    fc
      .tuple(
        fc.constantFrom('http://', 'HTTPS://'),
        authority(host),
        writtenPath(segments),
        fc.constantFrom('', '?q=/x', '#f'),
      )
      .map((parts) => parts.join('')),
  );

const encoded = (segments: readonly string[]): string =>
  segments.map((each) => `/${encodeURIComponent(each)}`).join('');

describe('a URL is blocked exactly if it is at or below an entry', () => {
  test('however its host, its port, its user name and its escapes are written', () => {
    fc.assert(
      fc.property(givenUrl, hostName, path, (url, host, segments) => {
        const below = encoded(segments);
        expect(isBlocked(url, host + below)).toBe(isBlockedSlowly(url, host, below));
      }),
      { numRuns: 2_000 },
    );
  });

  test('also for the entry that is the URL itself, which is never missed', () => {
    fc.assert(
      fc.property(
        fc.tuple(hostName, path, fc.nat(5), fc.nat(5)).chain(([host, segments, up, above]) =>
          fc.tuple(authority(host), writtenPath(segments)).map(([name, at]) => ({
            url: `https://${name}${at}`,
            entry:
              host
                .split('.')
                .slice(Math.min(up, host.split('.').length - 1))
                .join('.') + encoded(segments.slice(0, above)),
          })),
        ),
        ({ url, entry }) => {
          expect(isBlocked(url, entry)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['https://0x7f.1/', '127.0.0.1'],
    ['https://[::ffff:127.0.0.1]/', '127.0.0.1'],
    ['https://evil.example/a%2Fb', 'evil.example/a/b'],
    ['https://evil.example/a/%252e%252e/c', 'evil.example/a'],
    ['https://evil.example/a/%252e%252e/c', 'evil.example/c'],
    ['https://a.b.c.d.e.f.g.h.i.j.k.l.m.evil.example/', 'evil.example'],
  ])('%s is blocked by %s', (url, entry) => expect(isBlocked(url, entry)).toBe(true));

  test.each([
    ['https://notevil.example/', 'evil.example'],
    ['https://evil.example.good.example/', 'evil.example'],
    ['https://evil.example/abc', 'evil.example/ab'],
    ['https://1.127.0.0.1.example/', '127.0.0.1'],
  ])('%s is not blocked by %s', (url, entry) => expect(isBlocked(url, entry)).toBe(false));
});

describe('an entry', () => {
  test.each([
    ['Evil.Example', 'evil.example'],
    ['*.evil.example', 'evil.example'],
    ['||evil.example^', 'evil.example'],
    ['0.0.0.0 evil.example', 'evil.example'],
    ['https://user@evil.example:8443/login/', 'evil.example/login'],
    ['bücher.example', 'xn--bcher-kva.example'],
    [`sha256:${'AB'.repeat(32)}`, `sha256:${'ab'.repeat(32)}`],
  ])('%s is read as %s', (given, entry) => expect(writtenEntry(readEntry(given))).toBe(entry));

  test.each([
    '',
    'http://',
    'sha256:abc',
    'evil.example/?id=1',
    `${'a.'.repeat(10)}example`,
    'x'.repeat(3_000),
  ])('that cannot be looked up is refused: %s', (given) => expect(() => readEntry(given)).toThrow(/must/));
});

test('look-ups are bounded, whatever the URL is', () => {
  const url = `https://${'a.'.repeat(120)}example/${'a/'.repeat(1_900)}?${'q'.repeat(200)}`;
  expect(textsOf(placeOf(new URL(url))).length).toBeLessThanOrEqual(170);
  expect(hashesOf(placeOf(new URL(url))).length).toBeLessThanOrEqual(42);
});

test('hashes are those of the example in the documentation of Safe Browsing', () => {
  const sha256 = (text: string) => hash('sha256', text, 'hex');
  const hashes = hashesOf(placeOf(new URL('http://a.b.com/1/2.html?param=1')));
  const expected = ['a.b.com/1/2.html?param=1', 'a.b.com/1/2.html', 'a.b.com/', 'a.b.com/1/'];
  expect(hashes).toEqual(
    expect.arrayContaining([...expected, ...expected.map((each) => each.replace('a.', ''))].map(sha256)),
  );
  expect(hashes).toHaveLength(8);
});

test('no text is looked up that is longer than every entry', () => {
  const segments = Array.from({ length: 8 }, () => 'x'.repeat(480));
  const texts = textsOf(placeOf(new URL(`https://a.b.c.d.e.f.g.h.i.example/${segments.join('/')}`)));
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(entryLengthMax);
  expect(() => readEntry(`a.example/${'ä'.repeat(1_000)}`)).toThrow('with its escapes');
  expect(readEntry(`a.example/${'x'.repeat(2_000)}`).lookup).toHaveLength(2_010);
});
