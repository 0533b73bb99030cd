/** The name in the header Host (RFC 9110, section 7.2), as used in document ids. */

/** A name of 253 characters, a dot, and a port. */
export const hostLengthMax = 253 + 1 + 6;

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
/** At least two labels, the last beginning with a letter: `localhost` and addresses are not domain names. */
const domainName = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$`);

/**
 * @param host any text
 * @returns in lower case, without port and trailing dot; undefined if it cannot be the name of a domain
 */
export const hostNameOf = (host: string): string | undefined => {
  if (host.length > hostLengthMax) return undefined;
  const name = host
    .toLowerCase()
    .replace(/:\d{0,5}$/, '')
    .replace(/\.$/, '');
  return domainName.test(name) ? name : undefined;
};
