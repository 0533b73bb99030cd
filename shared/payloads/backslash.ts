/**
 * The notation that `WIFI:` and `MECARD:` share (NTT DOCOMO's): `KEY:value;` in any order, where a backslash makes the
 * character after it an ordinary one.
 */

/** One field. Its value still carries its backslashes, so that a list can be split where a comma is not escaped. */
export interface Field {
  key: string;
  escaped: string;
}

export const unescaped = (escaped: string): string => escaped.replace(/\\([\s\S])/g, '$1');

/** Splits at a character without a backslash before it. */
export const splitEscaped = (text: string, separator: string): string[] => {
  const parts: string[] = [];
  let begin = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === separator) {
      parts.push(text.slice(begin, i));
      begin = i + 1;
    }
  }
  parts.push(text.slice(begin));
  return parts;
};

/** The fields after a prefix such as `WIFI:`; undefined when the payload does not begin with it, in any case. */
export const readFields = (payload: string, prefix: string): Field[] | undefined => {
  const text = payload.trim();
  if (text.slice(0, prefix.length).toUpperCase() !== prefix) return undefined;
  return splitEscaped(text.slice(prefix.length), ';').flatMap((part) => {
    const colon = part.indexOf(':');
    if (colon < 1) return [];
    return [{ key: part.slice(0, colon).trim().toUpperCase(), escaped: part.slice(colon + 1) }];
  });
};

/** The values of a key, unescaped, without empty ones. */
export const valuesOf = (fields: readonly Field[], key: string): string[] =>
  fields
    .filter((field) => field.key === key)
    .map(({ escaped }) => unescaped(escaped))
    .filter((value) => value.trim() !== '');
