/** Whose request it is when it came through others. */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { equalInConstantTime } from '#shared/signing.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

export interface ClientAddressOptions {
  /** CIDRs or single addresses. */
  trustedProxies: readonly string[];
  /** With it in `x-waymark-proxy` a redirector shows that it passes a request on. */
  internalToken: string;
}

export type ClientAddress = (request: IncomingMessage) => string;

/**
 * X-Forwarded-For is believed only from a trusted proxy or a redirector. It is read from its end: each trusted hop
 * vouches for the address before it, and the first one that is not trusted is the client.
 */
export const createClientAddress = ({
  trustedProxies,
  internalToken,
}: ClientAddressOptions): ClientAddress => {
  const ranges = trustedProxies.map(parseRange);
  const isTrusted = (address: Address): boolean =>
    ranges.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits));

  const isFromRedirector = (request: IncomingMessage): boolean => {
    const token = request.headers['x-waymark-proxy'];
    return typeof token === 'string' && equalInConstantTime(token, internalToken);
  };

  return (request) => {
    const peer = parseAddress(request.socket.remoteAddress ?? '');
    const hops = String(request.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((hop) => parseAddress(hop.trim()));
    let client = peer;
    let believed = (peer !== undefined && isTrusted(peer)) || isFromRedirector(request);
    for (let hop = hops.pop(); believed && hop !== undefined; hop = hops.pop()) {
      client = hop;
      believed = isTrusted(hop);
    }
    return client?.toString() ?? 'unknown';
  };
};

const parseRange = (text: string): [Address, number] => {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
};

/** IPv4 in IPv6's clothes is IPv4. */
const parseAddress = (text: string): Address | undefined =>
  ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
