/**
 * The lines of vCard (RFC 6350, section 3.3; RFC 2426) and iCalendar (RFC 5545, section 3.1):
 * `name;parameter=value:value`, folded by a line break and a space.
 */

export interface ContentLine {
  /** In upper case, without a vCard group such as `item1.`. */
  name: string;
  /** By upper-case name; a list stays one text. vCard 2.1's bare parameters are types. */
  parameters: ReadonlyMap<string, string>;
  /** Still escaped. */
  value: string;
}

/** RFC 6868: the escapes of a parameter's value. */
const decodeParameter = (text: string): string =>
  text.replace(/\^([n^'])/g, (_, char: string) => (char === 'n' ? '\n' : char === "'" ? '"' : '^'));

/** Name and parameters, or value: separated by the first colon outside quotes. */
const lineParts = /^((?:"[^"]*"|[^":])*):([\s\S]*)$/;
const parameterParts = /(?:"[^"]*"|[^";])+/g;

const parseParameters = (texts: readonly string[]): Map<string, string> => {
  const parameters = new Map<string, string>();
  for (const text of texts) {
    const equals = text.indexOf('=');
    const name = equals < 0 ? 'TYPE' : text.slice(0, equals).trim().toUpperCase();
    const value = decodeParameter(text.slice(equals + 1).replaceAll('"', ''));
    const before = parameters.get(name);
    parameters.set(name, before === undefined ? value : `${before},${value}`);
  }
  return parameters;
};

const parseLine = (line: string): ContentLine | undefined => {
  const parts = lineParts.exec(line);
  if (!parts) return undefined;
  const [name = '', ...parameters] = parts[1]!.match(parameterParts) ?? [];
  return {
    name: name
      .slice(name.lastIndexOf('.') + 1)
      .trim()
      .toUpperCase(),
    parameters: parseParameters(parameters),
    value: parts[2]!,
  };
};

/** Unfolds and splits; other lines are dropped. Line ends may be CRLF, LF or CR. */
export const parseContentLines = (payload: string): ContentLine[] =>
  payload
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]/g, '')
    .split('\n')
    .flatMap((line) => parseLine(line) ?? []);

/** Text as escaped in RFC 6350 section 3.4 and RFC 5545 section 3.3.11. */
export const unescapeText = (value: string): string =>
  value.replace(/\\([\s\S])/g, (_, char: string) => (char === 'n' || char === 'N' ? '\n' : char));

/** The inverse of {@link unescapeText}. Control characters, which neither format can hold, are dropped. */
export const escapeText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\n\P{Cc}]/gu, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

/** Folds at 75 bytes of UTF-8 and ends every line with CRLF. */
export const foldLines = (lines: readonly string[]): string =>
  lines.map((line) => `${fold(line)}\r\n`).join('');

/** In UTF-8. */
const bytesOf = (char: string): number => {
  const point = char.codePointAt(0)!;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
};

const fold = (line: string): string => {
  let folded = '';
  let bytes = 0;
  for (const char of line) {
    const size = bytesOf(char);
    if (bytes + size > 75) {
      folded += '\r\n ';
      bytes = 1;
    }
    folded += char;
    bytes += size;
  }
  return folded;
};
