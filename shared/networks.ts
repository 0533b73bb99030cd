/** IP addresses and networks, parsed strictly: texts that only some parsers take for an address are refused. */
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A network in CIDR notation: its address, and the number of leading bits that count. */
export type Cidr = [Address, bits: number];

/** No address is longer (RFC 4291, section 2.2, IPv4 in IPv6). */
const addressLengthMax = 45;

/**
 * An address. IPv4 is four decimal numbers without leading zeros: `010.1.1.1`, `0x7f.1` and `2130706433` mean different
 * addresses to different readers (RFC 6943, section 3.1.1). IPv4 in IPv6 is IPv4.
 * @returns undefined for any other text
 */
export const parseAddress = (text: string): Address | undefined => {
  if (text.length > addressLengthMax) return undefined;
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  return isIPv6(text) && !text.includes('%') ? ipaddr.process(text) : undefined;
};

/**
 * A network whose text was checked when the configuration was read.
 * @param text a CIDR, or one address; `::ffff:10.0.0.0/104` is `10.0.0.0/8`
 */
export const parseNetwork = (text: string): Cidr => {
  const [network, bits] = ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), 128];
  if (network.kind() === 'ipv4') return [network, Math.min(bits, 32)];
  const ipv6 = network as ipaddr.IPv6;
  return ipv6.isIPv4MappedAddress() && bits >= 96 ? [ipv6.toIPv4Address(), bits - 96] : [ipv6, bits];
};

/**
 * A network from a client: an address, or CIDR notation whose address is as strict as {@link parseAddress}.
 * @returns undefined for any other text
 */
export const readNetwork = (text: string): Cidr | undefined => {
  const [, address = '', given] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const network = parseAddress(address);
  if (network === undefined) return undefined;
  const bitsMax = network.kind() === 'ipv4' ? 32 : 128;
  // IPv4 in IPv6 is read as IPv4.
  const mapped = bitsMax === 32 && address.includes(':') ? 96 : 0;
  const bits = given === undefined ? bitsMax : Number(given) - mapped;
  return bits >= 0 && bits <= bitsMax ? [network, bits] : undefined;
};

/** In CIDR notation, without the bits that do not count: `10.1.2.3/8` is `10.0.0.0/8`. */
export const networkText = ([network, bits]: Cidr): string => {
  const family = network.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${network}/${bits}`)}/${bits}`;
};

/** Whether all addresses of one network are in another. */
export const isWithinNetwork = ([network, bits]: Cidr, outer: Cidr): boolean =>
  bits >= outer[1] && isInNetwork(network, outer);

export const isInNetwork = (address: Address, [network, bits]: Cidr): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

/**
 * The network that an address counts as: an IPv4 address by itself, an IPv6 address by its /64, which belongs to one
 * customer. Any other text is itself, including such a network.
 */
export const limitedAddress = (text: string): string => {
  const address = parseAddress(text);
  if (address === undefined) return text;
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64`;
};

/** Ranges that only an operator's own machines have, by their names in ipaddr.js. */
const ownRanges: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'uniqueLocal',
  'linkLocal',
  'carrierGradeNat',
]);

const networkOf = (address: Address): string =>
  address.kind() === 'ipv4'
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/24`)}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`)}/48`;

/** The network of an address, /24 or /48, which names no single client. Empty for any other text. */
export const coarseNetwork = (text: string): string => {
  const address = parseAddress(text);
  return address === undefined ? '' : networkOf(address);
};

/**
 * An address as a log may show it: in full if private, and so a proxy's; if public, and so possibly a visitor's, only
 * its network, /24 or /48. Any other text is itself.
 */
export const loggedAddress = (text: string): string => {
  const address = parseAddress(text);
  if (address === undefined || ownRanges.has(address.range())) return address?.toString() ?? text;
  return networkOf(address);
};
