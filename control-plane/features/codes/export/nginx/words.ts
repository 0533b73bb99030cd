/**
 * Texts as words of nginx's configuration. Any text stays one word: between double quotes only a backslash and a quote
 * are special to the parser.
 */

/** Bytes of one word: the parser refuses one that does not fit its buffer of 4096, including quotes. */
const wordBytesMax = 4000;

/** A piece of this many bytes has at most twice as many after escaping quotes and backslashes. */
const pieceBytesMax = wordBytesMax / 2;

/** A variable that holds a dollar sign: where nginx replaces variables, there is no other way to write one. */
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

/** A word in which nginx replaces variables, such as a value of `map`. */
export const wordWithoutVariables = (text: string): string =>
  plainWord(text).replaceAll('$', `\${${dollarVariable}}`);

export const isTooLong = (word: string): boolean => Buffer.byteLength(word) > wordBytesMax;

/** The text in pieces, each short enough for a plain word. */
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
