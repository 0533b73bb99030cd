/**
 * The table of codes, as blocks of nginx's configuration.
 *
 * nginx looks words up without regard to case, and ids differ by it: the key is the id with its case beside it, such as
 * `nX5cPq7Rk-lUllUlUll`.
 *
 * What is too long for one word is put together from `geo` blocks, which cannot be inside of a `map`. They are held until there
 * are many of them; then the map ends, they follow, and another map begins.
 */
import { isTooLong, piecesOf, plainWord, wordWithoutVariables } from './words.ts';

/** Characters of held blocks. */
const heldLengthMax = 256 * 1024;

export const answerVariable = (map: number): string => `waymark_answer_${map}`;

/** Whether each letter is an upper one. */
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
    /** A line, and the beginning of the next map where one is needed. @param id 9 letters and digits */
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
