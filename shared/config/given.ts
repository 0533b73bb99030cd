/** The value of a variable as a message may show it: short, on one line, without secrets. */

const lengthMax = 200;

/** A message tells only the length of these. */
const secrets: ReadonlySet<string> = new Set([
  'SECRET_KEY',
  'SERIAL_KEYS',
  'BOOTSTRAP_API_KEY',
  'TLS_KEY',
  'STRIPE_WEBHOOK_SECRET',
]);

const asJson = (text: string): string =>
  JSON.stringify(text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text);

/**
 * A URL without its user, its password and its query, which may hold a password, too.
 * @returns undefined for a text in which a password may be anywhere
 */
const withoutPassword = (text: string): string | undefined => {
  if (!URL.canParse(text)) return text.includes('@') ? undefined : text;
  const { protocol, username, password, host, pathname, search, hash } = new URL(text);
  // A password with an unescaped character that ends the host is read as a part of what comes after it.
  if (`${pathname}${search}${hash}`.includes('@')) return undefined;
  const user = username || password ? '…@' : '';
  if (!user && !search && !hash) return text;
  return `${protocol}//${user}${host}${pathname}${search || hash ? '?…' : ''}`;
};

/** @param text what the environment has for the variable */
export const shownValue = (name: string, text: string): string => {
  if (secrets.has(name)) return `${text.length} characters`;
  // How many entries; the message names the wrong one.
  if (name === 'APP_LINKS_ALLOW') return `${text.split(/[\s,]+/).filter(Boolean).length} entries`;
  const shown = withoutPassword(text);
  return shown === undefined ? 'a text with "@" that is no URL' : asJson(shown);
};
