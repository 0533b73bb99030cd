/** The two check characters of a GMN and of a MUDI (General Specifications §7.9.5). */
import { set82 } from './character-sets.ts';
import { type ContentRule, wrong } from './wrong.ts';

/** Digits and capitals without 0, 1, I and O. */
const set32 = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Each character is weighted with a prime, the last with 2: one prime per character of the longest value. */
const primes = [
  2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
];

/** @param text at most 25 characters of set 82 */
export const checkPairOf = (text: string): string => {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum += set82.indexOf(text[text.length - 1 - i]!) * primes[i]!;
  const rest = sum % 1021;
  return set32[rest >> 5]! + set32[rest & 31]!;
};

export const checkPair: ContentRule = (text) => {
  if (text.length < 2) {
    const message = 'The component is too short to perform an alphanumeric check character pair calculation.';
    return wrong(0, message, '2 check characters at the end');
  }
  const at = text.length - 2;
  for (let i = at; i < text.length; i++) {
    if (set32.includes(text[i]!)) continue;
    const message = 'A non-CSET 32 character was found where a CSET 32 character is expected.';
    return wrong(i, message, 'a digit from 2 to 9 or a capital but I and O');
  }
  const pair = checkPairOf(text.slice(0, at));
  return text.endsWith(pair)
    ? undefined
    : wrong(at, 'The alphanumeric check-character pair are incorrect.', pair);
};
