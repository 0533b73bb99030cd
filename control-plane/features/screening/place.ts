/**
 * Where a URL leads, in one form: the host without case, port, user name or trailing dots, and the path without escapes, dot
 * segments or doubled slashes. Whatever way a URL is written, browsers open the same place.
 */
import ipaddr from 'ipaddr.js';

export interface Place {
  host: string;
  /** Whether the host is an address: it has no subdomains. */
  isAddress: boolean;
  /** Begins with a slash. */
  path: string;
  /**
   * The same before escaped slashes and dots take effect: some servers take `/a/%252e%252e/b` for `/b`, and others for
   * something below `/a`.
   */
  plainPath: string;
  /** With the question mark; empty if there is none. */
  query: string;
}

const isHex = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);

const percent = 37;

/**
 * The text without percent-escapes, however often it was escaped, in one pass: whatever the end of the output completes is
 * decoded again. Each character of the result is a byte.
 */
const unescaped = (text: string): string => {
  const out: number[] = [];
  const emit = (code: number): void => {
    out.push(code);
    const high = out.at(-2);
    if (out.at(-3) !== percent || high === undefined || !isHex(high) || !isHex(code)) return;
    out.length -= 3;
    emit(Number.parseInt(String.fromCharCode(high, code), 16));
  };
  for (const byte of Buffer.from(text)) emit(byte);
  return Buffer.from(out).toString('latin1');
};

/** As Safe Browsing escapes: controls, the space, bytes from 0x7f up, `#` and `%`. */
const escaped = (bytes: string): string =>
  bytes.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is escaped
    /[\x00-\x20\x7f-\xff#%]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

/** Without dot segments and doubled slashes; a slash at the end stays. */
const resolvedPath = (path: string): string => {
  const kept: string[] = [];
  const segments = path.split('/');
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  const last = segments.at(-1);
  const isFolder = last === '' || last === '.' || last === '..';
  return `/${kept.join('/')}${isFolder && kept.length > 0 ? '/' : ''}`;
};

const plainPathOf = (pathname: string): string =>
  pathname
    .split('/')
    .map((segment) => escaped(unescaped(segment)))
    .join('/');

const withoutOuterDots = (host: string): string => host.replace(/^\.+|\.+$/g, '').replace(/\.{2,}/g, '.');

/** An IPv4 address in IPv6 clothes is the IPv4 address. */
const addressOf = (host: string): string | undefined => {
  const bare = host.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : undefined;
};

/** @param url http or https. The parser has converted its host to lower case and punycode */
export const placeOf = ({ hostname, pathname, search }: URL): Place => {
  const name = withoutOuterDots(hostname);
  const address = addressOf(name);
  const whole = unescaped(pathname + search);
  const mark = whole.indexOf('?');
  const path = mark === -1 ? whole : whole.slice(0, mark);
  return {
    host: address ?? name,
    isAddress: address !== undefined,
    path: escaped(resolvedPath(path)),
    plainPath: plainPathOf(pathname),
    query: mark === -1 ? '' : escaped(whole.slice(mark)),
  };
};
