/**
 * The keys of serialized items, by generation: from SERIAL_KEYS, or otherwise one of generation 1 derived from
 * SECRET_KEY. Both planes have the same keys: the control plane signs, and redirectors check.
 */
import { randomBytes } from 'node:crypto';
import { keyGenerationMax, type SerialKeys } from './serial-signatures.ts';
import { deriveKey } from './signing.ts';

const keyBytes = 32;

/** The purpose of the derived key. */
const purpose = 'serial item';

export interface SerialKeySettings {
  secretKey: string;
  /** Undefined if SERIAL_KEYS is not set. */
  serialKeys: SerialKeys | undefined;
}

export const createSerialKeys = ({ secretKey, serialKeys }: SerialKeySettings): SerialKeys =>
  serialKeys ?? new Map([[1, deriveKey(secretKey, purpose)]]);

/** In the form of SERIAL_KEYS: `1=<base64url>,2=…` */
export const serialKeysText = (keys: SerialKeys): string =>
  [...keys]
    .sort(([a], [b]) => a - b)
    .map(([generation, key]) => `${generation}=${key.toString('base64url')}`)
    .join(',');

/** The keys and one more, of the next generation. @throws {RangeError} if there are no more generations */
export const withNextKey = (keys: SerialKeys): SerialKeys => {
  const next = Math.max(...keys.keys()) + 1;
  if (next > keyGenerationMax) throw new RangeError(`all ${keyGenerationMax} generations of keys are used`);
  return new Map([...keys, [next, randomBytes(keyBytes)]]);
};

const entryShape = /^([1-9]\d?)=([A-Za-z0-9_-]{43})$/;

/**
 * Reads SERIAL_KEYS.
 * @returns the keys, or the fault of the text, which shows no part of a key
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
