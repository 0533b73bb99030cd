/** Quotes texts of unknown origin in messages. */

/** Characters of a quoted text: an answer must not repeat a megabyte. */
const quotedLengthMax = 60;

/** An API key, or the start of one: sent in the wrong place, it must not appear in an answer or a log. */
const apiKey = /wm_\w{8,}/g;

/** Invisible characters would change how the message reads. */
const invisible = /[\p{Cc}\p{Cf}]/gu;

/**
 * A text of unknown origin, short but recognisable: without API keys, well-formed and without control characters, so
 * that it can be stored and shown everywhere.
 */
export const shortened = (text: string, lengthMax = quotedLengthMax): string => {
  const short = text.length <= lengthMax ? text : `${text.slice(0, lengthMax)}…`;
  return short.toWellFormed().replace(invisible, '\ufffd').replace(apiKey, 'wm_…');
};

/** A URL's query and fragment may hold tokens. */
export const withoutQuery = (text: string): string => text.replace(/^(\w+:[^?#]*)[?#].*$/s, '$1…');

/** `'abc'`, `7`, `null`, `an object` */
export const quoted = (value: unknown): string => {
  if (typeof value === 'string') return `'${shortened(withoutQuery(value.slice(0, quotedLengthMax + 1)))}'`;
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
};
