/** Text encodings of EPC binary (EPC Tag Data Standard 2.3 §14.4 and §14.5). */
import type { Bits } from './bits.ts';

/** Seven bits per character, up to NUL; all following bits are zero. */
export const fixedText = (bits: Bits, bitCount: number): string | undefined => {
  let text = '';
  let isOver = false;
  for (let i = 0; i < Math.floor(bitCount / 7); i++) {
    const code = Number(bits.take(7));
    if (code === 0) isOver = true;
    else if (isOver) return undefined;
    else text += String.fromCharCode(code);
  }
  return bits.take(bitCount % 7) === 0n ? text : undefined;
};

/** Decimal digits after a 1, which preserves leading zeros. */
export const prefixedDigits = (bits: Bits, bitCount: number): string | undefined => {
  const digits = bits.take(bitCount).toString();
  return digits.startsWith('1') ? digits.slice(1) : undefined;
};

/** Four bits per digit. */
export const packedDigits = (bits: Bits, count: number): string | undefined => {
  let text = '';
  for (let i = 0; i < count; i++) {
    const digit = Number(bits.take(4));
    if (digit > 9) return undefined;
    text += digit;
  }
  return text;
};

/** The bits needed for a number with this many digits. */
const bitsOfDigits = (count: number): number => Math.ceil(count * Math.log2(10));

const fromAlphabet = (bits: Bits, bitCount: number, alphabet: string, length: number): string => {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet[Number(bits.take(bitCount))];
  return text;
};

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const code40 = '\0ABCDEFGHIJKLMNOPQRSTUVWXYZ-.:0123456789';

/** Three characters per 16 bits; missing ones at the end are NUL. */
const urnCode40 = (bits: Bits, length: number): string | undefined => {
  let text = '';
  for (let i = 0; i < length; i += 3) {
    const value = Number(bits.take(16)) - 1;
    if (value < 0 || value >= 40 ** 3) return undefined;
    text += `${code40[Math.floor(value / 1600)]}${code40[Math.floor(value / 40) % 40]}${code40[value % 40]}`;
  }
  const [held, pad] = [text.slice(0, length), text.slice(length)];
  return held.includes('\0') || /[^\0]/.test(pad) ? undefined : held;
};

const ascii = (bits: Bits, length: number): string => {
  let text = '';
  for (let i = 0; i < length; i++) text += String.fromCharCode(Number(bits.take(7)));
  return text;
};

/** @param lengthBits of the preceding number of digits */
export const countedDigits = (bits: Bits, lengthBits: number): string | undefined => {
  const length = Number(bits.take(lengthBits));
  return bits.digits(bitsOfDigits(length), length);
};

/** Three bits for the encoding, and five for the length. */
export const countedText = (bits: Bits): string | undefined => {
  const encoding = Number(bits.take(3));
  if (encoding === 0) return countedDigits(bits, 5);
  const length = Number(bits.take(5));
  if (encoding === 1) return fromAlphabet(bits, 4, '0123456789ABCDEF', length);
  if (encoding === 2) return fromAlphabet(bits, 4, '0123456789abcdef', length);
  if (encoding === 3) return fromAlphabet(bits, 6, base64url, length);
  if (encoding === 4) return ascii(bits, length);
  return encoding === 5 ? urnCode40(bits, length) : undefined;
};

/** Digits of a text, before the end or other characters. */
const digitsMax = 30;

/** Digits of four bits each, then either the end or a text of other characters. */
export const digitsThenText = (bits: Bits): string | undefined => {
  let text = '';
  for (let i = 0; i <= digitsMax; i++) {
    const next = Number(bits.take(4));
    if (next === 15) return text;
    if (next === 14) {
      const rest = countedText(bits);
      return rest === undefined ? undefined : text + rest;
    }
    if (next > 9) return undefined;
    text += next;
  }
  return undefined;
};

/** Six bits per character, the low bits of its ASCII code, up to six zeros. @param lengthMax characters */
export const sixBitText = (bits: Bits, lengthMax: number): string | undefined => {
  let text = '';
  for (let i = 0; i <= lengthMax; i++) {
    const code = Number(bits.take(6));
    if (code === 0) return text;
    text += String.fromCharCode(code < 32 ? code + 64 : code);
  }
  return undefined;
};
