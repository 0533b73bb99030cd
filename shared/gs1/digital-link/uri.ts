/** The URI parts of a Digital Link, before any GS1 rules are applied. */
import { Gs1Error } from '../gs1-error.ts';

export interface UriParts {
  /** From its first slash, without query and fragment. */
  path: string;
  /** Where the path begins. */
  pathAt: number;
  /** Without its question mark. */
  query: string;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';

const tableOf = (characters: string): Uint8Array => {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
};

const ofUris = tableOf(`${letters}${digits}-._~:/?#[]@!$&'()*+,;=%`);
const ofDomains = tableOf(`${letters}${digits}-._~:[]`);

/** The index of the first character from `at`, before `end`, that is not in the table; -1 if there is none. */
const alienAt = (text: string, table: Uint8Array, at: number, end: number): number => {
  for (let i = at; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code > 127 || table[code] === 0) return i;
  }
  return -1;
};

const schemes = ['https://', 'http://', 'HTTPS://', 'HTTP://'];

const notHttp = 'Scheme must be http:// or HTTP:// or https:// or HTTPS://';
const noPath = 'URI must contain a domain and path info';

/** @returns where the path begins */
const pastDomain = (text: string): number | Gs1Error => {
  const scheme = schemes.find((one) => text.startsWith(one));
  if (scheme === undefined) return new Gs1Error('not-http', { expected: 'http:// or https://' }, notHttp);
  const end = text.indexOf('/', scheme.length);
  if (end <= scheme.length) {
    const at = { position: scheme.length, expected: 'a domain and a path such as id.gs1.org/01/…' };
    return new Gs1Error('no-path', at, noPath);
  }
  const alien = alienAt(text, ofDomains, scheme.length, end);
  if (alien < 0) return end;
  const at = { position: alien, expected: 'letters, digits, dots and hyphens' };
  return new Gs1Error('domain-charset', at, 'Domain contains illegal characters');
};

/**
 * @param text a URI, or a path with its query
 * @param isQueryFree whether the query may hold any characters
 */
export const splitUri = (text: string, isQueryFree: boolean): UriParts | Gs1Error => {
  const pathAt = text.startsWith('/') ? 0 : pastDomain(text);
  if (pathAt instanceof Gs1Error) return pathAt;
  const hash = text.indexOf('#', pathAt);
  const end = hash < 0 ? text.length : hash;
  const mark = text.indexOf('?', pathAt);
  const pathEnd = mark < 0 || mark > end ? end : mark;
  const alien = alienAt(text, ofUris, pathAt, isQueryFree ? pathEnd : text.length);
  if (alien >= 0) {
    const at = { position: alien, expected: 'a character of a URI, or its percent-encoding' };
    return new Gs1Error('uri-charset', at, 'URI contains illegal characters');
  }
  return { path: text.slice(pathAt, pathEnd), pathAt, query: text.slice(pathEnd + 1, end) };
};
