/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012, https://131002.net/siphash/): a keyed hash of 64 bits that reveals nothing
 * about its key. It computes in 32-bit halves, because BigInt would cost thirty times as much. One function has a
 * single copy of the round in a loop: it takes 0.1 µs for the 24 bytes of a visitor. With the state in module
 * variables, or the round in a function of its own, it took 1.7 µs.
 */

/** A 64-bit word as two Int32, which are small integers in V8, unlike UInt32. */
export interface Word64 {
  high: number;
  low: number;
}

/** 16 bytes as four little-endian words of 32 bits. */
export type SipKey = readonly [number, number, number, number];

/** The carry of a sum of two 32-bit integers, from their top bits. */
const carry = (a: number, b: number, sum: number): number => ((a & b) | ((a | b) & ~sum)) >>> 31;

/**
 * @param words the message as little-endian words of 32 bits, two per 8 bytes; its length is words.length × 4 bytes
 * @param out receives the hash, so that nothing is allocated
 */
export const sipHash24 = (key: SipKey, words: readonly number[], out: Word64): void => {
  let h0 = key[1] ^ 0x736f6d65;
  let l0 = key[0] ^ 0x70736575;
  let h1 = key[3] ^ 0x646f7261;
  let l1 = key[2] ^ 0x6e646f6d;
  let h2 = key[1] ^ 0x6c796765;
  let l2 = key[0] ^ 0x6e657261;
  let h3 = key[3] ^ 0x74656462;
  let l3 = key[2] ^ 0x79746573;
  const { length } = words;
  const blocks = (length >> 1) + 1;
  // Two rounds per block; the last block holds the rest of the message and its length, and four rounds end it.
  for (let block = 0; block <= blocks; block++) {
    const isFinal = block === blocks;
    const isLast = block === blocks - 1;
    let blockLow = 0;
    let blockHigh = 0;
    if (isFinal) {
      l2 ^= 0xff;
    } else {
      blockLow = 2 * block < length ? words[2 * block]! : 0;
      blockHigh = isLast ? (length * 4) << 24 : words[2 * block + 1]!;
    }
    h3 ^= blockHigh;
    l3 ^= blockLow;
    for (let round = isFinal ? 4 : 2; round > 0; round--) {
      // v0 += v1; v1 <<<= 13; v1 ^= v0; v0 <<<= 32
      let low = (l0 + l1) | 0;
      let high = (h0 + h1 + carry(l0, l1, low)) | 0;
      h0 = low;
      l0 = high;
      const h1Rotated = (h1 << 13) | (l1 >>> 19);
      l1 = ((l1 << 13) | (h1 >>> 19)) ^ low;
      h1 = h1Rotated ^ high;
      // v2 += v3; v3 <<<= 16; v3 ^= v2
      low = (l2 + l3) | 0;
      h2 = (h2 + h3 + carry(l2, l3, low)) | 0;
      l2 = low;
      const h3Rotated = (h3 << 16) | (l3 >>> 16);
      l3 = ((l3 << 16) | (h3 >>> 16)) ^ l2;
      h3 = h3Rotated ^ h2;
      // v0 += v3; v3 <<<= 21; v3 ^= v0
      low = (l0 + l3) | 0;
      h0 = (h0 + h3 + carry(l0, l3, low)) | 0;
      l0 = low;
      const h3Again = (h3 << 21) | (l3 >>> 11);
      l3 = ((l3 << 21) | (h3 >>> 11)) ^ l0;
      h3 = h3Again ^ h0;
      // v2 += v1; v1 <<<= 17; v1 ^= v2; v2 <<<= 32
      low = (l2 + l1) | 0;
      high = (h2 + h1 + carry(l2, l1, low)) | 0;
      h2 = low;
      l2 = high;
      const h1Again = (h1 << 17) | (l1 >>> 15);
      l1 = ((l1 << 17) | (h1 >>> 15)) ^ low;
      h1 = h1Again ^ high;
    }
    h0 ^= blockHigh;
    l0 ^= blockLow;
  }
  out.high = h0 ^ h1 ^ h2 ^ h3;
  out.low = l0 ^ l1 ^ l2 ^ l3;
};
