/** A client's network: the addresses that the address limit treats as one client. */
import { int32AsIpv4 } from './ip-addresses.ts';

/**
 * An IPv4 address, or the /64 of an IPv6 address, because an IPv6 customer has at least a /64. IPv6 has its first 64
 * bits in two big-endian Int32; IPv4 has 0 and the address. (No network in use begins with 32 zero bits; `::1` counts
 * as 0.0.0.0.)
 */
export interface ClientNetwork {
  readonly networkHigh: number;
  readonly networkLow: number;
}

/** As `192.0.2.1` or `2001:db8:0:1::/64`. */
export const networkText = (high: number, low: number): string => {
  if (high === 0) return int32AsIpv4(low);
  const groups = [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff];
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
};
