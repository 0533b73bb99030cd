/**
 * North American coupons (AI 8110, and 8112 of the positive offer file). Each is a sequence of digit fields, some of
 * which start with a digit for their length.
 */
import { characterSets, indexOfAlien } from './character-sets.ts';
import { yymmdd } from './times.ts';
import { type ContentRule, type Wrong, wrong } from './wrong.ts';

/** The check of a field, starting at an index. @returns the end of the field, or the fault */
type Field = (text: string, at: number) => number | Wrong;

const missing = (name: string, at: number): Wrong =>
  wrong(at, `The coupon's ${name} is missing.`, `the ${name}`);

/** One digit out of several. @param said the wording of GS1's checker for them */
const digit =
  (name: string, digits: string, said: string): Field =>
  (text, at) => {
    if (at >= text.length) return missing(name, at);
    return digits.includes(text[at]!) ? at + 1 : wrong(at, `The coupon's ${name} must be ${said}.`, said);
  };

const anyDigit = (name: string): Field => digit(name, '0123456789', '"0" to "9"');

const digits =
  (name: string, count: number, words: string): Field =>
  (text, at) =>
    at + count <= text.length
      ? at + count
      : wrong(
          text.length,
          `The coupon's ${name} is shorter than the required ${words} digits.`,
          `${count} digits`,
        );

/** A digit for the number of digits that follow. @param plus is added to it */
const counted =
  (name: string, given: { digits: string; said: string; plus: number; none?: string }): Field =>
  (text, at) => {
    if (at >= text.length) return missing(`${name} VLI`, at);
    const indicator = text[at]!;
    if (!given.digits.includes(indicator))
      return wrong(at, `The coupon's ${name} VLI must be ${given.said}.`, given.said);
    const count = indicator === given.none ? 0 : Number(indicator) + given.plus;
    if (at + 1 + count <= text.length) return at + 1 + count;
    const message = `The coupon's ${name} is shorter than what is indicated by its VLI.`;
    return wrong(text.length, message, `${count} digits`);
  };

const zeroToSix = { digits: '0123456', said: '"0" to "6"', plus: 6 };
const oneToFive = { digits: '12345', said: '"1" to "5"', plus: 0 };
const serialNumber = counted('Serial Number', { digits: '0123456789', said: '"0" to "9"', plus: 6 });

const day =
  (name: 'expiration' | 'start'): Field =>
  (text, at) => {
    const given = text.slice(at, at + 6);
    if (given.length < 6)
      return wrong(text.length, `The coupon's ${name} date is too short for YYMMDD format.`, '6 digits');
    const fault = yymmdd(given);
    return fault
      ? wrong(at + fault.position, `The coupon's ${name} date is invalid.`, fault.expected)
      : at + 6;
  };

const inSequence = (fields: readonly Field[]): Field => {
  return (text, at) => {
    let next: number | Wrong = at;
    for (const field of fields) {
      next = field(text, next);
      if (typeof next !== 'number') return next;
    }
    return next;
  };
};

/** @param which the purchase, in the wording of GS1's checker */
const purchase = (which: string): Field[] => [
  counted(`${which} purchase Requirement`, oneToFive),
  digit(`${which} purchase Requirement Code`, '012349', '"0" to "4" or "9"'),
  digits(`${which} purchase Family Code`, 3, 'three'),
];

const otherPurchase = (which: string): Field[] => [
  ...purchase(which),
  counted(`${which} purchase GS1 Company Prefix`, {
    digits: '01234569',
    said: '"0" to "6" or "9"',
    plus: 6,
    none: '9',
  }),
];

const offer: Field = inSequence([
  counted('primary GS1 Company Prefix', zeroToSix),
  digits('Offer Code', 6, 'six'),
  counted('Save Value', oneToFive),
  ...purchase('primary'),
]);

/** Optional fields, in their order, each after its number. */
const optionalFields: readonly (readonly [string, Field])[] = [
  [
    '1',
    inSequence([digit('Additional Purchase Rules Code', '0123', '"0" to "3"'), ...otherPurchase('second')]),
  ],
  ['2', inSequence(otherPurchase('third'))],
  ['3', day('expiration')],
  ['4', day('start')],
  ['5', serialNumber],
  ['6', counted('Retailer GCP/GLN', { digits: '1234567', said: '"1" to "7"', plus: 6 })],
  [
    '9',
    inSequence([
      digit('Save Value Code', '01256', '"0", "1", "2", "5" or "6"'),
      digit('Save Value Applies to Item', '012', '"0" to "2"'),
      anyDigit('Store Coupon Flag'),
      digit("Don't Multiply Flag", '01', '"0" or "1"'),
    ]),
  ],
];

const notDigit: ContentRule = (text) => {
  const { message, expected } = characterSets.N;
  const at = indexOfAlien(text, characterSets.N);
  return at < 0 ? undefined : wrong(at, message, expected);
};

const excess = (text: string, at: number): Wrong | undefined => {
  const message = 'The coupon contains excess data after the recognised optional fields.';
  return at < text.length ? wrong(at, message, 'nothing more') : undefined;
};

/** AI 8112. */
export const positiveOffer: ContentRule = (text) => {
  const fault = notDigit(text);
  if (fault) return fault;
  const end = inSequence([
    digit('Format Code', '01', '"0" or "1"'),
    counted('Funder', zeroToSix),
    digits('Offer Code', 6, 'six'),
    serialNumber,
  ])(text, 0);
  return typeof end === 'number' ? excess(text, end) : end;
};

/** AI 8110. */
export const couponCode: ContentRule = (text) => {
  const fault = notDigit(text);
  if (fault) return fault;
  let next = offer(text, 0);
  const days = new Map<string, { at: number; day: string }>();
  for (const [number, field] of optionalFields) {
    if (typeof next !== 'number') return next;
    if (text[next] !== number) continue;
    days.set(number, { at: next + 1, day: text.slice(next + 1, next + 7) });
    next = field(text, next + 1);
  }
  if (typeof next !== 'number') return next;
  const [expiry, start] = [days.get('3'), days.get('4')];
  if (expiry && start && expiry.day < start.day) {
    const message = "The coupon's expiration date preceed the start date.";
    return wrong(expiry.at, message, `a day from ${start.day} on`);
  }
  return excess(text, next);
};
