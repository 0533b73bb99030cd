/**
 * Event ids as `prefixedIds` makes them, but with the random bytes of many fetched at once: 0.2 µs an id instead of
 * 2.3.
 */
import { randomFillSync } from 'node:crypto';
import { base58Digit, type PrefixedIds } from '#shared/ids.ts';

const prefix = 'evt';
const digits = 16;
/** The largest multiple of 58 in a byte: larger bytes are skipped, so that all digits are equally likely. */
const byteEnd = 232;
const poolBytes = 4096;

export const createEventIds = (): PrefixedIds => {
  const pool = Buffer.alloc(poolBytes);
  let at = poolBytes;

  const nextByte = (): number => {
    if (at === poolBytes) {
      randomFillSync(pool);
      at = 0;
    }
    return pool[at++]!;
  };

  return {
    prefix,
    create() {
      let id = `${prefix}_`;
      for (let left = digits; left > 0; ) {
        const byte = nextByte();
        if (byte >= byteEnd) continue;
        id += base58Digit(byte % 58);
        left--;
      }
      return id;
    },
  };
};
