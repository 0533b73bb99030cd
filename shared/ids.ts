/**
 * Identifiers. A code's id is 9 characters of base58: 7 random ones and a truncated keyed check of 2, so that a
 * redirector recognises a made-up id without a lookup. Other ids are a prefix and 16 characters.
 */
import { createHmac, randomFillSync } from 'node:crypto';

/** Bitcoin's base58: no 0, O, I and l, which look alike in print. */
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Uniformly random base58 of the given length, from a CSPRNG. Bytes of 232 and more are skipped: 232 = 4 × 58. */
export const randomBase58 = (length: number): string => {
  let text = '';
  const bytes = Buffer.alloc(length * 2);
  while (text.length < length) {
    for (const byte of randomFillSync(bytes)) {
      if (byte < 232 && text.length < length) text += alphabet[byte % 58];
    }
  }
  return text;
};

/** A truncated HMAC-SHA256 of a text. @param length characters, at most 5 */
export const base58Check = (key: Buffer, text: string, length: number): string => {
  let n = createHmac('sha256', key).update(text).digest().readUInt32BE(0) % 58 ** length;
  let check = '';
  for (let at = 0; at < length; at++) {
    check = alphabet[n % 58]! + check;
    n = Math.floor(n / 58);
  }
  return check;
};

/** A base58 digit. @param value from 0 to 57 */
export const base58Digit = (value: number): string => alphabet[value]!;

/** The value of a base58 digit, from 0 to 57; -1 for any other character. */
export const base58Value = (digit: string): number => alphabet.indexOf(digit);

/**
 * The start of a digest in base58, 7 characters per 6 bytes: 2^48 is 127 times 58^7, so no character is more than 1 in
 * 127 likelier than another.
 * @param length characters, at most 35 of 32 bytes
 */
export const base58OfDigest = (digest: Buffer, length: number): string => {
  let text = '';
  for (let at = 0; text.length < length; at += 6) {
    let n = digest.readUIntBE(at, 6);
    for (let i = 0; i < 7 && text.length < length; i++) {
      text += alphabet[n % 58];
      n = Math.floor(n / 58);
    }
  }
  return text;
};

const codeIdRandomLength = 7;
const codeIdLength = codeIdRandomLength + 2;

export interface CodeIds {
  /** A new id, valid under {@link CodeIds.isGenuine}. */
  create(): string;
  /**
   * Whether the id carries this key's check. False does not prove that the code does not exist: it may have been
   * created under a lost key.
   */
  isGenuine(id: string): boolean;
}

/** @param key 32 bytes, derived for the purpose `code-id` */
export const createCodeIds = (key: Buffer): CodeIds => {
  const check = (random: string): string => base58Check(key, random, codeIdLength - codeIdRandomLength);
  return {
    create() {
      const random = randomBase58(codeIdRandomLength);
      return random + check(random);
    },
    isGenuine(id) {
      return isCodeIdShaped(id) && check(id.slice(0, codeIdRandomLength)) === id.slice(codeIdRandomLength);
    },
  };
};

/** For each ASCII unit, whether base58 has it. */
const base58Units = Uint8Array.from({ length: 128 }, (_, unit) =>
  alphabet.includes(String.fromCharCode(unit)) ? 1 : 0,
);

/** Whether a text consists of base58 characters. */
export const isBase58 = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (base58Units[text.charCodeAt(i)] !== 1) return false;
  return true;
};

/** Whether a path segment can be a code's id at all; anything else is unknown without a lookup. */
export const isCodeIdShaped = (id: string): boolean => {
  if (id.length !== codeIdLength) return false;
  return isBase58(id);
};

/** A kind of id. The feature that owns it declares it, and no other feature uses its prefix. */
export interface PrefixedIds {
  readonly prefix: string;
  /** A new id: `ws_…`, with 16 characters of base58, which are 93 random bits. */
  create(): string;
}

export const prefixedIds = (prefix: string): PrefixedIds => ({
  prefix,
  create: () => `${prefix}_${randomBase58(16)}`,
});

/** An API key: a prefix and 32 characters of base58, 187 random bits. */
export const createApiKey = (prefix = 'wm_'): string => `${prefix}${randomBase58(32)}`;
