/** IPv4 addresses as numbers: most scanners have one, and a number is parsed, compared and looked up at once. */

/** What {@link ipv4AsInt32} says of any other text. */
export const notIpv4 = 2 ** 32;

/**
 * A dotted IPv4 address as an Int32, or {@link notIpv4} for any other text, also for those that only some readers take
 * for an address (leading zeros, fewer parts).
 */
export const ipv4AsInt32 = (text: string): number => {
  let address = 0;
  let part = -1;
  let dots = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit >= 0 && digit <= 9) {
      if (part === 0) return notIpv4;
      part = part < 0 ? digit : part * 10 + digit;
      if (part > 255) return notIpv4;
    } else {
      if (digit !== -2 || part < 0 || ++dots > 3) return notIpv4;
      address = (address << 8) | part;
      part = -1;
    }
  }
  return dots === 3 && part >= 0 ? (address << 8) | part : notIpv4;
};

export const int32AsIpv4 = (address: number): string =>
  `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
