/** Percent-encoding of values within a Digital Link (RFC 3986). */

const isUnreserved = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~')
  isUnreserved[character.charCodeAt(0)] = 1;

/** @param value ASCII, like all GS1 values */
export const encodeValue = (value: string): string => {
  let encoded = '';
  let done = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (isUnreserved[code] === 1) continue;
    encoded += `${value.slice(done, i)}%${code.toString(16).toUpperCase().padStart(2, '0')}`;
    done = i + 1;
  }
  return done === 0 ? value : encoded + value.slice(done);
};

const hexDigit = (code: number): number => {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
};

/**
 * Each byte becomes a character: GS1's sets contain only ASCII, so other bytes are refused there.
 * @returns the value, or the index of a `%` that is not followed by two hexadecimal digits
 */
export const decodeValue = (text: string): string | number => {
  let at = text.indexOf('%');
  if (at < 0) return text;
  let value = text.slice(0, at);
  while (at < text.length) {
    if (text.charCodeAt(at) === 37) {
      const high = hexDigit(text.charCodeAt(at + 1));
      const low = hexDigit(text.charCodeAt(at + 2));
      if (high < 0 || low < 0) return at;
      value += String.fromCharCode(high * 16 + low);
      at += 3;
    } else {
      value += text[at];
      at++;
    }
  }
  return value;
};
