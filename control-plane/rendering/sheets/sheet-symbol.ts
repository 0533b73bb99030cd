/**
 * The symbol of all codes on a sheet. Texts of equal length may need symbols of different size, depending on where
 * their digits are; on a sheet all codes have the same size.
 */
import { ClientError } from '#shared/errors.ts';
import { type CorrectionLevel, encodeMatrix } from '../symbol/matrix.ts';

export interface SheetSymbol {
  level: CorrectionLevel;
  version: number;
  /** Modules along one side, without the quiet zone. */
  size: number;
}

const level = 'M';
/** Levels that restore more, the best first: used if they cost no module. */
const better = ['H', 'Q'] as const;

const fits = (text: string, at: CorrectionLevel, version: number): boolean => {
  try {
    encodeMatrix(text, at, { version, mode: 'byte' });
    return true;
  } catch (error) {
    if (error instanceof ClientError) return false;
    throw error;
  }
};

/**
 * @param text of one of the codes: all have the same number of bytes
 * @throws {ClientError} UNPROCESSABLE if no symbol holds the text
 */
export const sheetSymbol = (text: string): SheetSymbol => {
  const { size } = encodeMatrix(text, level, { mode: 'byte' });
  const version = (size - 17) / 4;
  return { level: better.find((each) => fits(text, each, version)) ?? level, version, size };
};
