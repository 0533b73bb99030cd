/** Bytes of a text file → text. Spreadsheet programs write UTF-8, UTF-16 and, on Windows, the country's code page. */
import { refuse } from './spreadsheet.ts';

/** Bytes for guessing the encoding. */
const sampleBytes = 4096;

const noText = 'is neither an XLSX workbook nor text; send XLSX, or CSV in UTF-8';

/** The share of zeros at even and at odd positions: western text in UTF-16 has one at every other position. */
const zeroShares = (sample: Buffer): { even: number; odd: number } => {
  const zeros = [0, 0];
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2]!++;
  });
  const half = Math.max(1, sample.length / 2);
  return { even: zeros[0]! / half, odd: zeros[1]! / half };
};

const utf16Of = (file: Buffer): 'utf-16le' | 'utf-16be' | undefined => {
  if (file[0] === 0xff && file[1] === 0xfe) return 'utf-16le';
  if (file[0] === 0xfe && file[1] === 0xff) return 'utf-16be';
  const { even, odd } = zeroShares(file.subarray(0, sampleBytes));
  if (odd > 0.5 && even < 0.1) return 'utf-16le';
  if (even > 0.5 && odd < 0.1) return 'utf-16be';
  return undefined;
};

const decodeAs = (encoding: string, file: Buffer): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(file);
  } catch {
    return undefined;
  }
};

/** Control characters that no spreadsheet program writes. */
const control = /(?![\s\u0080-\u009f])\p{Cc}/u;
/** Bytes that Windows-1252 leaves undefined, as the decoder returns them. */
const undefinedIn1252 = /[\u0080-\u009f]/;

/**
 * @returns the text without its byte order mark, and a note if the encoding was guessed
 * @throws {SpreadsheetRefusal} if it is not text
 */
export const decodeText = (file: Buffer): { text: string; note?: string } => {
  const utf16 = utf16Of(file);
  if (utf16) {
    const text = decodeAs(utf16, file) ?? refuse('is damaged: it is not valid UTF-16');
    return control.test(text) ? refuse(noText) : { text };
  }
  const text = decodeAs('utf-8', file);
  if (text !== undefined) return control.test(text) ? refuse(noText) : { text };
  const western = decodeAs('windows-1252', file) ?? '';
  if (control.test(western) || undefinedIn1252.test(western)) return refuse(noText);
  return {
    text: western,
    note: 'The file is not in UTF-8 and was read as Windows-1252; save it as CSV UTF-8 if letters are wrong.',
  };
};
