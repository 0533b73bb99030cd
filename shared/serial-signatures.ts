/**
 * Signatures of serialized items. A redirector checks them without a lookup, so that a made-up code costs no I/O.
 *
 *   {qr_host}/v/{itemId}/{signature}          itemId: 12 characters of base58, 70 random bits
 *                                             signature: the key's generation (1 character) and 15 characters
 *                                             (88 bits) of HMAC-SHA256
 *   {qr_host}/01/{gtin}/21/{itemId}{check}    the serial has 20 characters, as AI 21 allows: the check is the
 *                                             key's generation and 7 characters (41 bits) of HMAC-SHA256
 *                                             of GTIN and item
 *
 * A new generation of the key signs everything minted from then on; earlier ones still verify. A generation that this
 * process lacks but that may exist says nothing about the code: a redirector may run before it gets a new key, and an
 * earlier key may be missing by mistake. Keys are added one at a time, so a generation far above the latest does not
 * exist.
 */
import { createHmac } from 'node:crypto';
import { base58Digit, base58OfDigest, base58Value, isBase58, randomBase58 } from './ids.ts';

const itemIdLength = 12;
const signatureLength = 15;
const serialCheckLength = 7;
/** Generations are base58 digits, starting at 1. */
export const keyGenerationMax = 57;
/** How far above a process's latest generation another may exist: a rollout adds one key, and may overlap the next. */
const generationsAhead = 2;

/** Whether a text is shaped like an item's id. */
export const isItemIdShaped = (text: string): boolean => text.length === itemIdLength && isBase58(text);

const serialLength = itemIdLength + 1 + serialCheckLength;

/** Whether a text is shaped like an item's serial (AI 21). */
export const isSerialShaped = (text: string): boolean => text.length === serialLength && isBase58(text);

/** 32 bytes by generation, from 1 to {@link keyGenerationMax}. */
export type SerialKeys = ReadonlyMap<number, Buffer>;

export type SignatureCheck = 'genuine' | 'forged' | 'unknown_key';

export interface KeyFingerprint {
  generation: number;
  fingerprint: string;
}

/** 96 bits of HMAC-SHA256, in base64url. */
const fingerprintLength = 16;

export interface SerialSignatures {
  /** The generation that signs: the latest. */
  readonly generation: number;
  knows(generation: number): boolean;
  /** One per key. Different fingerprints mean different keys; a fingerprint reveals nothing about its key. */
  fingerprints(): KeyFingerprint[];
  createItemId(): string;
  /** @throws {Error} if there is no such generation */
  sign(itemId: string, generation: number): string;
  /** The generation named by a signature or a check; -1 for any other text. */
  generationOf(signature: string): number;
  /** Whether the signature is the item's. Any text is accepted; long ones cost nothing. */
  check(itemId: string, signature: string): SignatureCheck;
  /** The serial (AI 21) of an item. @param gtin 14 digits */
  serialOf(gtin: string, itemId: string, generation: number): string;
  /** The item of a well-formed serial; `forged` for any other text. @param gtin 14 digits */
  checkSerial(gtin: string, serial: string): { check: SignatureCheck; itemId: string };
}

/**
 * @param keys at least one
 * @param isTrusted whether a generation's key may be used for checks; an untrusted one counts as unknown
 */
export const createSerialSignatures = (
  keys: SerialKeys,
  isTrusted: (generation: number) => boolean = () => true,
): SerialSignatures => {
  const generation = Math.max(...keys.keys());

  const generationOf = (given: string): number => (given === '' ? -1 : base58Value(given[0]!));

  const signed = (of: number, text: string, length: number): string => {
    const key = keys.get(of);
    if (!key) throw new Error(`there is no key of generation ${of}`);
    return base58Digit(of) + base58OfDigest(createHmac('sha256', key).update(text).digest(), length);
  };

  /** @param text the signed text */
  const verify = (text: string, given: string, length: number): SignatureCheck => {
    const of = generationOf(given);
    if (keys.has(of) && !isTrusted(of)) return 'unknown_key';
    if (keys.has(of)) return sameText(signed(of, text, length), given) ? 'genuine' : 'forged';
    return of < 1 || of > generation + generationsAhead ? 'forged' : 'unknown_key';
  };

  const itemText = (itemId: string) => `item ${itemId}`;
  const serialText = (gtin: string, itemId: string) => `serial ${gtin} ${itemId}`;

  return {
    generation,
    knows: (of) => keys.has(of),
    generationOf,
    fingerprints: () =>
      [...keys].map(([of, key]) => ({
        generation: of,
        fingerprint: createHmac('sha256', key)
          .update(`fingerprint ${of}`)
          .digest('base64url')
          .slice(0, fingerprintLength),
      })),
    createItemId: () => randomBase58(itemIdLength),
    sign: (itemId, of) => signed(of, itemText(itemId), signatureLength),
    check(itemId, signature) {
      if (itemId.length !== itemIdLength || signature.length !== signatureLength + 1) return 'forged';
      if (!isBase58(itemId) || !isBase58(signature)) return 'forged';
      return verify(itemText(itemId), signature, signatureLength);
    },
    serialOf: (gtin, itemId, of) => itemId + signed(of, serialText(gtin, itemId), serialCheckLength),
    checkSerial(gtin, serial) {
      const itemId = serial.slice(0, itemIdLength);
      if (!isSerialShaped(serial)) return { check: 'forged', itemId };
      return {
        check: verify(serialText(gtin, itemId), serial.slice(itemIdLength), serialCheckLength),
        itemId,
      };
    },
  };
};

/** Compares texts of equal length in time independent of where they differ. */
const sameText = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
};
