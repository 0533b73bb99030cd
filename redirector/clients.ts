/**
 * Who a request comes from: the address of the connection, or, where a trusted proxy holds the connection, the last
 * address of X-Forwarded-For that is not a trusted proxy's.
 */
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

export interface Client {
  /** Canonical text; IPv4 in IPv6 is written as IPv4. */
  readonly address: string;
  /** The address as 128 bits in four UInt32, IPv4 mapped into IPv6. */
  readonly words: readonly [number, number, number, number];
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const parseAddress = (text: string): Address | undefined =>
  ipaddr.isValid(text) ? ipaddr.process(text) : undefined;

const toClient = (address: Address): Client => {
  const mapped =
    address.kind() === 'ipv6' ? (address as ipaddr.IPv6) : (address as ipaddr.IPv4).toIPv4MappedAddress();
  const bytes = Buffer.from(mapped.toByteArray());
  const word = (index: number) => bytes.readUInt32LE(index * 4);
  return { address: address.toString(), words: [word(0), word(1), word(2), word(3)] };
};

const unknownClient = toClient(ipaddr.parse('0.0.0.0'));

/** Whether an address lies in one of the CIDRs (a bare address is a CIDR of its full length). */
const createTrust = (cidrs: string[]): ((address: Address) => boolean) => {
  const ranges = cidrs.map((text): [Address, number] => {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.process(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });
  return (address) =>
    ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
};

export interface Clients {
  /** Whether X-Forwarded-For can matter at all: if not, it need not be read. */
  readonly hasProxies: boolean;
  /**
   * @param connection textual address of the peer
   * @param forwardedFor the header as it came, or empty
   */
  identify(connection: string, forwardedFor: string): Client;
  /** Whether the peer itself is a trusted proxy, so that its headers are believed. */
  isTrustedProxy(connection: string): boolean;
}

/**
 * @param trustedProxies CIDRs
 * @param capacity distinct addresses (and headers) that are remembered
 */
export const createClients = (trustedProxies: string[], capacity: number): Clients => {
  const isTrusted = createTrust(trustedProxies);
  const parsed = new LRUCache<string, { client: Client; trusted: boolean }>({ max: capacity });

  const lookUp = (text: string) => {
    let entry = parsed.get(text);
    if (entry === undefined) {
      const address = parseAddress(text);
      entry = address
        ? { client: toClient(address), trusted: isTrusted(address) }
        : { client: unknownClient, trusted: false };
      parsed.set(text, entry);
    }
    return entry;
  };

  return {
    hasProxies: trustedProxies.length > 0,
    isTrustedProxy: (connection) => trustedProxies.length > 0 && lookUp(connection).trusted,
    identify(connection, forwardedFor) {
      const peer = lookUp(connection);
      if (!peer.trusted || forwardedFor === '') return peer.client;
      let end = forwardedFor.length;
      let nearest = peer;
      // From the right: each proxy appends the address it saw, and only what trusted ones appended is true.
      while (nearest.trusted && end > 0) {
        const comma = forwardedFor.lastIndexOf(',', end - 1);
        const hop = lookUp(forwardedFor.slice(comma + 1, end).trim());
        if (hop.client === unknownClient) break;
        nearest = hop;
        end = comma;
      }
      return nearest.client;
    },
  };
};
