/**
 * Segments → the codewords of a symbol: bits, padding, and Reed-Solomon check words, interleaved
 * (ISO/IEC 18004 §7.4–7.6).
 */
import {
  _ECC_BLOCKS as blockCounts,
  _WORDS_PER_BLOCK as checkWordsPerBlock,
  type ErrorCorrection,
  _GF256 as field,
  _tests as internals,
  _BYTES as words,
} from 'qr';
import {
  alphanumericValue,
  countBitsOf,
  groupSeparator,
  lengthOf,
  modeBits,
  type SegmentMode,
  type SymbolSegment,
} from './segments.ts';

const modeIndicators: Record<SegmentMode, number> = { numeric: 1, alphanumeric: 2, byte: 4 };
/** FNC1 in first position: a GS1 element string follows. */
const fnc1Indicator = 5;
const padWords = [0xec, 0x11];

/** The words of a symbol that hold segments. @param version 1 to 40 */
export const dataWordsOf = (level: ErrorCorrection, version: number): number =>
  words[version - 1]! - checkWordsPerBlock[level][version - 1]! * blockCounts[level][version - 1]!;

/** Bits, most significant first. */
const createBits = (length: number) => {
  const bytes = new Uint8Array(length);
  let at = 0;
  return {
    bytes,
    put(value: number, count: number): void {
      for (let bit = count - 1; bit >= 0; bit--, at++) {
        if ((value >>> bit) & 1) bytes[at >> 3]! |= 0x80 >> (at & 7);
      }
    },
    /** A terminator of up to four zeros, zeros up to the next byte, then alternating words. */
    pad(): void {
      const used = Math.ceil(Math.min(at + modeBits, length * 8) / 8);
      for (let index = used; index < length; index++) bytes[index] = padWords[(index - used) % 2]!;
    },
  };
};

type Bits = ReturnType<typeof createBits>;

const putNumeric = (bits: Bits, text: string): void => {
  for (let at = 0; at < text.length; at += 3) {
    const digits = text.slice(at, at + 3);
    bits.put(Number(digits), digits.length * 3 + 1);
  }
};

const putAlphanumeric = (bits: Bits, text: string): void => {
  // The split of the text decided whether a percent sign may be here.
  const values = [...text].map((character) => alphanumericValue(character, character === groupSeparator)!);
  for (let at = 0; at < values.length; at += 2) {
    const [first, second] = [values[at]!, values[at + 1]];
    if (second === undefined) bits.put(first, 6);
    else bits.put(first * 45 + second, 11);
  }
};

const putSegment = (bits: Bits, segment: SymbolSegment, version: number): void => {
  bits.put(modeIndicators[segment.mode], modeBits);
  bits.put(lengthOf(segment), countBitsOf(segment.mode, version));
  if (segment.mode === 'numeric') putNumeric(bits, segment.text);
  else if (segment.mode === 'alphanumeric') putAlphanumeric(bits, segment.text);
  else for (const byte of Buffer.from(segment.text)) bits.put(byte, 8);
};

/** Generators by their number of check words; each is made once. */
const generators = new Map<number, Uint8Array>();

const { exp, log } = field;

/** The generator polynomial without its leading 1: the product of (x − α⁰) … (x − αⁿ⁻¹). */
const generatorOf = (count: number): Uint8Array => {
  const known = generators.get(count);
  if (known) return known;
  const generator = new Uint8Array(count);
  generator[count - 1] = 1;
  for (let root = 0; root < count; root++) {
    for (let index = 0; index < count; index++) {
      const own = generator[index]!;
      const product = own === 0 ? 0 : exp[(log[own]! + root) % 255]!;
      generator[index] = product ^ (generator[index + 1] ?? 0);
    }
  }
  generators.set(count, generator);
  return generator;
};

/** Blocks of data, the short ones first, each with its check words; then one word of each alternately. */
const interleave = (data: Uint8Array, level: ErrorCorrection, version: number): Uint8Array => {
  const count = blockCounts[level][version - 1]!;
  const checkWords = checkWordsPerBlock[level][version - 1]!;
  const shortLength = Math.floor(data.length / count);
  const shortCount = count - (data.length % count);
  const generator = generatorOf(checkWords);
  const blocks = Array.from({ length: count }, (_, index) => {
    const start = index * shortLength + Math.max(0, index - shortCount);
    return data.subarray(start, start + shortLength + (index < shortCount ? 0 : 1));
  });
  const checks = blocks.map((block) => internals.rsEcc(block, generator));
  const all = new Uint8Array(data.length + checkWords * count);
  let at = 0;
  for (let index = 0; index <= shortLength; index++) {
    for (const block of blocks) if (index < block.length) all[at++] = block[index]!;
  }
  for (let index = 0; index < checkWords; index++) {
    for (const check of checks) all[at++] = check[index]!;
  }
  return all;
};

/** @param segments that fit, see {@link dataWordsOf} */
export const makeCodewords = (
  segments: readonly SymbolSegment[],
  { level, version, fnc1 }: { level: ErrorCorrection; version: number; fnc1: boolean },
): Uint8Array => {
  const bits = createBits(dataWordsOf(level, version));
  if (fnc1) bits.put(fnc1Indicator, modeBits);
  for (const segment of segments) putSegment(bits, segment, version);
  bits.pad();
  return interleave(bits.bytes, level, version);
};
