/**
 * The keys of serialized items, by generation: those of SERIAL_KEYS, or without it one of generation 1 that is derived from
 * SECRET_KEY. Both planes have the same: the control plane signs, and redirectors check.
 */
import { randomBytes } from 'node:crypto';
import { keyGenerationMax, type SerialKeys } from './serial-signatures.ts';
import { deriveKey } from './signing.ts';

const keyBytes = 32;

/** The purpose of the key that is derived. */
const purpose = 'serial item';

export interface SerialKeySettings {
  secretKey: string;
  /** Undefined where SERIAL_KEYS is not set. */
  serialKeys: SerialKeys | undefined;
}

export const createSerialKeys = ({ secretKey, serialKeys }: SerialKeySettings): SerialKeys =>
  serialKeys ?? new Map([[1, deriveKey(secretKey, purpose)]]);

/** As SERIAL_KEYS takes them: `1=<base64url>,2=…` */
export const serialKeysText = (keys: SerialKeys): string =>
  [...keys]
    .sort(([a], [b]) => a - b)
    .map(([generation, key]) => `${generation}=${key.toString('base64url')}`)
    .join(',');

/** The keys and one more, of the next generation. @throws {RangeError} where there is no further generation */
export const withNextKey = (keys: SerialKeys): SerialKeys => {
  const next = Math.max(...keys.keys()) + 1;
  if (next > keyGenerationMax)
    throw new RangeError(`there are ${keyGenerationMax} generations of keys at most, and all are used`);
  return new Map([...keys, [next, randomBytes(keyBytes)]]);
};

const entryShape = /^([1-9]\d?)=([A-Za-z0-9_-]{43})$/;

/**
 * Reads SERIAL_KEYS.
 * @returns the keys, or what is wrong with the text; that names no part of a key
 */
export const readSerialKeys = (text: string): { keys: SerialKeys } | { fault: string } => {
  const keys = new Map<number, Buffer>();
  for (const [at, entry] of text.split(',').entries()) {
    const [, digits, encoded = ''] = entryShape.exec(entry.trim()) ?? [];
    const generation = Number(digits);
    const key = Buffer.from(encoded, 'base64url');
    const where = `entry ${at + 1}`;
    if (digits === undefined || key.length !== keyBytes || key.toString('base64url') !== encoded)
      return { fault: `${where} is not a generation, "=" and 32 bytes in base64url` };
    if (generation > keyGenerationMax)
      return { fault: `${where} has the generation ${generation}; generations are 1 to ${keyGenerationMax}` };
    if (keys.has(generation)) return { fault: `${where} has the generation ${generation} once more` };
    keys.set(generation, key);
  }
  return { keys };
};
