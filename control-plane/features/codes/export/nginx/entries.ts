/**
 * The table of codes, as blocks of nginx's configuration.
 *
 * nginx looks words up ignoring case, but ids differ by case: the key is the id followed by its case, such as
 * `nX5cPq7Rk-lUllUlUll`.
 *
 * A text too long for one word is put together from `geo` blocks, which cannot be inside a `map`. They are held back
 * until there are many; then the map ends, they follow, and another map begins. So are the maps from aliases to keys.
 */
import { isTooLong, piecesOf, plainWord, wordWithoutVariables } from './words.ts';

/** Characters of held blocks. */
const heldLengthMax = 256 * 1024;

export const answerVariable = (map: number): string => `waymark_answer_${map}`;
/** Of the maps of aliases, which lead to the keys of codes. */
export const aliasVariable = (map: number): string => `waymark_alias_${map}`;

/** Bytes of a key that surely fit into a bucket of nginx's table; a longer one is an expression. */
const keyBytesMax = 150;

/** An alias as nginx sees it. */
export interface NginxAlias {
  /** Host and path: `go.example.com/summer-sale`. */
  address: string;
  /** Whether upper and lower case differ, which only an expression tells. */
  isExact: boolean;
}

const keyOfAlias = ({ address, isExact }: NginxAlias): string =>
  isExact || Buffer.byteLength(address) > keyBytesMax
    ? `"~${isExact ? '' : '*'}^${address.replaceAll('.', '\\.')}$"`
    : `"${address}"`;

/** The case of each letter. */
const caseOf = (id: string): string => id.replaceAll(/./g, (sign) => (/[A-Z]/.test(sign) ? 'U' : 'l'));

/** @param aliasesMax in one map, for which nginx has a table */
export const createEntries = (aliasesMax: number) => {
  let maps = 1;
  let longs = 0;
  let held = '';
  let aliasMaps = 0;
  let aliases: string[] = [];

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

  const holdAliases = (): void => {
    if (aliases.length === 0) return;
    held += `map "$host$waymark_path" $${aliasVariable(++aliasMaps)} {\n  default "";\n${aliases.join('')}}\n`;
    aliases = [];
  };

  const end = (): string => {
    holdAliases();
    const blocks = `}\n${held}`;
    held = '';
    return blocks;
  };

  const keyOf = (id: string): string => `"${id}-${caseOf(id)}"`;

  return {
    begin,
    /** A line, and the beginning of the next map if one is needed. @param id 9 letters and digits */
    entry(id: string, answer: string, notes: readonly string[], others: readonly NginxAlias[] = []): string {
      const comment = notes.length > 0 ? `  # ${notes.join('; ')}` : '';
      const line = `  ${keyOf(id)} ${valueFor(answer)};${comment}\n`;
      for (const each of others) aliases.push(`  ${keyOfAlias(each)} ${keyOf(id)};\n`);
      if (aliases.length >= aliasesMax) holdAliases();
      if (held.length < heldLengthMax) return line;
      const ended = end();
      maps++;
      return line + ended + begin();
    },
    end,
    maps: () => maps,
    aliasMaps: () => aliasMaps,
  };
};
