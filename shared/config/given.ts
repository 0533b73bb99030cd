/** The value of a variable as shown in messages: short, on one line, without secrets. */

const lengthMax = 200;

/** Messages show only the length of these. */
const secrets: ReadonlySet<string> = new Set([
  'SECRET_KEY',
  'SERIAL_KEYS',
  'BOOTSTRAP_API_KEY',
  'TLS_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'AI_KEY',
  'WEB_RISK_URL',
  'BACKUP_PASSPHRASE',
]);

const asJson = (text: string): string =>
  JSON.stringify(text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text);

/**
 * A URL without its user, password and query, which may hold a password too.
 * @returns undefined for a text that may contain a password anywhere
 */
const withoutPassword = (text: string): string | undefined => {
  if (!URL.canParse(text)) return text.includes('@') ? undefined : text;
  const { protocol, username, password, host, pathname, search, hash } = new URL(text);
  // If a password has an unescaped character that ends the host, the rest of it lands in the path, query or fragment.
  if (`${pathname}${search}${hash}`.includes('@')) return undefined;
  const user = username || password ? '…@' : '';
  if (!user && !search && !hash) return text;
  return `${protocol}//${user}${host}${pathname}${search || hash ? '?…' : ''}`;
};

/** @param text the variable's value in the environment */
export const shownValue = (name: string, text: string): string => {
  if (secrets.has(name)) return `${text.length} characters`;
  // Only the number of entries; the message names the wrong one.
  if (name === 'APP_LINKS_ALLOW') return `${text.split(/[\s,]+/).filter(Boolean).length} entries`;
  const shown = withoutPassword(text);
  return shown === undefined ? 'a text with "@" that is not a URL' : asJson(shown);
};
