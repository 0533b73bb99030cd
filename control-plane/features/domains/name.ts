/** Domain names as owners write them, and as they are stored: ASCII, in lower case, without a trailing dot. */
import { domainToASCII } from 'node:url';
import { getPublicSuffix } from 'tldts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';

/** The prefix of a domain in the name of its TXT record. */
const recordLabel = '_waymark';

/** RFC 1035: 253 characters, including the name of the record. */
export const domainNameLengthMax = 253 - recordLabel.length - 1;

/** The name of the TXT record that proves the ownership of a domain. */
export const recordNameOf = (domain: string): string => `${recordLabel}.${domain}`;

/** Letters, digits, hyphens and dots of any script: a name has no port, path, wildcard or white space. */
const nameCharacters = /^[\p{L}\p{M}\p{N}.\u3002-]+$/u;
const asciiLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

const whyNoName = (domain: string): string | undefined => {
  const labels = domain.split('.');
  if (domain.length > domainNameLengthMax)
    return `must have at most ${domainNameLengthMax} characters in its ASCII form`;
  if (!labels.every((label) => asciiLabel.test(label)) || /^\d+$/.test(labels.at(-1)!))
    return 'must be a host name such as go.example.com, without a scheme, port, path or wildcard';
  if (labels.length < 2) return 'must have a dot: a name such as go.example.com';
  return getPublicSuffix(domain) === domain
    ? 'must not be a public suffix, under which anybody registers names'
    : undefined;
};

const isAtOrBelow = (domain: string, host: string): boolean => domain === host || domain.endsWith(`.${host}`);

/** @param given at most {@link domainNameLengthMax} characters @param ownHosts host names of this installation */
export const readDomainName = (given: string, ownHosts: readonly string[]): string => {
  const refuse = (why: string): never => {
    throw new ClientError('UNPROCESSABLE', `domain ${why}; given: ${quoted(given)}`);
  };
  const plain = given.endsWith('.') ? given.slice(0, -1) : given;
  const domain = nameCharacters.test(plain) ? domainToASCII(plain) : '';
  const why = whyNoName(domain);
  if (why !== undefined) return refuse(why);
  const own = ownHosts.find((host) => isAtOrBelow(domain, host));
  return own === undefined ? domain : refuse(`must not be ${own} or below it, which is this service's own`);
};
