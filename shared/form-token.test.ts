import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTokens, referrerLengthMax, tokenMsMax } from './form-token.ts';

const tokens = createTokens(randomBytes(32));
const shownAt = new Date('2026-05-04T12:00:00Z');
const later = (ms: number) => new Date(shownAt.getTime() + ms);

describe('a token', () => {
  test('returns when its page was shown, and its visitor’s referrer', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: referrerLengthMax }),
        fc.date({ noInvalidDate: true }),
        (referrer, at) => {
          fc.pre(referrer.isWellFormed());
          const token = tokens.create('form_a', { shownAt: at, referrer });
          expect(token).toMatch(/^[-\w.]+$/);
          expect(tokens.read('form_a', token, at)).toEqual({
            state: 'valid',
            shown: { shownAt: at, referrer, nonce: expect.any(Buffer) },
          });
        },
      ),
    );
  });

  test('has a referrer of a bounded length, and accepts one of the largest', () => {
    const token = tokens.create('form_a', { shownAt, referrer: 'ü'.repeat(5_000) });
    expect(tokens.read('form_a', token, shownAt).shown!.referrer).toBe('ü'.repeat(referrerLengthMax));
  });

  test('is different for each page', () => {
    const nonces = Array.from({ length: 100 }, () => {
      const token = tokens.create('form_a', { shownAt, referrer: '' });
      return tokens.read('form_a', token, shownAt).shown!.nonce.toString('hex');
    });
    expect(new Set(nonces).size).toBe(100);
  });

  test('is valid for a day', () => {
    const token = tokens.create('form_a', { shownAt, referrer: '' });
    expect(tokens.read('form_a', token, later(tokenMsMax)).state).toBe('valid');
    expect(tokens.read('form_a', token, later(tokenMsMax + 1)).state).toBe('expired');
    expect(tokens.read('form_a', token, later(-60_000)).state).toBe('valid');
    expect(tokens.read('form_a', token, later(-60_001)).state).toBe('expired');
  });

  test('of another form or key, changed or invented, is invalid', () => {
    const token = tokens.create('form_a', { shownAt, referrer: 'https://example.com/' });
    expect(tokens.read('form_b', token, shownAt)).toEqual({ state: 'invalid' });
    expect(createTokens(randomBytes(32)).read('form_a', token, shownAt)).toEqual({ state: 'invalid' });
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      // The last of 22 base64 characters has four unused bits.
      expect(tokens.read('form_a', changed, shownAt), changed).toEqual({ state: 'invalid' });
    }
    for (const invented of ['.', '..', 'a.b.c', 'x'.repeat(1_000_000)])
      expect(tokens.read('form_a', invented, shownAt)).toEqual({ state: 'invalid' });
  });

  test('that is absent is missing', () => {
    expect(tokens.read('form_a', undefined, shownAt)).toEqual({ state: 'missing' });
    expect(tokens.read('form_a', '', shownAt)).toEqual({ state: 'missing' });
  });
});
