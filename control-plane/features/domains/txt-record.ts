/** Looks for the TXT record of a domain. */
import dns from 'node:dns';
import { hasCode, messageOf } from '#shared/errors.ts';
import { recordNameOf } from './name.ts';

/** What a look has come to; `values`: of all TXT records of the name. A name server that does not answer, or not with an answer, says nothing about the record. */
export type Look =
  | { kind: 'present'; values: readonly string[] }
  | { kind: 'absent'; found: readonly string[] }
  | { kind: 'failed'; problem: string };

/** @param value what the record must say */
export type LookForRecord = (domain: string, value: string) => Promise<Look>;

/** Milliseconds of the first try; the second has twice as long. */
const timeoutMs = 2_000;
const tries = 2;
const foundMax = 5;
const foundLengthMax = 100;

/** There is no such name, or it has no TXT record. */
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

/** For a message: a name may have any number of records, which anybody has written. */
const shown = (text: string): string => text.slice(0, foundLengthMax).replaceAll(/[^\x20-\x7e]/g, '?');

const compare = (values: readonly string[], wanted: string): Look =>
  values.includes(wanted)
    ? { kind: 'present', values }
    : { kind: 'absent', found: values.slice(0, foundMax).map(shown) };

/** @param servers addresses of resolvers, such as `127.0.0.1:53`; default: those of the system */
export const createLookForRecord = (servers?: readonly string[]): LookForRecord => {
  const resolver = new dns.promises.Resolver({ timeout: timeoutMs, tries });
  if (servers && servers.length > 0) resolver.setServers(servers);
  return async (domain, value) => {
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
};

const quotesHint = (found: readonly string[], wanted: string): string =>
  found.includes(`"${wanted}"`) ? '; the quotes are part of it: set it without them' : '';

/** Why a look has not found the record, for its owner; undefined where it has. @param wanted what the record must say */
export const problemOfLook = (look: Look, domain: string, wanted: string): string | undefined => {
  const name = recordNameOf(domain);
  switch (look.kind) {
    case 'present':
      return undefined;
    case 'failed':
      return `The TXT record ${name} could not be looked up: ${look.problem}`;
    case 'absent':
      return look.found.length === 0
        ? `There is no TXT record ${name}; it must say ${wanted}`
        : `The TXT record ${name} must say ${wanted}; found: ${look.found.join(', ')}${quotesHint(look.found, wanted)}`;
  }
};
