/** Contents that each rule accepts and refuses, and values that an identifier accepts. */
import fc from 'fast-check';
import { checkDigitOf } from '../check-digit.ts';
import type { Identifier } from '../dictionary/dictionary.ts';
import type { Component } from '../dictionary/entry.ts';
import { set82 } from '../values/character-sets.ts';
import { checkPairOf } from '../values/check-pair.ts';

interface Samples {
  right: readonly string[];
  /** With the index of the fault, and part of its message. */
  wrong: readonly (readonly [text: string, position: number, message: string])[];
}

/** A coupon with only its required fields. */
const coupon = '012345612345611110123';

export const samples: Readonly<Record<string, Samples>> = {
  csum: { right: ['09506000134352', '00'], wrong: [['09506000134353', 13, 'check digit is incorrect']] },
  csumalpha: {
    right: ['1987654Ad4X4bL5ttr2310c2K', '22'],
    wrong: [
      ['1987654Ad4X4bL5ttr2310c2L', 23, 'check-character pair are incorrect'],
      ['1987654Ad4X4bL5ttr2310cI1', 23, 'non-CSET 32 character'],
      ['A', 0, 'too short'],
    ],
  },
  gcppos1: {
    right: ['1234', '1234A'],
    wrong: [
      ['123', 3, 'shorter than the minimum'],
      ['12A4', 0, 'Company Prefix is invalid'],
    ],
  },
  gcppos2: {
    right: ['01234', 'A1234'],
    wrong: [
      ['0123', 4, 'shorter than the minimum'],
      ['012A4', 1, 'Company Prefix is invalid'],
    ],
  },
  yymmdd: {
    right: ['000229', '991231', '270228'],
    wrong: [
      ['271301', 2, 'illegal month'],
      ['270229', 4, 'illegal day'],
      ['270100', 4, 'illegal day'],
    ],
  },
  yymmd0: {
    right: ['000200', '991231'],
    wrong: [
      ['270001', 2, 'illegal month'],
      ['270432', 4, 'illegal day'],
    ],
  },
  yyyymmdd: {
    right: ['20000229', '19991231'],
    wrong: [
      ['19000229', 6, 'illegal day'],
      ['20001301', 4, 'illegal month'],
    ],
  },
  hh: { right: ['00', '23'], wrong: [['24', 0, 'illegal hour']] },
  mi: { right: ['00', '59'], wrong: [['60', 0, 'illegal minute']] },
  ss: { right: ['00', '59'], wrong: [['60', 0, 'illegal seconds']] },
  hhmi: {
    right: ['0000', '2359'],
    wrong: [
      ['2400', 0, 'illegal hour'],
      ['2360', 2, 'illegal minute'],
    ],
  },
  iso3166: { right: ['276', '840'], wrong: [['987', 0, 'ISO 3166 three-digit']] },
  iso3166999: { right: ['276', '999'], wrong: [['987', 0, 'or "999"']] },
  iso3166alpha2: { right: ['DE', 'US'], wrong: [['AA', 0, 'two-character']] },
  iso4217: { right: ['978', '840'], wrong: [['987', 0, 'ISO 4217']] },
  iso5218: { right: ['0', '1', '2', '9'], wrong: [['5', 0, 'ISO/IEC 5218']] },
  iban: {
    right: ['DE89370400440532013000', 'GB82WEST12345698765432', 'NO9386011117947'],
    wrong: [
      ['DE88370400440532013000', 2, 'check characters are incorrect'],
      ['AB89370400440532013000', 0, 'country code'],
      ['DE89_70400440532013000', 4, 'invalid character'],
      ['DE8937040044', 12, 'too short'],
    ],
  },
  packagetype: { right: ['8', '1A', '200', 'PX'], wrong: [['0', 0, 'PackageTypeCode']] },
  mediatype: {
    right: ['01', '10', '80', '99'],
    wrong: [
      ['00', 0, 'media type'],
      ['11', 0, 'media type'],
    ],
  },
  importeridx: { right: ['-', '_', '0', 'Z', 'a'], wrong: [['=', 0, 'Importer Index']] },
  nonzero: { right: ['0001', '10000', '100'], wrong: [['0000', 0, 'non-zero']] },
  zero: { right: ['0'], wrong: [['1', 0, 'A zero value']] },
  nozeroprefix: { right: ['0', '1', '120'], wrong: [['01', 0, 'zero prefix']] },
  yesno: { right: ['0', '1'], wrong: [['2', 0, '"0" or "1"']] },
  winding: { right: ['0', '1', '9'], wrong: [['2', 0, 'winding direction']] },
  hyphen: { right: ['-'], wrong: [['X', 0, 'Only hyphens']] },
  hasnondigit: { right: ['1A'], wrong: [['12', 0, 'non-digit']] },
  pcenc: {
    right: ['A%2fB', '%20', 'AB'],
    wrong: [
      ['A%2', 1, 'percent'],
      ['%%20', 0, 'percent'],
    ],
  },
  latitude: { right: ['0000000000', '1800000000'], wrong: [['1800000001', 0, 'latitude']] },
  longitude: { right: ['3600000000'], wrong: [['3600000001', 0, 'longitude']] },
  pieceoftotal: {
    right: ['0101', '0110'],
    wrong: [
      ['0001', 0, 'piece number must not'],
      ['0100', 2, 'total must not'],
      ['0201', 0, 'exceed'],
    ],
  },
  posinseqslash: {
    right: ['1/1', '2/3'],
    wrong: [
      ['111', 0, '<pos>/<end>'],
      ['0/3', 0, 'zero prefix'],
      ['1/0', 2, 'zero prefix'],
      ['2/1', 0, 'exceed'],
    ],
  },
  couponcode: {
    right: [
      coupon,
      `${coupon}131111239`,
      `${coupon}21111230123456`,
      `${coupon}3270131`,
      `${coupon}4270131`,
      `${coupon}32701314260131`,
      `${coupon}50123456`,
      `${coupon}611234567`,
      `${coupon}90000`,
    ],
    wrong: [
      ['', 0, 'primary GS1 Company Prefix VLI is missing'],
      ['7', 0, 'primary GS1 Company Prefix VLI must be "0" to "6"'],
      ['012345', 6, 'primary GS1 Company Prefix is shorter'],
      ['01234561', 8, 'Offer Code is shorter'],
      ['0123456123456', 13, 'Save Value VLI is missing'],
      ['01234561234566', 13, 'Save Value VLI must be'],
      ['01234561234561', 14, 'Save Value is shorter'],
      ['012345612345611', 15, 'primary purchase Requirement VLI is missing'],
      ['01234561234561111', 17, 'primary purchase Requirement Code is missing'],
      ['012345612345611115', 17, 'primary purchase Requirement Code must be'],
      ['01234561234561111012', 20, 'primary purchase Family Code is shorter'],
      [`${coupon}14`, 22, 'Additional Purchase Rules Code must be'],
      [`${coupon}131111237`, 29, 'second purchase GS1 Company Prefix VLI must be'],
      [`${coupon}327013`, 27, 'expiration date is too short'],
      [`${coupon}3271301`, 24, 'expiration date is invalid'],
      [`${coupon}42713`, 26, 'start date is too short'],
      [`${coupon}32601314270131`, 22, 'expiration date preceed'],
      [`${coupon}60`, 22, 'Retailer GCP/GLN VLI must be'],
      [`${coupon}93`, 22, 'Save Value Code must be'],
      [`${coupon}900`, 24, 'Store Coupon Flag is missing'],
      [`${coupon}90002`, 25, "Don't Multiply Flag must be"],
      [`${coupon}900000`, 26, 'excess data'],
      [`${coupon}A`, 21, 'non-digit'],
    ],
  },
  couponposoffer: {
    right: ['001234561234560123456', '101234561234560123456'],
    wrong: [
      ['201234561234560123456', 0, 'Format Code must be'],
      ['07', 1, 'Funder VLI must be'],
      ['0012345612345601234567', 21, 'excess data'],
      ['00123456123456', 14, 'Serial Number VLI is missing'],
      ['0012345612345612', 16, 'Serial Number is shorter'],
    ],
  },
};

const digits = '0123456789';
const alphabets = { N: digits, X: set82, Y: `${digits}ABCXYZ#-/`, Z: `${digits}ABCxyz-_` };

const textOf = (alphabet: string, min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: min, maxLength: max });

const digitsOf = (count: number) => textOf(digits, count, count);

const contentOf = ({ set, min, max, rules = [] }: Component): fc.Arbitrary<string> => {
  if (rules.includes('csum')) return digitsOf(max - 1).map((text) => text + checkDigitOf(text));
  if (rules.includes('csumalpha'))
    return textOf(set82, 1, max - 7)
      .map((text) => `1234${text}A`)
      .map((text) => text + checkPairOf(text));
  if (rules.includes('gcppos1')) return textOf(alphabets[set], 0, max - 4).map((text) => `1234${text}`);
  const [rule] = rules;
  if (rule === undefined) return textOf(alphabets[set], min, max);
  const fitting = samples[rule]!.right.filter(({ length }) => length >= min && length <= max);
  return fc.constantFrom(...fitting);
};

/** Values that an identifier accepts. Optional components are omitted from some component on. */
export const valueOfIdentifier = ({ components }: Identifier): fc.Arbitrary<string> => {
  const required = components.filter(({ isOptional }) => !isOptional).length;
  return fc
    .integer({ min: required, max: components.length })
    .chain((count) => fc.tuple(...components.slice(0, count).map(contentOf)))
    .map((parts) => parts.join(''));
};
