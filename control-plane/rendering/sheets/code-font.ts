/**
 * The font of ids and serials on sheets. All its characters have the same width, so that a layout holds for every
 * label. It is embedded with the printable ASCII characters, each under a number that follows from its code: drawing a
 * page needs no font file.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import decompress from 'woff2-encoder/decompress';

const file = createRequire(import.meta.url).resolve(
  '@fontsource/jetbrains-mono/files/jetbrains-mono-latin-500-normal.woff2',
);

/**
 * From one character to the next, and the extent of the ink above and below the baseline, parentheses included: in ems.
 */
export const codeFontMetrics = { advance: 0.6, ascent: 0.86, descent: 0.2 } as const;

const [first, last] = [' '.charCodeAt(0), '~'.charCodeAt(0)];

/** The characters in the order of their numbers. Number 0 stands for an unknown character. */
export const codeFontCharacters: readonly string[] = Array.from({ length: last - first + 1 }, (_, index) =>
  String.fromCharCode(first + index),
);

/**
 * The numbers of a text's characters, in hexadecimal digits as PDF takes them. @throws {Error} if a character is not
 * printable ASCII
 */
export const codeFontText = (text: string): string => {
  let numbers = '';
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < first || code > last)
      throw new Error(`${JSON.stringify(text)} has characters other than printable ASCII`);
    numbers += (code - first + 1).toString(16).padStart(4, '0');
  }
  return numbers;
};

let loading: Promise<Buffer> | undefined;

/** The font as TrueType. */
export const loadCodeFont = (): Promise<Buffer> => {
  loading ??= readFile(file).then(async (compressed) => Buffer.from(await decompress(compressed)));
  return loading;
};
