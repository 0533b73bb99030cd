/**
 * The first stage: text → the modules of a QR symbol (ISO/IEC 18004). The npm package `qr` places the codewords and
 * picks the mask. Segments and FNC1 are ours: the package has no FNC1 and cannot mix modes.
 */
import { type ErrorCorrection, _tests as internals } from 'qr';
import { errorCorrectionLevels } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { dataWordsOf, makeCodewords } from './codewords.ts';
import {
  bitsOf,
  canHold,
  countBitsOf,
  lengthOf,
  modeBits,
  type SegmentMode,
  type SymbolSegment,
  splitSegments,
} from './segments.ts';

/** A level of error correction: a reader restores about 7, 15, 25 and 30 percent of a symbol. */
export type CorrectionLevel = (typeof errorCorrectionLevels)[number];

/** 1 (21 × 21 modules) to 40 (177 × 177), in steps of four modules. */
export const versionMax = 40;

export interface ModuleMatrix {
  /** Modules along one side, without the quiet zone. */
  readonly size: number;
  readonly level: CorrectionLevel;
  isDark(row: number, column: number): boolean;
}

export interface MatrixOptions {
  /** Forces the symbol's size; default: the smallest that holds the text. */
  version?: number | undefined;
  /** Forces one mode for the whole text; default: for each part, the mode that makes the whole shortest. */
  mode?: SegmentMode | 'auto' | undefined;
  /** The text is a GS1 element string. */
  fnc1?: boolean | undefined;
}

const encoderLevel: Record<CorrectionLevel, ErrorCorrection> = {
  L: 'low',
  M: 'medium',
  Q: 'quartile',
  H: 'high',
};

const charactersIn = (bits: number, mode: SegmentMode): number => {
  if (mode === 'byte') return Math.floor(bits / 8);
  // Three digits take 10 bits, two 7, one 4; two alphanumeric characters take 11, one 6.
  if (mode === 'numeric') return Math.floor(bits / 10) * 3 + [0, 0, 0, 0, 1, 1, 1, 2, 2, 2][bits % 10]!;
  return Math.floor(bits / 11) * 2 + (bits % 11 >= 6 ? 1 : 0);
};

const dataBits = (level: CorrectionLevel, version: number): number =>
  dataWordsOf(encoderLevel[level], version) * 8;

/**
 * The number of bytes (mode `byte`), digits (`numeric`) or characters (`alphanumeric`) that a symbol holds.
 * @param version 1 to 40
 */
export const capacity = (
  level: CorrectionLevel,
  version: number = versionMax,
  mode: SegmentMode = 'byte',
): number => charactersIn(dataBits(level, version) - modeBits - countBitsOf(mode, version), mode);

const unit: Record<SegmentMode, string> = { numeric: 'digits', alphanumeric: 'characters', byte: 'bytes' };

const tooLong = (text: string, level: CorrectionLevel, { version, fnc1 = false }: MatrixOptions) => {
  const mode = (['numeric', 'alphanumeric', 'byte'] as const).find((each) => canHold(each, text, fnc1))!;
  const limits = errorCorrectionLevels.map((each) => `${each} ${capacity(each, version, mode)}`).join(', ');
  const symbol = version === undefined ? 'a QR code' : `a QR code of qrOptions.typeNumber ${version}`;
  return new ClientError(
    'UNPROCESSABLE',
    `data has ${lengthOf({ mode, text })} ${unit[mode]}, too many for level ${level}: ${symbol} holds ${limits}`,
  );
};

/** The last version of each header length; another length may have another shortest split. */
const lastVersions = [9, 26, versionMax] as const;

const split = (
  text: string,
  version: number,
  { mode = 'auto', fnc1 = false }: MatrixOptions,
): SymbolSegment[] => (mode === 'auto' ? splitSegments(text, version, fnc1) : [{ mode, text }]);

/** The smallest version that holds the text, and its segments there; undefined if none does. */
const smallestFit = (text: string, level: CorrectionLevel, options: MatrixOptions) => {
  const [from, to] = [options.version ?? 1, options.version ?? versionMax];
  const fnc1Bits = options.fnc1 ? modeBits : 0;
  for (const last of lastVersions) {
    if (last < from) continue;
    const segments = split(text, last, options);
    const bits = bitsOf(segments, last) + fnc1Bits;
    const first = Math.max(from, last === 9 ? 1 : last === 26 ? 10 : 27);
    for (let version = first; version <= Math.min(last, to); version++) {
      if (bits <= dataBits(level, version)) return { version, segments };
    }
  }
  return undefined;
};

const check = (text: string, { mode = 'auto', fnc1 = false }: MatrixOptions): void => {
  if (text === '') throw new ClientError('UNPROCESSABLE', 'data must not be empty');
  // A lone surrogate has no UTF-8 form: a reader would see another text than the given one.
  if (!text.isWellFormed()) throw new ClientError('UNPROCESSABLE', 'data must be well-formed Unicode');
  if (mode === 'auto' || canHold(mode, text, fnc1)) return;
  const held = mode === 'numeric' ? 'digits' : 'digits, capitals and $%*+-./: with spaces';
  throw new ClientError('UNPROCESSABLE', `qrOptions.mode ${mode} holds nothing but ${held}; leave it out`);
};

/**
 * @throws {ClientError} UNPROCESSABLE naming `data`: empty, not well-formed Unicode, or more than the symbol holds; or
 * `qrOptions.mode`, if it lacks one of the characters
 */
export const encodeMatrix = (
  text: string,
  level: CorrectionLevel,
  options: MatrixOptions = {},
): ModuleMatrix => {
  check(text, options);
  const found = smallestFit(text, level, options);
  if (!found) throw tooLong(text, level, options);
  const { version, segments } = found;
  const encoder = encoderLevel[level];
  const codewords = makeCodewords(segments, { level: encoder, version, fnc1: options.fnc1 ?? false });
  const { size, words, v } = internals.drawSymbol(version, encoder, codewords);
  // The encoder draws every symbol into the same memory.
  const rows = v.slice();
  return {
    size,
    level,
    isDark: (row, column) => ((rows[row * words + (column >>> 5)]! >>> (column & 31)) & 1) === 1,
  };
};

/**
 * The versions of the smallest symbols that hold a text, one per level: texts of the same versions have symbols of the
 * same size, whatever the level. 0 if no version holds it.
 */
export const smallestVersions = (text: string): readonly number[] =>
  errorCorrectionLevels.map((level) => smallestFit(text, level, {})?.version ?? 0);
