/** An entry of a list, as operators write it. */
import { httpWithHost } from '#schemas/web-url.ts';
import { quoted } from '#shared/quoted.ts';
import { entryLabelsMax, entryLengthMax, entrySegmentsMax, textOf } from './expressions.ts';
import { placeOf } from './place.ts';

/** As it is stored. */
export interface Entry {
  lookup: string;
  rest: string;
}

export class EntryError extends Error {
  override name = 'EntryError';
}

/** Lists of others are also written for hosts files and ad blockers. */
const asHost = (line: string): string =>
  line
    .replace(/^(?:0\.0\.0\.0|127\.0\.0\.1|::1?)\s+/, '')
    .replace(/^\|\|([^/^]+)\^$/, '$1')
    .replace(/^(https?:\/\/)?\*?\./i, '$1');

const hashPattern = /^sha256:([0-9a-f]{8,64})$/i;

const hashEntry = (digits: string): Entry => {
  if (digits.length % 2 === 1) throw new EntryError('a hash must have whole bytes');
  return { lookup: `#${digits.slice(0, 8)}`, rest: digits.slice(8) };
};

const urlEntry = (given: string): Entry => {
  const text = /^https?:\/\//i.test(given) ? given : `http://${given}`;
  const url = httpWithHost.test(text) && text.isWellFormed() ? URL.parse(text) : null;
  if (!url?.hostname) throw new EntryError('must be a host, a URL, or sha256: and a hash');
  const place = placeOf(url);
  if (place.query !== '')
    throw new EntryError('must have no query: it blocks everything at and below its path');
  if (place.host === '' || place.host.split('.').length > entryLabelsMax)
    throw new EntryError(`must have a host of at most ${entryLabelsMax} labels`);
  if (place.path.split('/').filter(Boolean).length > entrySegmentsMax)
    throw new EntryError(`must have a path of at most ${entrySegmentsMax} segments`);
  const lookup = textOf(place);
  // Escapes make a text longer than its line, and what is longer is never looked up.
  if (lookup.length > entryLengthMax)
    throw new EntryError(`must have at most ${entryLengthMax} characters with its escapes`);
  return { lookup, rest: '' };
};

/**
 * Reads `evil.example`, `evil.example/path`, a URL, or `sha256:` and 4 to 32 bytes of a hash.
 * @throws {EntryError}
 */
export const readEntry = (given: string): Entry => {
  const line = given.trim();
  try {
    if (line.length > entryLengthMax) throw new EntryError(`must have at most ${entryLengthMax} characters`);
    const digits = hashPattern.exec(line)?.[1];
    return digits === undefined ? urlEntry(asHost(line)) : hashEntry(digits.toLowerCase());
  } catch (error) {
    if (error instanceof EntryError) throw new EntryError(`${quoted(line)} ${error.message}`);
    throw error;
  }
};

/** An entry as an operator reads it. */
export const writtenEntry = ({ lookup, rest }: Entry): string =>
  lookup.startsWith('#') ? `sha256:${lookup.slice(1)}${rest}` : lookup;
