/**
 * Splits a text into segments of the modes that make it shortest (ISO/IEC 18004 §7.4): digits take 3⅓ bits, capitals
 * and a few signs 5½, all else 8 per byte of UTF-8; each change of mode costs a header.
 */
import { _ALPHANUMERIC as alphanumericCharacters } from 'qr';

const segmentModes = ['numeric', 'alphanumeric', 'byte'] as const;
export type SegmentMode = (typeof segmentModes)[number];

export interface SymbolSegment {
  mode: SegmentMode;
  text: string;
}

/** Separates the elements of a GS1 element string. In alphanumeric mode it is written as `%` after FNC1. */
export const groupSeparator = '\x1d';

export const modeBits = 4;

/** Bits of the character count for versions 1 to 9, 10 to 26 and 27 to 40 (ISO/IEC 18004, table 3). */
const countBits: Record<SegmentMode, readonly [number, number, number]> = {
  numeric: [10, 12, 14],
  alphanumeric: [9, 11, 13],
  byte: [8, 16, 16],
};

/** @param version 1 to 40 */
export const countBitsOf = (mode: SegmentMode, version: number): number =>
  countBits[mode][version < 10 ? 0 : version < 27 ? 1 : 2];

const alphanumericValues = new Map([...alphanumericCharacters].map((character, value) => [character, value]));

/** The value of a character in alphanumeric mode; undefined if it has none. */
export const alphanumericValue = (character: string, fnc1: boolean): number | undefined => {
  // After FNC1 a percent sign means the separator. A literal percent sign would be two of them, which is not supported
  // here.
  if (fnc1 && character === '%') return undefined;
  return alphanumericValues.get(fnc1 && character === groupSeparator ? '%' : character);
};

/** In sixths of a bit, the unit in which all modes have integer lengths; undefined if the mode lacks the character. */
const costOf = (mode: SegmentMode, character: string, fnc1: boolean): number | undefined => {
  if (mode === 'numeric') return character >= '0' && character <= '9' ? 20 : undefined;
  if (mode === 'byte') return Buffer.byteLength(character) * 48;
  return alphanumericValue(character, fnc1) === undefined ? undefined : 33;
};

export const canHold = (mode: SegmentMode, text: string, fnc1: boolean): boolean =>
  [...text].every((character) => costOf(mode, character, fnc1) !== undefined);

/** The cheapest path so far that writes the text's last character in a given mode. */
interface Path {
  cost: number;
  mode: SegmentMode;
  before: Path | undefined;
}

/** A segment ends on a whole bit. */
const wholeBits = (sixths: number): number => Math.ceil(sixths / 6) * 6;

/** The cost of the previous path when entering a mode: a change of mode fills up the last bit and adds a header. */
const costToEnter = (mode: SegmentMode, before: Path | undefined, header: number): number => {
  if (!before) return header;
  return before.mode === mode ? before.cost : wholeBits(before.cost) + header;
};

const extend = (
  paths: readonly (Path | undefined)[],
  character: string,
  version: number,
  fnc1: boolean,
): Path[] => {
  const next: Path[] = [];
  for (const mode of segmentModes) {
    const own = costOf(mode, character, fnc1);
    if (own === undefined) continue;
    const header = (modeBits + countBitsOf(mode, version)) * 6;
    let best: Path | undefined;
    for (const before of paths) {
      const cost = costToEnter(mode, before, header) + own;
      if (!best || cost < best.cost) best = { cost, mode, before };
    }
    next.push(best!);
  }
  return next;
};

/**
 * The shortest segments for symbols of a version's size; the lengths of headers differ in three classes of versions.
 * @param fnc1 whether the symbol begins with FNC1
 */
export const splitSegments = (text: string, version: number, fnc1: boolean): SymbolSegment[] => {
  const characters = [...text];
  let paths: (Path | undefined)[] = [undefined];
  for (const character of characters) paths = extend(paths, character, version, fnc1);
  let path = paths.reduce((a, b) => (b!.cost < a!.cost ? b : a));
  const segments: SymbolSegment[] = [];
  for (let at = characters.length - 1; path; at--, path = path.before) {
    const first = segments[0];
    if (first?.mode === path.mode) first.text = characters[at]! + first.text;
    else segments.unshift({ mode: path.mode, text: characters[at]! });
  }
  return segments;
};

/** The count in a segment's header: bytes, digits or characters. */
export const lengthOf = ({ mode, text }: SymbolSegment): number =>
  mode === 'byte' ? Buffer.byteLength(text) : text.length;

/** Bits of a segment without its header. */
const contentBits = (segment: SymbolSegment): number => {
  const length = lengthOf(segment);
  if (segment.mode === 'byte') return length * 8;
  if (segment.mode === 'numeric') return Math.floor(length / 3) * 10 + [0, 4, 7][length % 3]!;
  return Math.floor(length / 2) * 11 + (length % 2) * 6;
};

/** Bits of all segments with their headers; Infinity if a count does not fit its field. */
export const bitsOf = (segments: readonly SymbolSegment[], version: number): number =>
  segments.reduce((sum, segment) => {
    const count = countBitsOf(segment.mode, version);
    return lengthOf(segment) < 2 ** count
      ? sum + modeBits + count + contentBits(segment)
      : Number.POSITIVE_INFINITY;
  }, 0);
