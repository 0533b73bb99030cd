import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asciiDestination, createDestination } from './destination.ts';

const destination = createDestination('https://qr.example.com');
const refusal = (text: unknown): string | undefined => destination.safeParse(text).error?.issues[0]?.message;

describe('a destination is an absolute http or https URL with a host', () => {
  test.each([
    'https://example.com',
    'HTTP://EXAMPLE.COM/',
    'http://localhost:3000/path?q=1#fragment',
    'https://münchen.example/straße?größe=1',
    'https://[2001:db8::1]:8443/',
    'https://example.com/a%20b',
    'https://example.com/r/abc',
    'https://qr.example.com/',
    'https://qr.example.com/p/page_1',
    'https://qr.example.com:8443/r/abc',
    'https://qr.example.com/x/r/abc',
    `https://example.com/${'a'.repeat(4096 - 'https://example.com/'.length)}`,
  ])('%s is accepted', (text) => {
    expect(refusal(text)).toBeUndefined();
  });

  test.each([
    '',
    'example.com',
    '//example.com',
    '/path',
    'javascript:alert(1)',
    'JaVaScRiPt://example.com/%0aalert(1)',
    'data:text/html,hi',
    'ftp://example.com/',
    'mailto:a@example.com',
    'http:example.com',
    'http:/example.com',
    'http:\\\\example.com',
    'http://',
    'https:///example.com',
    'https://?q=1',
    'https://#fragment',
    'https://exa mple.com',
    ' https://example.com',
    'https://example.com ',
    'https://example.com/a b',
    'https://example.com/\n',
    'https://exam\tple.com',
    'https://example.com/\u0000',
    'https://example.com/\u2028',
    'https://example.com/\ud800',
    'https://user@example.com/',
    'https://user:password@example.com/',
    'https://bank.example@evil.example/',
    'https://999.999.999.999/',
    'https://[::1/',
    'https://example.com:99999/',
    'https://xn--\u0000/',
    `https://example.com/${'a'.repeat(4096)}`,
    `https://example.com/${'ü'.repeat(2000)}`,
  ])('%j is refused', (text) => {
    expect(refusal(text)).toMatch(/^must /);
  });
});

describe('a destination is not one of our own codes', () => {
  test.each([
    'https://qr.example.com/r/abc',
    'http://qr.example.com/r/abc',
    'https://QR.Example.COM/r/abc',
    'https://qr.example.com./r/abc',
    'https://qr.example.com:443/r/abc',
    'https://qr.example.com/x/../r/abc',
    'https://qr.example.com/%72/abc',
    'https://qr.example.com/r%2Fabc',
    'https://qr.example.com\\r\\abc',
    'https://qr.ex%61mple.com/r/abc',
    'https://qr.example.com/r/abc?x=1#y',
  ])('%s is refused', (text) => {
    expect(refusal(text)).toMatch(/must not be one of the codes/);
  });

  test('if the redirect host has a port, that port is ours and others are not', () => {
    const local = createDestination('http://localhost:8080');
    expect(local.safeParse('http://localhost:8080/r/abc').success).toBe(false);
    expect(local.safeParse('http://localhost:3000/r/abc').success).toBe(true);
    expect(local.safeParse('http://localhost/r/abc').success).toBe(true);
  });

  test('the redirect host may be international', () => {
    const umlaut = createDestination('https://müller.example');
    expect(umlaut.safeParse('https://MÜLLER.example/r/abc').success).toBe(false);
    expect(umlaut.safeParse('https://xn--mller-kva.example/r/abc').success).toBe(false);
  });
});

test('every accepted destination has an ASCII form that a Location header can carry, and that is itself accepted', () => {
  const anything = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string({ unit: 'binary' }).map((text) => `https://example.com/${text}`),
    fc.string({ unit: 'binary' }).map((text) => `https://${text}/`),
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(anything, (text) => {
      if (!destination.safeParse(text).success) return;
      const ascii = asciiDestination(text);
      expect(ascii).toMatch(/^https?:\/\/[!-~]+$/);
      expect(destination.safeParse(ascii).success).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
