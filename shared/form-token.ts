/**
 * The token of a form identifies one view of its page, even if a browser has kept it. It is signed, and has the time
 * when the page was shown and the visitor's referrer. A token stores one submission, so a double click, a reload and
 * a retry store only one.
 */
import { randomBytes } from 'node:crypto';
import { deriveKey, equalInConstantTime, hmacSha256 } from './signing.ts';

/** The name of the input that has it. */
export const formTokenName = '_token';

/** A form's token, as a hidden input. Its characters need no escape. */
export const formTokenField = (token: string): string =>
  `<input type="hidden" name="${formTokenName}" value="${token}">`;

/** A page may stay open for this long. */
export const tokenMsMax = 24 * 60 * 60 * 1000;
/** Clocks of different control planes may differ by this much. */
const clockDifferenceMsMax = 60_000;

export const referrerLengthMax = 2_000;

/** A referrer of the full length, with two bytes per character, in base64; and the rest. */
const tokenLengthMax = 5_400;

export interface ShownForm {
  /** When the page was shown. */
  shownAt: Date;
  /** Unique to this page. 12 bytes. */
  nonce: Buffer;
  /** The page's Referer header: where the visitor came from. */
  referrer: string;
}

/** A token of another form is also `invalid`. */
export type ReadToken =
  | { state: 'valid' | 'expired'; shown: ShownForm }
  | { state: 'missing' | 'invalid'; shown?: never };

export interface Tokens {
  create(formId: string, shown: Omit<ShownForm, 'nonce'>): string;
  read(formId: string, token: string | undefined, now: Date): ReadToken;
}

/** @param key 32 bytes */
export const createTokens = (key: Buffer): Tokens => {
  // 128 bits are enough for something worth so little.
  const sign = (formId: string, payload: string): string =>
    hmacSha256(key, `${formId}\n${payload}`).subarray(0, 16).toString('base64url');
  return {
    create(formId, { shownAt, referrer }) {
      const payload = [
        shownAt.getTime().toString(36),
        randomBytes(12).toString('base64url'),
        Buffer.from(referrer.slice(0, referrerLengthMax)).toString('base64url'),
      ].join('.');
      return `${payload}.${sign(formId, payload)}`;
    },
    read(formId, token, now) {
      if (token === undefined || token === '') return { state: 'missing' };
      if (token.length > tokenLengthMax) return { state: 'invalid' };
      const end = token.lastIndexOf('.');
      const payload = token.slice(0, Math.max(0, end));
      if (!equalInConstantTime(token.slice(end + 1), sign(formId, payload))) return { state: 'invalid' };
      const shown = readPayload(payload);
      const ageMs = now.getTime() - shown.shownAt.getTime();
      return { state: ageMs > tokenMsMax || ageMs < -clockDifferenceMsMax ? 'expired' : 'valid', shown };
    },
  };
};

/** The tokens of the service. */
export const formTokens = (secretKey: string): Tokens => createTokens(deriveKey(secretKey, 'form-token'));

/** @param payload signed by us */
const readPayload = (payload: string): ShownForm => {
  const [shownAt = '', nonce = '', referrer = ''] = payload.split('.');
  return {
    shownAt: new Date(Number.parseInt(shownAt, 36)),
    nonce: Buffer.from(nonce, 'base64url'),
    referrer: Buffer.from(referrer, 'base64url').toString(),
  };
};
