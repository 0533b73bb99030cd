/**
 * Resolves internet names without a thread. The system's resolver blocks one of the process's threads for as long as a
 * name server is silent, ten seconds and more, and every other name waits behind it, including PostgreSQL's. The author
 * of the fetched URLs may run the name servers as well, and have a thousand of their names looked up.
 */
import dns from 'node:dns';

/** Like `dns.lookup` with `all`. */
export type Resolve = (
  hostname: string,
  options: dns.LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
) => void;

/** In ms, of the first attempt; the second one has twice as long. */
const timeoutMs = 700;
const tries = 2;

/** The result for one type of address. */
type Found = PromiseSettledResult<string[]>;

const addressesOf = (found: Found, family: number): dns.LookupAddress[] =>
  found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : [];

/** @param servers of the names, such as `127.0.0.1:53`; default: the system's */
export const createResolve = (servers?: readonly string[]): Resolve => {
  const resolver = new dns.promises.Resolver({ timeout: timeoutMs, tries });
  if (servers) resolver.setServers(servers);
  return (hostname, options, callback) => {
    // Names of this machine and its network come from files: no stranger has name servers for them.
    if (!hostname.includes('.')) return dns.lookup(hostname, options, callback);
    const both = [resolver.resolve4(hostname), resolver.resolve6(hostname)] as const;
    void Promise.allSettled(both).then(([v4, v6]) => {
      const addresses = [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
      const failure = v4.status === 'rejected' ? v4.reason : null;
      callback(addresses.length > 0 ? null : failure, addresses);
    });
  };
};
