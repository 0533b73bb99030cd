/** GS1's check digit and check characters (General Specifications §7.9), and the forms of a GTIN. */

const zero = 48;

/**
 * The digit that must follow: digits are weighted 3 and 1 alternately, starting from the last.
 * @param digits only digits @param count how many of them, from the first
 */
export const checkDigitOf = (digits: string, count = digits.length): string => {
  let sum = 0;
  for (let i = count - 1, weight = 3; i >= 0; i--, weight = 4 - weight) {
    sum += (digits.charCodeAt(i) - zero) * weight;
  }
  return String((10 - (sum % 10)) % 10);
};

export const isDigits = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < zero || code > zero + 9) return false;
  }
  return text.length > 0;
};

/** Whether the last digit is the check digit of the others. */
export const endsInCheckDigit = (digits: string): boolean =>
  digits.length > 1 && digits.at(-1) === checkDigitOf(digits.slice(0, -1));

/** Lengths of GTIN-8, GTIN-12, GTIN-13 and GTIN-14. */
const gtinLengths = new Set([8, 12, 13, 14]);

/** Pads a GTIN of 8, 12 or 13 characters with leading zeros; leaves any other text unchanged. */
export const padGtin = (text: string): string =>
  gtinLengths.has(text.length) ? text.padStart(14, '0') : text;

/** The 14 digits of a GTIN-8, -12, -13 or -14; undefined for any other text, or a wrong check digit. */
export const gtin14 = (text: string): string | undefined =>
  gtinLengths.has(text.length) && isDigits(text) && endsInCheckDigit(text) ? padGtin(text) : undefined;
