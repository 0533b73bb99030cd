/**
 * The notation shared by `WIFI:` and `MECARD:` (NTT DOCOMO's): `KEY:value;` in any order, where a backslash escapes the
 * next character.
 */

/** One field. Its value keeps its backslashes, so that lists can be split at unescaped commas. */
export interface Field {
  key: string;
  escaped: string;
}

export const unescaped = (escaped: string): string => escaped.replace(/\\([\s\S])/g, '$1');

/** Splits at a character that has no backslash before it. */
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

/** The fields after a prefix such as `WIFI:`, in any case; undefined if the payload does not begin with it. */
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
