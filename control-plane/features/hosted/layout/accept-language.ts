/** The language of a visitor, for pages that have no owner. */
import { type Language, languages } from './texts/words.ts';

/** Browsers send few; the rest of a longer header is not looked at. */
const headerLengthMax = 200;

/** @param header Accept-Language (RFC 9110, section 12.5.4), whose order browsers keep; English where it has none of ours */
export const acceptedLanguage = (header: string): Language => {
  const wanted = header
    .slice(0, headerLengthMax)
    .split(',')
    .map((range) => range.trim().slice(0, 2).toLowerCase());
  return (
    languages.find((language) => language === wanted.find((one) => languages.some((l) => l === one))) ?? 'en'
  );
};
