/** On which hosts links are printed, and whether what is printed goes on. */
import type { ImportHost } from '#schemas/api/imports.ts';
import type { Link, Vendor } from './link.ts';

/** Further hosts are counted together. */
const hostsMax = 50;

type Moves = ImportHost['moves'];

const isOf = (host: string, names: readonly string[]): boolean =>
  names.some((name) => host === name || host.endsWith(`.${name}`));

const movesOf = (host: string | null, domain: string | null, { ownHosts }: Vendor): Moves => {
  if (host === null) return 'unknown';
  if (host === domain) return 'by_dns';
  return isOf(host, ownHosts) ? 'never' : 'other_domain';
};

const law = (host: string): string => `Codes printed with ${host} only continue if that domain moves by DNS`;

const messageOf = (host: string | null, moves: Moves, domain: string | null, { title }: Vendor): string => {
  if (host === null)
    return (
      'The file does not say with which host these codes are printed. They only continue if that domain moves by DNS, and is ' +
      'the `domain` of the import.'
    );
  if (moves === 'by_dns') return `${law(host)}: they do as soon as its DNS leads here.`;
  if (moves === 'never')
    return `${law(host)}, and it cannot: it belongs to ${title}. They go on leading to ${title}, as long as it lets them.`;
  return (
    `${law(host)}: add it as a domain of the workspace, and import its links with \`domain\` and \`host\`. ` +
    `With this import their short codes only live on ${domain === null ? 'on the shared host' : `on ${domain}`}.`
  );
};

/** In steps. @returns the hosts with the most links first */
export function* hostsOf(
  links: readonly Link[],
  domain: string | null,
  vendor: Vendor,
): Generator<void, ImportHost[]> {
  const counts = new Map<string | null, number>();
  for (const { shortLinks } of links) {
    for (const host of new Set(shortLinks.map((link) => link.host)))
      counts.set(host, (counts.get(host) ?? 0) + 1);
    yield;
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const hosts = sorted.slice(0, hostsMax).map(([host, count]): ImportHost => {
    const moves = movesOf(host, domain, vendor);
    return { host, links: count, moves, message: messageOf(host, moves, domain, vendor) };
  });
  const rest = sorted.slice(hostsMax).reduce((sum, [, count]) => sum + count, 0);
  if (rest === 0) return hosts;
  const message = `These are printed with ${sorted.length - hostsMax} further hosts. They only continue if those domains move by DNS.`;
  return [...hosts, { host: null, links: rest, moves: 'other_domain', message }];
}
