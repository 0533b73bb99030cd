/** Reads consecutive bit fields from bytes. */

export interface Bits {
  /** The next bits as a number; 0 once they are used up. */
  take(count: number): bigint;
  /** The next bits as this many decimal digits; undefined if the number has more. */
  digits(bitCount: number, digitCount: number): string | undefined;
  /** Whether more bits were taken than exist. */
  readonly isExhausted: boolean;
}

export const createBits = (bytes: Uint8Array): Bits => {
  let at = 0;
  const end = bytes.length * 8;

  const take = (count: number): bigint => {
    let value = 0n;
    for (let i = 0; i < count; i++, at++) {
      const bit = at < end ? (bytes[at >> 3]! >> (7 - (at & 7))) & 1 : 0;
      value = (value << 1n) | BigInt(bit);
    }
    return value;
  };

  return {
    take,
    digits(bitCount, digitCount) {
      const value = take(bitCount).toString();
      if (digitCount === 0) return value === '0' ? '' : undefined;
      return value.length > digitCount ? undefined : value.padStart(digitCount, '0');
    },
    get isExhausted() {
      return at > end;
    },
  };
};
