/**
 * The content of a `gs1` code. Types and lengths are checked here; GS1's rules for values are checked when the payload
 * is built.
 */
import { z } from 'zod';
import { boundedRecord, boundedText } from './text.ts';

const notGtin = 'must be a GTIN of 8, 12, 13 or 14 digits';

/** GTIN-8, -12, -13 or -14. */
export const gtinDigits = boundedText(14, notGtin).regex(/^(\d{8}|\d{12}|\d{13}|\d{14})$/, notGtin);

/** `YYMMDD`, with day 00 for the last of the month, or ISO 8601. */
const isGs1Date = (text: string): boolean => {
  const [, month = '', day = ''] =
    /^\d\d(\d\d)(\d\d)$/.exec(text) ?? /^20\d\d-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const year = text.length === 6 ? 2000 + Number(text.slice(0, 2)) : Number(text.slice(0, 4));
  const lastDay = new Date(Date.UTC(year, Number(month), 0)).getUTCDate();
  return (
    Number(month) >= 1 && Number(month) <= 12 && Number(day) <= lastDay && (day !== '00' || text.length === 6)
  );
};

const notGs1Date = 'must be a day as YYMMDD or YYYY-MM-DD';

/** Characters of any application identifier's longest value. */
const valueLengthMax = 90;
const elementsMax = 64;

const value = boundedText(valueLengthMax).min(1);

const identifier = boundedText(4).regex(
  /^\d{2,4}$/,
  'must be an application identifier of GS1, such as 01 or 3103',
);

export const gs1Formats = ['digital-link', 'element-string'] as const;

/** Application identifiers with a field of their own. */
export const gs1NamedElements = { gtin: '01', expiry: '17', batch: '10', serial: '21' } as const;
export type Gs1NamedField = keyof typeof gs1NamedElements;

const hostName = /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/i;
const notHostName = 'must be the name of a host, such as id.example.com';

export const gs1Fields = z
  .strictObject({
    /** Application identifier 01. */
    gtin: gtinDigits.optional(),
    /** Application identifier 10. */
    batch: value.optional(),
    /** Application identifier 21. */
    serial: value.optional(),
    /** Application identifier 17. */
    expiry: boundedText(10, notGs1Date).refine(isGs1Date, notGs1Date).optional(),
    /** Values by any application identifier. */
    elements: boundedRecord(identifier, value, elementsMax).optional(),
    /** Default: a Digital Link. */
    format: z.enum(gs1Formats).optional(),
    /** The host of the Digital Link. Default: id.gs1.org, GS1's own. */
    domain: boundedText(253, notHostName).regex(hostName, notHostName).optional(),
  })
  .superRefine(({ elements, format, domain, ...fields }, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (fields.gtin === undefined && elements === undefined)
      refuse(['gtin'], 'is required where elements is not given');
    if (domain !== undefined && format === 'element-string')
      refuse(['domain'], 'must not be given for the format element-string');
    for (const [field, ai] of Object.entries(gs1NamedElements)) {
      if (fields[field as Gs1NamedField] === undefined || elements?.[ai] === undefined) continue;
      refuse(['elements', ai], `must not be given with ${field}, which is the same element`);
    }
  });

export type Gs1Fields = z.output<typeof gs1Fields>;

/** A URI is checked like every destination. */
export const isUriText = (text: string): boolean => /^https?:\/\//i.test(text);

const isPrintable = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code < 32 && code !== 29) || code > 126) return false;
  }
  return true;
};

/** An element string, with or without brackets. @param lengthMax characters */
export const elementStringText = (lengthMax: number) =>
  boundedText(lengthMax)
    .min(1)
    .refine(isPrintable, 'must be a GS1 Digital Link or an element string of printable ASCII and U+001D');
