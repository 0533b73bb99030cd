/** The first stage: text → the modules of a QR symbol (ISO/IEC 18004), by the npm package `qr`. */

import {
  _ALPHANUMERIC as alphanumericCharacters,
  _ECC_BLOCKS as blocks,
  _WORDS_PER_BLOCK as checkWordsPerBlock,
  type ErrorCorrection,
  encodeQR,
  _BYTES as words,
} from 'qr';
import { ClientError } from '#shared/errors.ts';

/** How much of a symbol may be lost and still be read: about 7, 15, 25 and 30 percent. */
export const correctionLevels = ['L', 'M', 'Q', 'H'] as const;
export type CorrectionLevel = (typeof correctionLevels)[number];

/** 1 (21 × 21 modules) to 40 (177 × 177): four modules more each. */
export const versionMax = 40;

export interface ModuleMatrix {
  /** Modules along one side, without the quiet zone. */
  readonly size: number;
  readonly level: CorrectionLevel;
  isDark(row: number, column: number): boolean;
}

type Mode = 'numeric' | 'alphanumeric' | 'byte';

const encoderLevel: Record<CorrectionLevel, ErrorCorrection> = {
  L: 'low',
  M: 'medium',
  Q: 'quartile',
  H: 'high',
};

/** Bits of the character count for versions 1 to 9, 10 to 26 and 27 to 40 (ISO/IEC 18004, table 3). */
const countBits: Record<Mode, readonly [number, number, number]> = {
  numeric: [10, 12, 14],
  alphanumeric: [9, 11, 13],
  byte: [8, 16, 16],
};

const modeBits = 4;

const alphanumeric = new Set(alphanumericCharacters);

/** The most compact mode that can hold the whole text. */
const modeOf = (text: string): Mode => {
  if (/^[0-9]+$/.test(text)) return 'numeric';
  return [...text].every((character) => alphanumeric.has(character)) ? 'alphanumeric' : 'byte';
};

const charactersIn = (bits: number, mode: Mode): number => {
  if (mode === 'byte') return Math.floor(bits / 8);
  // Three digits take 10 bits, two 7, one 4; two alphanumeric characters take 11, one 6.
  if (mode === 'numeric') return Math.floor(bits / 10) * 3 + [0, 0, 0, 0, 1, 1, 1, 2, 2, 2][bits % 10]!;
  return Math.floor(bits / 11) * 2 + (bits % 11 >= 6 ? 1 : 0);
};

/**
 * How many bytes (mode `byte`), digits (`numeric`) or characters (`alphanumeric`) a symbol holds.
 * @param version 1 to 40
 */
export const capacity = (
  level: CorrectionLevel,
  version: number = versionMax,
  mode: Mode = 'byte',
): number => {
  const name = encoderLevel[level];
  const index = version - 1;
  const dataWords = words[index]! - checkWordsPerBlock[name][index]! * blocks[name][index]!;
  const sizeClass = version < 10 ? 0 : version < 27 ? 1 : 2;
  return charactersIn(dataWords * 8 - modeBits - countBits[mode][sizeClass], mode);
};

const unit: Record<Mode, string> = { numeric: 'digits', alphanumeric: 'characters', byte: 'bytes' };

const tooLong = (length: number, mode: Mode, level: CorrectionLevel, version: number | undefined) => {
  const limits = correctionLevels.map((each) => `${each} ${capacity(each, version, mode)}`).join(', ');
  const symbol = version === undefined ? 'a QR code' : `a QR code of version ${version}`;
  return new ClientError(
    'UNPROCESSABLE',
    `data has ${length} ${unit[mode]}, too many for level ${level}: ${symbol} holds ${limits}`,
  );
};

/**
 * @param version forces the symbol's size; default: the smallest that holds the text
 * @throws {ClientError} UNPROCESSABLE naming `data`: empty, not well-formed Unicode, or more than the symbol holds
 */
export const encodeMatrix = (text: string, level: CorrectionLevel, version?: number): ModuleMatrix => {
  if (text === '') throw new ClientError('UNPROCESSABLE', 'data must not be empty');
  // A lone surrogate has no UTF-8 form; the reader would see another text than the one that was given.
  if (!text.isWellFormed()) throw new ClientError('UNPROCESSABLE', 'data must be well-formed Unicode');
  const mode = modeOf(text);
  const length = mode === 'byte' ? Buffer.byteLength(text) : text.length;
  if (length > capacity(level, version, mode)) throw tooLong(length, mode, level, version);
  // The encoder draws no matrix without a border; the one of a module that it insists on is skipped here.
  const bordered = encodeQR(text, 'raw', { ecc: encoderLevel[level], encoding: mode, version, border: 1 });
  return {
    size: bordered.length - 2,
    level,
    isDark: (row, column) => bordered[row + 1]![column + 1]!,
  };
};
