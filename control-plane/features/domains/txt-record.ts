/** Checks the TXT record of a domain. */
import dns from 'node:dns';
import { hasCode, messageOf } from '#shared/errors.ts';
import { recordNameOf } from './name.ts';

/**
 * The result of a check; `values`: every TXT record found. A name server that gives no answer, or an error, says
 * nothing about the record.
 */
export type Check =
  | { kind: 'present'; values: readonly string[] }
  | { kind: 'absent'; found: readonly string[] }
  | { kind: 'failed'; problem: string };

/** @param value the required value of the record */
export type CheckRecord = (domain: string, value: string) => Promise<Check>;

/** Milliseconds of the first try; the second has twice as long. */
const timeoutMs = 2_000;
/** With a single resolver; several are asked once each. */
const triesOfOne = 2;
/** After this many milliseconds no other resolver is asked: a check takes at most 6 s, with one resolver or several. */
const otherAskedMsMax = 4_000;
const foundMax = 5;
const foundLengthMax = 100;

/** The name does not exist, or has no TXT record. */
const absences = ['ENOTFOUND', 'ENODATA'] as const;

const problems: Readonly<Record<string, string>> = {
  ETIMEOUT: 'its name servers did not answer in time',
  ESERVFAIL: 'its name servers failed (SERVFAIL)',
  EREFUSED: 'its name servers refused to answer (REFUSED)',
  ECONNREFUSED: 'no name server could be reached',
};

const problemOf = (error: unknown): string => {
  const [code] = Object.keys(problems).filter((each) => hasCode(error, each));
  return code === undefined ? messageOf(error).slice(0, foundLengthMax) : problems[code]!;
};

/** For a message: a name may have any number of records, with any content. */
const shown = (text: string): string => text.slice(0, foundLengthMax).replaceAll(/[^\x20-\x7e]/g, '?');

const compare = (values: readonly string[], wanted: string): Check =>
  values.includes(wanted)
    ? { kind: 'present', values }
    : { kind: 'absent', found: values.slice(0, foundMax).map(shown) };

/** The answer of one resolver. */
const askOne = async (resolver: dns.promises.Resolver, domain: string, value: string): Promise<Check> => {
  try {
    const records = await resolver.resolveTxt(recordNameOf(domain));
    return compare(
      records.map((chunks) => chunks.join('').trim()),
      value,
    );
  } catch (error) {
    return hasCode(error, ...absences)
      ? { kind: 'absent', found: [] }
      : { kind: 'failed', problem: problemOf(error) };
  }
};

/** One per server: a resolver with several asks the next if one is silent, but not if one answers with a failure. */
const createResolvers = (servers: readonly string[]): dns.promises.Resolver[] => {
  if (servers.length === 0) return [new dns.promises.Resolver({ timeout: timeoutMs, tries: triesOfOne })];
  return servers.map((server) => {
    const resolver = new dns.promises.Resolver({
      timeout: timeoutMs,
      tries: servers.length === 1 ? triesOfOne : 1,
    });
    resolver.setServers([server]);
    return resolver;
  });
};

/** @param servers addresses of resolvers, such as `127.0.0.1:53`; default: the system's */
export const createRecordCheck = (servers?: readonly string[]): CheckRecord => {
  const resolvers = createResolvers(servers && servers.length > 0 ? servers : dns.getServers());
  return async (domain, value) => {
    const endsAt = performance.now() + otherAskedMsMax;
    let found: Check = { kind: 'failed', problem: problemOf(undefined) };
    for (const resolver of resolvers) {
      found = await askOne(resolver, domain, value);
      if (found.kind !== 'failed' || performance.now() >= endsAt) break;
    }
    return found;
  };
};

const quotesHint = (found: readonly string[], wanted: string): string =>
  found.includes(`"${wanted}"`) ? '; the quotes are part of it: set it without them' : '';

/** Why a check has not found the record, for its owner; undefined if it has. @param wanted the required value */
export const problemOfCheck = (check: Check, domain: string, wanted: string): string | undefined => {
  const name = recordNameOf(domain);
  switch (check.kind) {
    case 'present':
      return undefined;
    case 'failed':
      return `The TXT record ${name} could not be looked up: ${check.problem}`;
    case 'absent':
      return check.found.length === 0
        ? `There is no TXT record ${name}; it must say ${wanted}`
        : `The TXT record ${name} must say ${wanted}; found: ${check.found.join(', ')}${quotesHint(check.found, wanted)}`;
  }
};
