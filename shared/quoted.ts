/** Texts that somebody else has chosen, as messages repeat them. */

/** Characters of a text that is quoted: an answer must not repeat a megabyte. */
const quotedLengthMax = 60;

/** A text that somebody else has chosen: as much of it as tells it from others. */
export const shortened = (text: string): string =>
  text.length <= quotedLengthMax ? text : `${text.slice(0, quotedLengthMax)}…`.toWellFormed();

/** Invisible characters would change how the message reads. */
const invisible = /[\p{Cc}\p{Cf}]/gu;

/** The query and the fragment of a URL may hold tokens. */
const withoutQuery = (text: string): string => text.replace(/^(\w+:[^?#]*)[?#].*$/s, '$1…');

/** `'abc'`, `7`, `null`, `an object` */
export const quoted = (value: unknown): string => {
  if (typeof value === 'string')
    return `'${shortened(withoutQuery(value.slice(0, quotedLengthMax + 1))).replace(invisible, '\ufffd')}'`;
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
};
