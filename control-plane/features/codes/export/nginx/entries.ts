/**
 * The table of codes, as blocks of nginx's configuration.
 *
 * nginx looks words up ignoring case, but ids differ by case: the key is the id followed by its case, such as
 * `nX5cPq7Rk-lUllUlUll`.
 *
 * A text too long for one word is put together from `geo` blocks, which cannot be inside a `map`. They are held back
 * until there are many; then the map ends, they follow, and another map begins.
 */
import { isTooLong, piecesOf, plainWord, wordWithoutVariables } from './words.ts';

/** Characters of held blocks. */
const heldLengthMax = 256 * 1024;

export const answerVariable = (map: number): string => `waymark_answer_${map}`;

/** The case of each letter. */
const caseOf = (id: string): string => id.replaceAll(/./g, (sign) => (/[A-Z]/.test(sign) ? 'U' : 'l'));

export const createEntries = () => {
  let maps = 1;
  let longs = 0;
  let held = '';

  const holdPieces = (text: string): string => {
    const name = `waymark_long_${++longs}`;
    const pieces = piecesOf(text);
    held += pieces.map((piece, at) => `geo $${name}_${at} { default ${plainWord(piece)}; }\n`).join('');
    return `"${pieces.map((_, at) => `\${${name}_${at}}`).join('')}"`;
  };

  const valueFor = (text: string): string => {
    const word = wordWithoutVariables(text);
    return isTooLong(word) ? holdPieces(text) : word;
  };

  const begin = (): string => `map $waymark_key $${answerVariable(maps)} {\n  default "";\n`;

  const end = (): string => {
    const blocks = `}\n${held}`;
    held = '';
    return blocks;
  };

  return {
    begin,
    /** A line, and the beginning of the next map if one is needed. @param id 9 letters and digits */
    entry(id: string, answer: string, notes: readonly string[]): string {
      const comment = notes.length > 0 ? `  # ${notes.join('; ')}` : '';
      const line = `  "${id}-${caseOf(id)}" ${valueFor(answer)};${comment}\n`;
      if (held.length < heldLengthMax) return line;
      const ended = end();
      maps++;
      return line + ended + begin();
    },
    end,
    maps: () => maps,
  };
};
