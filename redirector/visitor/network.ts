/** What is counted as one client. */
import { int32AsIpv4 } from './addresses.ts';

/**
 * An IPv4 address, or of IPv6 the /64, since that is the least that a customer has. The first 64 bits of IPv6 as two
 * big-endian Int32; of IPv4 0 and the address. (No network that is in use begins with 32 bits of zero; `::1` counts as
 * 0.0.0.0.)
 */
export interface Network {
  readonly networkHigh: number;
  readonly networkLow: number;
}

/** As `192.0.2.1` or `2001:db8:0:1::/64`. */
export const networkText = (high: number, low: number): string => {
  if (high === 0) return int32AsIpv4(low);
  const groups = [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff];
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
};
