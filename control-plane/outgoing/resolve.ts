/**
 * Names of the internet, resolved without a thread. The system's resolver keeps one of the process for as long as a name server is
 * silent, ten seconds and more, and every other name waits behind it: that of PostgreSQL, too. Whoever writes the URLs that are
 * fetched may run the name servers as well, and have a thousand names of them looked up.
 */
import dns from 'node:dns';

/** As `dns.lookup` with `all`. */
export type Resolve = (
  hostname: string,
  options: dns.LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
) => void;

/** Milliseconds of the first try; the second has twice as long. */
const timeoutMs = 700;
const tries = 2;

/** What one type of address has come to. */
type Found = PromiseSettledResult<string[]>;

const addressesOf = (found: Found, family: number): dns.LookupAddress[] =>
  found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : [];

/** @param servers of the names, such as `127.0.0.1:53`; default: those of the system */
export const createResolve = (servers?: readonly string[]): Resolve => {
  const resolver = new dns.promises.Resolver({ timeout: timeoutMs, tries });
  if (servers) resolver.setServers(servers);
  return (hostname, options, callback) => {
    // Names of this machine and its network, which are in files: no stranger has name servers for them.
    if (!hostname.includes('.')) return dns.lookup(hostname, options, callback);
    const both = [resolver.resolve4(hostname), resolver.resolve6(hostname)] as const;
    void Promise.allSettled(both).then(([v4, v6]) => {
      const addresses = [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
      const failure = v4.status === 'rejected' ? v4.reason : null;
      callback(addresses.length > 0 ? null : failure, addresses);
    });
  };
};
