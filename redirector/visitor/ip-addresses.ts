/**
 * IP addresses as numbers and bytes: most scanners have an IPv4 address, and a number is fast to compare and look up.
 */

/** The result of {@link ipv4AsInt32} for a text that is not an IPv4 address. */
export const notIpv4 = 2 ** 32;

/**
 * A dotted IPv4 address as an Int32. {@link notIpv4} for any other text, including forms that only some parsers accept
 * (leading zeros, fewer parts).
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

/**
 * The IPv4 address of a peer, in the system's form: 4 bytes, or 16 with IPv4 in IPv6 (`::ffff:0:0/96`) on a listener
 * for `::`. {@link notIpv4} for any other address.
 */
export const ipv4OfBytes = (bytes: Uint8Array): number => {
  const { length } = bytes;
  if (length === 16) {
    for (let i = 0; i < 10; i++) if (bytes[i] !== 0) return notIpv4;
    if (bytes[10] !== 255 || bytes[11] !== 255) return notIpv4;
  } else if (length !== 4) return notIpv4;
  const at = length - 4;
  return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
};

/** The text of an IPv6 address of 16 bytes, not shortened. */
export const bytesAsIpv6 = (bytes: Uint8Array): string => {
  let text = '';
  for (let i = 0; i < 16; i += 2) {
    const group = (bytes[i]! << 8) | bytes[i + 1]!;
    text += i === 0 ? group.toString(16) : `:${group.toString(16)}`;
  }
  return text;
};

export const int32AsIpv4 = (address: number): string =>
  `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
