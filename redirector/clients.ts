/**
 * Who a request comes from: the address of the connection, or, where a trusted proxy holds the connection, the last
 * address of X-Forwarded-For that is not a trusted proxy's.
 *
 * IPv4 addresses are never remembered here: most scanners are new, and all that is made of a number is made in 0.3 µs.
 */
import ipaddr from 'ipaddr.js';
import { int32AsIpv4, ipv4AsInt32, notIpv4 } from './addresses.ts';
import type { Countries } from './countries.ts';
import { createMemo } from './memo.ts';
import type { Network } from './rate-limit.ts';

/** A client's address as 128 bits in four big-endian Int32, IPv4 mapped into IPv6, and what is known of it. */
export class Client implements Network {
  readonly word0: number;
  readonly word1: number;
  readonly word2: number;
  readonly word3: number;
  /** ISO 3166-1 alpha-2, upper case; empty when unknown. */
  readonly country: string;
  /** The text of an IPv6 address. */
  private readonly ipv6: string | undefined;

  constructor(
    word0: number,
    word1: number,
    word2: number,
    word3: number,
    country: string,
    ipv6: string | undefined,
  ) {
    this.word0 = word0;
    this.word1 = word1;
    this.word2 = word2;
    this.word3 = word3;
    this.country = country;
    this.ipv6 = ipv6;
  }

  /** Canonical text; IPv4 in IPv6 is written as IPv4. */
  get address(): string {
    return this.ipv6 ?? int32AsIpv4(this.word3);
  }

  get networkHigh(): number {
    return this.ipv6 === undefined ? 0 : this.word0;
  }

  get networkLow(): number {
    return this.ipv6 === undefined ? this.word3 : this.word1;
  }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** `::ffff:0:0/96` */
const mappedWord2 = 0xffff;

const ipv6Client = (address: ipaddr.IPv6, country: string): Client => {
  const bytes = Buffer.from(address.toByteArray());
  const word = (index: number) => bytes.readInt32BE(index * 4);
  return new Client(word(0), word(1), word(2), word(3), country, address.toString());
};

export interface Clients {
  /** Whether any proxy is trusted at all. */
  readonly hasProxies: boolean;
  /** Whether the peer of a connection, by its textual address, is a trusted proxy, so that its headers are believed. */
  isTrustedProxy(connection: string): boolean;
  /** The client that is the peer of a connection itself. */
  ofConnection(connection: string): Client;
  /** The client that a trusted proxy names; undefined where the header names nobody. */
  ofForwardedFor(header: string): Client | undefined;
}

export interface ClientOptions {
  /** CIDRs. */
  trustedProxies: string[];
  /** Distinct addresses other than IPv4 that are remembered. */
  capacity: number;
  countries: Countries;
}

/** Whether an address lies in one of the CIDRs (a bare address is a CIDR of its full length). */
const createTrust = (cidrs: string[]) => {
  const ranges = cidrs.map((text): [Address, number] => {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.process(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });
  const ipv4Ranges = ranges
    .filter(([range]) => range.kind() === 'ipv4')
    .map(([range, bits]) => ({
      base: ipv4AsInt32(range.toString()),
      mask: bits === 0 ? 0 : -1 << (32 - bits),
    }));
  return {
    ofIpv4(address: number): boolean {
      for (const { base, mask } of ipv4Ranges) if ((address & mask) === (base & mask)) return true;
      return false;
    },
    ofIpv6: (address: ipaddr.IPv6): boolean =>
      ranges.some(([range, bits]) => range.kind() === 'ipv6' && address.match(range as ipaddr.IPv6, bits)),
  };
};

/** No address is longer (RFC 4291, IPv4 in IPv6); a longer text is none, and is not worth a place in memory. */
const addressLengthMax = 45;

/** What a text that is not plain IPv4 stands for. */
type Text = { ipv4: number } | { client: Client; trusted: boolean } | undefined;

export const createClients = ({ trustedProxies, capacity, countries }: ClientOptions): Clients => {
  const trust = createTrust(trustedProxies);

  const toClient = (ipv4: number): Client =>
    new Client(0, 0, mappedWord2, ipv4, countries.ofIpv4(ipv4), undefined);

  const read = (text: string): Text => {
    if (!ipaddr.isValid(text)) return undefined;
    const address = ipaddr.process(text);
    const canonical = address.toString();
    if (address.kind() === 'ipv4') return { ipv4: ipv4AsInt32(canonical) };
    const ipv6 = address as ipaddr.IPv6;
    const client = ipv6Client(ipv6, countries.ofText(canonical));
    return { client, trusted: trust.ofIpv6(ipv6) };
  };

  const texts = createMemo(capacity, (text: string) => ({ read: read(text) }));
  const known = (text: string): Text => (text.length > addressLengthMax ? undefined : texts.get(text).read);

  /** The number of an IPv4 address, however it is written. */
  const asIpv4 = (text: string): number => {
    const ipv4 = ipv4AsInt32(text);
    if (ipv4 !== notIpv4) return ipv4;
    const other = known(text);
    return other && 'ipv4' in other ? other.ipv4 : notIpv4;
  };

  /** A hop of X-Forwarded-For; undefined for a text that is no address. */
  const hopOf = (text: string): { client(): Client; trusted: boolean } | undefined => {
    const ipv4 = asIpv4(text);
    if (ipv4 !== notIpv4) return { client: () => toClient(ipv4), trusted: trust.ofIpv4(ipv4) };
    const other = known(text);
    return other && 'client' in other ? { client: () => other.client, trusted: other.trusted } : undefined;
  };

  /** From the right: each proxy appends the address it saw, and only what trusted ones appended is true. */
  const nearestUntrusted = (header: string): Client | undefined => {
    let nearest: ReturnType<typeof hopOf>;
    for (const text of header.split(',').reverse()) {
      const hop = hopOf(text.trim());
      if (hop === undefined) break;
      nearest = hop;
      if (!hop.trusted) break;
    }
    return nearest?.client();
  };

  return {
    hasProxies: trustedProxies.length > 0,
    isTrustedProxy: (connection) => trustedProxies.length > 0 && (hopOf(connection)?.trusted ?? false),
    ofConnection(connection) {
      const ipv4 = asIpv4(connection);
      return ipv4 === notIpv4 ? (hopOf(connection)?.client() ?? toClient(0)) : toClient(ipv4);
    },
    ofForwardedFor(header) {
      // Nearly always one plain address.
      const ipv4 = ipv4AsInt32(header);
      return ipv4 !== notIpv4 && !trust.ofIpv4(ipv4) ? toClient(ipv4) : nearestUntrusted(header);
    },
  };
};
