/** Numbers that are written as texts: 301234567 with the format 0000000000 is the phone number 0301234567 for whoever looks at it. */
import { formatValue } from 'hucre';

/** Longer than any format of a phone number or an id. */
const formatLengthMax = 100;

/** Zeros, texts in quotes, signs and blanks: no decimals, thousands, percents, dates or conditions. */
const zerosAndLiterals = /^(?:0|"[^"]*"|\\.|[-+() /]|_.)+$/;

/** @returns what a person sees, where the format is of zeros and literals */
export const shownNumber = (value: number, format: string): string | undefined => {
  const isPlain = Number.isSafeInteger(value) && value >= 0 && format.length <= formatLengthMax;
  const [positive = ''] = format.split(';');
  if (!isPlain || !positive.includes('0') || !zerosAndLiterals.test(positive)) return undefined;
  return formatValue(value, positive);
};
