/** The sets of characters of GS1 values (General Specifications §7.11), by UTF-16 code unit. */
import type { Component } from '../dictionary/entry.ts';

const digits = '0123456789';
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const letters = capitals + capitals.toLowerCase();

/** Set 82 in the order of its values, from which the check characters are computed. */
export const set82 = `!"%&'()*+,-./${digits}:;<=>?${capitals}_${capitals.toLowerCase()}`;

interface CharacterSet {
  /** Whether a code unit is in it; units beyond the table are not. */
  has: Uint8Array;
  message: string;
  expected: string;
}

const createSet = (characters: string, message: string, expected: string): CharacterSet => {
  const has = new Uint8Array(128);
  for (let i = 0; i < characters.length; i++) has[characters.charCodeAt(i)] = 1;
  return { has, message, expected };
};

const notIn = (set: string) => `A non-${set} character was found where a ${set} character is expected.`;

export const characterSets: Readonly<Record<Component['set'], CharacterSet>> = {
  N: createSet(digits, 'A non-digit character was found where a digit is expected.', 'a digit'),
  X: createSet(
    set82,
    notIn('CSET 82'),
    'a character of set 82: digits, letters without accents, or one of !"%&\'()*+,-./:;<=>?_',
  ),
  Y: createSet(
    `#-/${digits}${capitals}`,
    notIn('CSET 39'),
    'a character of set 39: digits, capitals, or one of #-/',
  ),
  Z: createSet(
    `${letters}${digits}-_=`,
    notIn('CSET 64'),
    'a character of base64url, with = at the end alone',
  ),
};

/** The index of the first character that is not in a set; -1 if there is none. */
export const indexOfAlien = (text: string, { has }: CharacterSet): number => {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127 || has[code] === 0) return i;
  }
  return -1;
};
