import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SipKey, sipHash24 } from './siphash.ts';

const mask = 2n ** 64n - 1n;
const rotate = (x: bigint, bits: bigint): bigint => ((x << bits) | (x >> (64n - bits))) & mask;
const word64 = (low: number, high: number): bigint => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);

/** The algorithm as in the paper, in 64-bit words. */
const reference = (key: SipKey, words: number[]): bigint => {
  const k0 = word64(key[0], key[1]);
  const k1 = word64(key[2], key[3]);
  let v0 = k0 ^ 0x736f6d6570736575n;
  let v1 = k1 ^ 0x646f72616e646f6dn;
  let v2 = k0 ^ 0x6c7967656e657261n;
  let v3 = k1 ^ 0x7465646279746573n;
  const round = () => {
    v0 = (v0 + v1) & mask;
    v1 = rotate(v1, 13n) ^ v0;
    v0 = rotate(v0, 32n);
    v2 = (v2 + v3) & mask;
    v3 = rotate(v3, 16n) ^ v2;
    v0 = (v0 + v3) & mask;
    v3 = rotate(v3, 21n) ^ v0;
    v2 = (v2 + v1) & mask;
    v1 = rotate(v1, 17n) ^ v2;
    v2 = rotate(v2, 32n);
  };
  const absorb = (block: bigint) => {
    v3 ^= block;
    round();
    round();
    v0 ^= block;
  };
  for (let i = 0; i + 1 < words.length; i += 2) absorb(word64(words[i]!, words[i + 1]!));
  const rest = words.length % 2 === 1 ? BigInt(words.at(-1)! >>> 0) : 0n;
  absorb((BigInt(words.length * 4) << 56n) | rest);
  v2 ^= 0xffn;
  for (let i = 0; i < 4; i++) round();
  return v0 ^ v1 ^ v2 ^ v3;
};

const hash = (key: SipKey, words: number[]): bigint => {
  const out = { high: 0, low: 0 };
  sipHash24(key, words, out);
  return word64(out.low, out.high);
};

// vectors_sip64 of the authors' implementation, key 00…0f, messages of 0, 8 and 16 bytes 00 01 …, little-endian.
test.each([
  [[], 0x726fdb47dd0e0e31n],
  [[0x03020100, 0x07060504], 0x93f5f5799a932462n],
  [[0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c], 0x3f2acc7f57c29bdbn],
])('the hash of %j is the published one', (words, expected) => {
  expect(hash([0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c], words)).toBe(expected);
});

test('32-bit halves give the same result as 64-bit words', () => {
  const word = fc.integer({ min: -(2 ** 31), max: 2 ** 32 - 1 });
  fc.assert(
    fc.property(fc.tuple(word, word, word, word), fc.array(word, { maxLength: 9 }), (key, words) => {
      expect(hash(key, words)).toBe(reference(key, words));
    }),
    { numRuns: 2000 },
  );
});
