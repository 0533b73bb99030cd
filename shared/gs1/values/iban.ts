/** International bank account numbers (ISO 13616). */
import { countryLetters } from './code-lists.ts';
import { type ContentRule, wrong } from './wrong.ts';

/** Norway's, the shortest. */
const lengthMin = 15;

/** The text as a number modulo 97, with letters as 10 to 35. */
const remainder = (text: string): number => {
  let rest = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
};

export const iban: ContentRule = (text) => {
  const alien = text.search(/[^0-9A-Z]/);
  if (alien >= 0) return wrong(alien, 'The IBAN contains an invalid character.', 'a digit or a capital');
  if (text.length < lengthMin)
    return wrong(text.length, 'The IBAN is too short.', `at least ${lengthMin} characters`);
  if (!countryLetters.has(text.slice(0, 2))) {
    const message = 'The IBAN must start with a valid ISO 3166 two-character country code.';
    return wrong(0, message, 'the two letters of a country of ISO 3166');
  }
  return remainder(text.slice(4) + text.slice(0, 4)) === 1
    ? undefined
    : wrong(
        2,
        'The IBAN is invalid since the check characters are incorrect.',
        'the check characters of the rest',
      );
};
