import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fillMarker } from '../page-kind.ts';
import { createServedPage, type ServedPage } from './served-page.ts';

const text = 'Grüße aus Köln — مرحبا. '.repeat(400);
const contentSecurityPolicy = "default-src 'none'";
const whole = createServedPage({ html: `<p>${text}</p>`, contentSecurityPolicy });
const filled = createServedPage({ html: `<p>${text}${fillMarker}${text}</p>`, contentSecurityPolicy });

/** As a client gets it. */
const get = async (served: ServedPage, accepted: string, fill = '') => {
  const { parts, ...rest } = await served.bodyOf(accepted, fill);
  return { ...rest, body: Buffer.concat(parts) };
};

const decode = { br: zlib.brotliDecompressSync, gzip: zlib.gunzipSync, none: (bytes: Buffer) => bytes };

describe('the encoding of a page', () => {
  test.each([
    ['', 'none'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-unknown', 'none'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['br;q=0.9, gzip;q=0.9', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', 'none'],
    ['*', 'br'],
    ['*;q=0', 'none'],
    ['identity, gzip;q=0.5', 'none'],
    ['identity;q=0.5, gzip;q=1.0', 'gzip'],
    ['br;q=abc', 'none'],
    [`gzip, ${'x'.repeat(16_000)}`, 'none'],
  ] as const)('for Accept-Encoding %j is %s', async (header, expected) => {
    const { body, encoding = 'none' } = await get(whole, header);
    expect(encoding).toBe(expected);
    expect(decode[encoding](body).toString()).toBe(`<p>${text}</p>`);
  });

  test('is made once, also for clients that ask at the same time', async () => {
    const [first, second] = await Promise.all([whole.bodyOf('br', ''), whole.bodyOf('br', '')]);
    expect(second.parts[0]).toBe(first.parts[0]);
    expect((await whole.bodyOf('br, gzip', '')).parts[0]).toBe(first.parts[0]);
  });

  test('is left out if the page is shorter without it', async () => {
    const short = createServedPage({ html: 'x', contentSecurityPolicy });
    expect(await get(short, 'br')).toEqual({ body: Buffer.from('x') });
    expect(await get(short, 'gzip')).toEqual({ body: Buffer.from('x') });
  });
});

describe('a page with a part that is other in each answer', () => {
  test.each(['', 'token-1', 'ü'.repeat(100_000)])('has it in its place, in gzip as well', async (fill) => {
    const expected = `<p>${text}${fill}${text}</p>`;
    const compressed = await get(filled, 'br, gzip', fill);
    expect(compressed.encoding).toBe('gzip');
    expect(zlib.gunzipSync(compressed.body).toString()).toBe(expected);
    expect((await get(filled, '', fill)).body.toString()).toBe(expected);
  });

  test('is compressed but for that part', async () => {
    const { body } = await get(filled, 'gzip', 'token');
    expect(body.length).toBeLessThan(Buffer.byteLength(text) / 10);
  });

  test('shares its bytes with all other answers, but for that part', async () => {
    for (const accepted of ['', 'gzip']) {
      const [one, other] = [await filled.bodyOf(accepted, 'one'), await filled.bodyOf(accepted, 'other')];
      const own = one.parts.filter((part) => !other.parts.includes(part));
      expect(Buffer.concat(own).length).toBeLessThan(50);
    }
  });

  test('has another tag with another part', () => {
    expect(filled.tagOf('a')).toBe(filled.tagOf('a'));
    expect(filled.tagOf('a')).not.toBe(filled.tagOf('b'));
  });
});

test('a tag names the bytes and their policy', () => {
  const tagOf = (html: string, policy = contentSecurityPolicy) =>
    createServedPage({ html, contentSecurityPolicy: policy }).tagOf('');
  expect(tagOf('a')).toBe(tagOf('a'));
  expect(new Set([tagOf('a'), tagOf('b'), tagOf('a', 'x')]).size).toBe(3);
});
