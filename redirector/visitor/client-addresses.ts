/**
 * The address that a request comes from: the connection's or, if a trusted proxy holds the connection, the last address
 * of X-Forwarded-For that is not a trusted proxy's.
 *
 * IPv4 addresses are not cached: most scanners are new, and everything is computed from the number in 0.3 µs.
 */
import type ipaddr from 'ipaddr.js';
import { nearestUntrusted } from '#shared/forwarded-for.ts';
import { createMemo } from '#shared/memo.ts';
import { isInNetwork, parseAddress, parseNetwork } from '#shared/networks.ts';
import type { ClientNetwork } from './client-network.ts';
import type { Countries } from './countries.ts';
import { bytesAsIpv6, int32AsIpv4, ipv4AsInt32, ipv4OfBytes, notIpv4 } from './ip-addresses.ts';

/** A client's address as 128 bits in four big-endian Int32, IPv4 mapped into IPv6, with its country and its network. */
export class ClientAddress implements ClientNetwork {
  readonly word0: number;
  readonly word1: number;
  readonly word2: number;
  readonly word3: number;
  /** ISO 3166-1 alpha-2, upper case; empty if unknown. */
  readonly country: string;
  /** The text of an IPv6 address; undefined for IPv4. */
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
  get text(): string {
    return this.ipv6 ?? int32AsIpv4(this.word3);
  }

  get networkHigh(): number {
    return this.ipv6 === undefined ? 0 : this.word0;
  }

  get networkLow(): number {
    return this.ipv6 === undefined ? this.word3 : this.word1;
  }
}

/** `::ffff:0:0/96` */
const mappedWord2 = 0xffff;

const ofIpv6 = (address: ipaddr.IPv6, country: string): ClientAddress => {
  const bytes = Buffer.from(address.toByteArray());
  const word = (index: number) => bytes.readInt32BE(index * 4);
  return new ClientAddress(word(0), word(1), word(2), word(3), country, address.toString());
};

export interface ClientAddresses {
  /** Whether any proxy is trusted at all. */
  readonly hasProxies: boolean;
  /** Whether the peer of a connection is a trusted proxy, whose headers count. @param peer bytes of its address */
  isTrustedProxy(peer: Uint8Array): boolean;
  /** The address of the peer itself. */
  ofConnection(peer: Uint8Array): ClientAddress;
  /** The address that a trusted proxy names; undefined if the header names none. */
  ofForwardedFor(header: string): ClientAddress | undefined;
}

export interface ClientAddressOptions {
  /** CIDRs. */
  trustedProxies: string[];
  /** Distinct addresses cached, without IPv4. */
  capacity: number;
  countries: Countries;
}

/** Whether an address lies in one of the CIDRs (a bare address is a CIDR of its full length). */
const createTrust = (cidrs: string[]) => {
  const networks = cidrs.map(parseNetwork);
  const ipv4Networks = networks
    .filter(([network]) => network.kind() === 'ipv4')
    .map(([network, bits]) => ({
      base: ipv4AsInt32(network.toString()),
      mask: bits === 0 ? 0 : -1 << (32 - bits),
    }));
  return {
    ofIpv4(address: number): boolean {
      for (const { base, mask } of ipv4Networks) if ((address & mask) === (base & mask)) return true;
      return false;
    },
    ofIpv6: (address: ipaddr.IPv6): boolean => networks.some((network) => isInNetwork(address, network)),
  };
};

/** An address in X-Forwarded-For, or of a peer. */
interface Hop {
  address(): ClientAddress;
  trusted: boolean;
}

/** No address is longer (RFC 4291, IPv4 in IPv6). A longer text is not an address and is not cached. */
const addressLengthMax = 45;
const mappedPrefix = '::ffff:';

export const createClientAddresses = ({
  trustedProxies,
  capacity,
  countries,
}: ClientAddressOptions): ClientAddresses => {
  const trust = createTrust(trustedProxies);

  const ofIpv4 = (ipv4: number): ClientAddress =>
    new ClientAddress(0, 0, mappedWord2, ipv4, countries.ofIpv4(ipv4), undefined);

  const hopOfIpv4 = (ipv4: number): Hop => ({ address: () => ofIpv4(ipv4), trusted: trust.ofIpv4(ipv4) });

  const readOther = (text: string): Hop | undefined => {
    const address = parseAddress(text);
    if (address === undefined) return undefined;
    const canonical = address.toString();
    if (address.kind() === 'ipv4') return hopOfIpv4(ipv4AsInt32(canonical));
    const ipv6 = address as ipaddr.IPv6;
    const clientAddress = ofIpv6(ipv6, countries.ofText(canonical));
    return { address: () => clientAddress, trusted: trust.ofIpv6(ipv6) };
  };

  const others = createMemo(capacity, (text: string) => ({ hop: readOther(text) }));

  const read = (text: string): Hop | undefined => {
    if (text.length > addressLengthMax) return undefined;
    const ipv4 = ipv4AsInt32(text.startsWith(mappedPrefix) ? text.slice(mappedPrefix.length) : text);
    return ipv4 === notIpv4 ? others.get(text).hop : hopOfIpv4(ipv4);
  };

  const readHop = { read, isTrusted: ({ trusted }: Hop) => trusted };

  const hopOfPeer = (peer: Uint8Array): Hop | undefined =>
    peer.length === 16 ? read(bytesAsIpv6(peer)) : undefined;

  return {
    hasProxies: trustedProxies.length > 0,
    isTrustedProxy(peer) {
      if (trustedProxies.length === 0) return false;
      const ipv4 = ipv4OfBytes(peer);
      return ipv4 === notIpv4 ? (hopOfPeer(peer)?.trusted ?? false) : trust.ofIpv4(ipv4);
    },
    ofConnection(peer) {
      const ipv4 = ipv4OfBytes(peer);
      return ipv4 === notIpv4 ? (hopOfPeer(peer)?.address() ?? ofIpv4(0)) : ofIpv4(ipv4);
    },
    ofForwardedFor(header) {
      // Nearly always one plain address.
      const ipv4 = ipv4AsInt32(header);
      return ipv4 !== notIpv4 && !trust.ofIpv4(ipv4)
        ? ofIpv4(ipv4)
        : nearestUntrusted(header, readHop)?.address();
    },
  };
};
