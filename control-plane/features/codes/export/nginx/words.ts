/**
 * Texts as words of nginx's configuration. Whatever a text has in it, it stays one word: between double quotes nothing but a
 * backslash and a quote means something to the parser.
 */

/** Bytes of one word: the parser refuses one that does not fit its buffer of 4096, quotes included. */
const wordBytesMax = 4000;

/** A piece of this many bytes has at most twice as many when its quotes and backslashes are escaped. */
const pieceBytesMax = wordBytesMax / 2;

/** A variable that holds a dollar sign: where variables are replaced, nginx has no other way to write one. */
export const dollarVariable = 'waymark_dollar';

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A word in which nginx replaces no variables, such as a value of `geo`. */
export const plainWord = (text: string): string =>
  `"${text.replaceAll(/[\\"\n\r\t]/g, (sign) => escapes[sign]!)}"`;

/** A word in which it would, such as a value of `map`. */
export const wordWithoutVariables = (text: string): string =>
  plainWord(text).replaceAll('$', `\${${dollarVariable}}`);

export const isTooLong = (word: string): boolean => Buffer.byteLength(word) > wordBytesMax;

/** The text in pieces, each of which makes a plain word that is not too long. */
export const piecesOf = (text: string): string[] => {
  const pieces: string[] = [];
  let piece = '';
  let bytes = 0;
  for (const sign of text) {
    const more = Buffer.byteLength(sign);
    if (bytes + more > pieceBytesMax) {
      pieces.push(piece);
      piece = '';
      bytes = 0;
    }
    piece += sign;
    bytes += more;
  }
  return [...pieces, piece];
};
