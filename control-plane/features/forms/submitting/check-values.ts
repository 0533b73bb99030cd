/**
 * Checks a visitor's values against the fields of a form. Pure. Browsers check some of it as well, but can be
 * bypassed: only values that pass here are stored.
 */
import { domainToASCII } from 'node:url';
import type { FormField, FormFieldType } from '#schemas/api/forms.ts';
import type { FormPairs } from '../../../api/http/form-body.ts';

/** Why a value is rejected. */
export type ValueFault =
  | { reason: 'required' | 'email' | 'phone' | 'option' | 'several' }
  | { reason: 'tooLong'; charactersMax: number; characters: number };

export interface CheckedValues {
  /**
   * One per field, by its id: the values to store, or to show again if something is rejected. An overlong one is cut.
   */
  values: Record<string, string>;
  /** By field id, in the order of the fields. Empty if the values may be stored. */
  faults: ReadonlyMap<string, ValueFault>;
}

/** The prefix of an input's name; the id of its field follows. */
export const inputPrefix = 'f.';

/** The limit if the field has none. */
const charactersMaxDefault = { text: 1_000, email: 1_000, phone: 1_000, textarea: 8_000 } as const;

/** @returns undefined for a field without typed text */
export const charactersMaxOf = ({ type, maxLength }: FormField): number | undefined =>
  type in charactersMaxDefault
    ? (maxLength ?? charactersMaxDefault[type as keyof typeof charactersMaxDefault])
    : undefined;

/** @param sent as the form sends it; names of unknown fields are left to the caller */
export const checkValues = (fields: readonly FormField[], sent: FormPairs): CheckedValues => {
  const values: [string, string][] = [];
  const faults = new Map<string, ValueFault>();
  for (const field of fields) {
    const given = sent.get(inputPrefix + field.id) ?? [];
    const value = valueReaders[field.type](given[0]);
    const fault = given.length > 1 ? ({ reason: 'several' } as const) : faultOf(field, value);
    values.push([field.id, fault?.reason === 'tooLong' ? cut(value, fault.charactersMax) : value]);
    if (fault) faults.set(field.id, fault);
  }
  return { values: Object.fromEntries(values), faults };
};

/** Input beyond a field's limit is shown again up to this many characters, so that no shown value is unbounded. */
const shownBeyondMax = 1_000;

const cut = (value: string, charactersMax: number): string => {
  const shownMax = charactersMax + shownBeyondMax;
  // Characters take one or two units.
  return Array.from(value.slice(0, shownMax * 2))
    .slice(0, shownMax)
    .join('');
};

/** People do not type control characters, and one of them cannot be stored. */
export const readLine = (given = ''): string => given.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Browsers end lines with CR LF, and count each end as one character. */
export const readLines = (given = ''): string =>
  given
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\t\n]+/gu, '')
    .trim();

/** An unchecked box is not sent. A checked one has our page's value, or the browsers' default. */
const readBox = (given = ''): string => String(['true', 'on'].includes(given));

/** The part of a field's value that is kept. */
const valueReaders: Readonly<Record<FormFieldType, (given: string | undefined) => string>> = {
  text: readLine,
  email: readLine,
  phone: readLine,
  textarea: readLines,
  // Options are sent unchanged.
  select: (given = '') => given,
  radio: (given = '') => given,
  checkbox: readBox,
};

const faultOf = (field: FormField, value: string): ValueFault | undefined => {
  if (value === '' || (field.type === 'checkbox' && value === 'false'))
    return field.required ? { reason: 'required' } : undefined;
  const tooLong = lengthFault(value, charactersMaxOf(field));
  return tooLong ?? typeFault(field, value);
};

/** Counts without copying the text, which may have any length. */
const charactersOf = (text: string): number => {
  let characters = 0;
  for (const _ of text) characters++;
  return characters;
};

/** A character is a code point, like in every other limit of typed text. */
const lengthFault = (value: string, charactersMax: number | undefined): ValueFault | undefined => {
  if (charactersMax === undefined || value.length <= charactersMax) return undefined;
  const characters = charactersOf(value);
  return characters > charactersMax ? { reason: 'tooLong', charactersMax, characters } : undefined;
};

const typeFault = ({ type, options = [] }: FormField, value: string): ValueFault | undefined => {
  if (type === 'email' && !isEmail(value)) return { reason: 'email' };
  if (type === 'phone' && !isPhone(value)) return { reason: 'phone' };
  if ((type === 'select' || type === 'radio') && !options.includes(value)) return { reason: 'option' };
  return undefined;
};

/** The valid addresses of HTML's `<input type=email>`, which has domains of other scripts in their ASCII form. */
const htmlEmail =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** RFC 5321: 64 characters before the @, 255 after it. */
const emailLengthMax = 320;

const isEmail = (value: string): boolean => {
  if (value.length > emailLengthMax) return false;
  const at = value.lastIndexOf('@');
  const domain = value.slice(at + 1);
  // ASCII domains are used as they are: domainToASCII would also repair them.
  const ascii = /[^\p{ASCII}]/u.test(domain) ? domainToASCII(domain) : domain;
  return htmlEmail.test(value.slice(0, at + 1) + ascii);
};

/** 21 digits, each with separators. */
const phoneLengthMax = 60;

/** Digits as in E.164, with or without its `+`, in any grouping, and an extension. Digits of any script. */
const isPhone = (value: string): boolean => {
  if (value.length > phoneLengthMax) return false;
  const [, prefix = '', number = ''] =
    /^(\+|00)?([\p{Nd} ().\-\u2010-\u2015/\u00a0\u202f]+?)(?: *(?:x|ext\.?|#) *\p{Nd}{1,6})?$/iu.exec(
      value,
    ) ?? [];
  const digits = [...number.matchAll(/\p{Nd}/gu)].length;
  // Internal numbers of a company have three digits; E.164 has at most 15.
  return digits >= (prefix === '' ? 3 : 7) && digits <= 15;
};
