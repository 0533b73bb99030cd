/** The rules for the content of components, by their names in the GS1 Barcode Syntax Dictionary. */
import { checkDigitOf, isDigits } from '../check-digit.ts';
import { checkPair } from './check-pair.ts';
import { countryLetters, countryNumbers, currencyNumbers, packageTypes } from './code-lists.ts';
import { couponCode, positiveOffer } from './coupons.ts';
import { iban } from './iban.ts';
import { hour, hourAndMinute, minute, second, yymmd0, yymmdd, yyyymmdd } from './times.ts';
import { type ContentRule, wrong } from './wrong.ts';

const checkDigit: ContentRule = (text) => {
  const digit = checkDigitOf(text, text.length - 1);
  return text[text.length - 1] === digit
    ? undefined
    : wrong(text.length - 1, 'The numeric check digit is incorrect.', digit);
};

/** Digits of the shortest company prefix. */
const companyPrefixMin = 4;

/** @param at where the company prefix begins */
const companyPrefix =
  (at: number): ContentRule =>
  (text) => {
    const expected = `a GS1 Company Prefix: at least ${companyPrefixMin} digits`;
    const prefix = text.slice(at, at + companyPrefixMin);
    if (prefix.length < companyPrefixMin) {
      const message = 'The component is shorter than the minimum length GS1 Company Prefix.';
      return wrong(text.length, message, expected);
    }
    return isDigits(prefix) ? undefined : wrong(at, 'The GS1 Company Prefix is invalid.', expected);
  };

const oneOf =
  (list: ReadonlySet<string>, message: string, expected: string): ContentRule =>
  (text) =>
    list.has(text) ? undefined : wrong(0, message, expected);

const matching =
  (pattern: RegExp, message: string, expected: string): ContentRule =>
  (text) =>
    pattern.test(text) ? undefined : wrong(0, message, expected);

const atMost =
  (max: string, name: string): ContentRule =>
  (text) =>
    text <= max
      ? undefined
      : wrong(0, `The ${name} is outside of the range "0000000000" to "${max}".`, `at most ${max}`);

/** `%` is followed by two digits of base 16. */
const percentEncoding: ContentRule = (text) => {
  const at = text.search(/%(?![0-9A-Fa-f]{2})/);
  const message = 'The input contains an invalid percent hex-encoding "%hh" sequence.';
  return at < 0 ? undefined : wrong(at, message, '% and two hexadecimal digits');
};

/** Two numbers with the same number of digits. */
const pieceOfTotal: ContentRule = (text) => {
  const half = text.length / 2;
  const [piece, total] = [Number(text.slice(0, half)), Number(text.slice(half))];
  if (piece === 0)
    return wrong(0, 'The piece number must not have a value of zero.', 'a piece number from 1 on');
  if (total === 0) return wrong(half, 'The piece total must not have a value of zero.', 'a total from 1 on');
  return piece <= total
    ? undefined
    : wrong(0, 'The piece number must not exceed the piece total.', `a piece number from 1 to ${total}`);
};

const positionOfEnd: ContentRule = (text) => {
  const [, position = '', end = ''] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  if (end === '') return wrong(0, 'The data must have the format "<pos>/<end>".', 'a form such as 1/3');
  const zeroAt = position.startsWith('0') ? 0 : end.startsWith('0') ? position.length + 1 : undefined;
  if (zeroAt !== undefined) return wrong(zeroAt, 'A zero prefix is not permitted.', 'a digit from 1 to 9');
  return Number(position) <= Number(end)
    ? undefined
    : wrong(0, 'The position number must not exceed the end number.', `a number from 1 to ${end}`);
};

const country = 'A valid ISO 3166 three-digit country code';

export const contentRules: Readonly<Record<string, ContentRule>> = {
  csum: checkDigit,
  csumalpha: checkPair,
  gcppos1: companyPrefix(0),
  gcppos2: companyPrefix(1),
  yymmdd,
  yymmd0,
  yyyymmdd,
  hh: hour,
  mi: minute,
  ss: second,
  hhmi: hourAndMinute,
  iso3166: oneOf(countryNumbers, `${country} is required.`, 'the three digits of a country of ISO 3166'),
  iso3166999: oneOf(
    new Set([...countryNumbers, '999']),
    `${country} or "999" is required.`,
    'the three digits of a country of ISO 3166, or 999',
  ),
  iso3166alpha2: oneOf(
    countryLetters,
    'A valid ISO 3166 two-character country code is required.',
    'the two letters of a country of ISO 3166',
  ),
  iso4217: oneOf(
    currencyNumbers,
    'A valid ISO 4217 three-digit currency code is required.',
    'the three digits of a currency of ISO 4217',
  ),
  iso5218: matching(/^[0129]$/, 'A valid ISO/IEC 5218 biological sex code required.', '0, 1, 2 or 9'),
  iban,
  packagetype: oneOf(packageTypes, 'A valid PackageTypeCode is required.', 'a code of GS1’s PackageTypeCode'),
  mediatype: matching(
    /^(0[1-9]|10|[89]\d)$/,
    'A valid AIDC media type is required.',
    '01 to 10, or 80 to 99',
  ),
  importeridx: matching(
    /^[-0-9A-Z_a-z]$/,
    'The Importer Index is an invalid character.',
    'a digit, a letter, - or _',
  ),
  nonzero: matching(/[^0]/, 'A non-zero value is required.', 'a number from 1 on'),
  zero: matching(/^0+$/, 'A zero value is required.', '0'),
  nozeroprefix: matching(/^(0$|[^0])/, 'A zero prefix is not permitted.', 'a number without zeros in front'),
  yesno: matching(/^[01]$/, 'A "0" or "1" is required.', '0 or 1'),
  winding: matching(/^[019]$/, 'The winding direction must be either "0", "1" or "9".', '0, 1 or 9'),
  hyphen: matching(/^-+$/, 'Only hyphens are permitted.', '-'),
  hasnondigit: matching(/\D/, 'A non-digit character is required', 'at least one character that is no digit'),
  pcenc: percentEncoding,
  latitude: atMost('1800000000', 'latitude'),
  longitude: atMost('3600000000', 'longitude'),
  pieceoftotal: pieceOfTotal,
  posinseqslash: positionOfEnd,
  couponcode: couponCode,
  couponposoffer: positiveOffer,
};
