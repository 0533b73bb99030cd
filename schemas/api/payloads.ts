/**
 * `data` for each data type: a string, which is the finished payload, or an object of the type's fields, from which the
 * payload is built.
 */
import { z } from 'zod';
import { httpWithHost } from '../web-url.ts';
import type { DataType } from './data-types.ts';
import type { createDestination } from './destination.ts';
import { elementStringText, gs1Fields, gtinDigits, isUriText } from './gs1-data.ts';
import { boundedText, label, multilineText, requiredLabel, timeZoneLengthMax } from './text.ts';

type Destination = ReturnType<typeof createDestination>;

/** The longest payload accepted or built, in characters. */
export const payloadLengthMax = 4096;

const line = label(500);
const requiredLine = requiredLabel(500);
const paragraph = multilineText(2000);

const emailAddress = label(320).regex(/^[^\s@:<>,;"\\]+@[^\s@:<>,;"\\]+$/, 'must be an e-mail address');

const phoneNumber = boundedText(50).regex(/^\+?[ ().*#-]*\d[\d ().*#-]*$/, 'must be a phone number');

const degrees = (max: number) => z.number().min(-max).max(max);

const webAddress = label(2000).refine(
  (text) => httpWithHost.test(text) && !/\s/.test(text) && URL.canParse(text),
  'must be an absolute http or https URL',
);

export const wifiFields = z
  .strictObject({
    ssid: requiredLabel(64),
    password: label(128).optional(),
    encryption: z.enum(['WPA', 'WEP', 'nopass']),
    hidden: z.boolean().optional(),
  })
  .superRefine(({ password, encryption }, context) => {
    if (encryption === 'nopass' ? !password : password) return;
    const message =
      encryption === 'nopass'
        ? 'must be empty where encryption is nopass'
        : 'is required unless encryption is nopass';
    context.addIssue({ code: 'custom', path: ['password'], message });
  });

export const emailFields = z.strictObject({
  to: emailAddress,
  subject: line.optional(),
  body: paragraph.optional(),
});

export const smsFields = z.strictObject({ phone: phoneNumber, message: paragraph.optional() });

export const phoneFields = z.strictObject({ phone: phoneNumber });

export const geoFields = z.strictObject({ latitude: degrees(90), longitude: degrees(180) });

/** A contact needs a person's name or an organization. */
export const vcardFields = z
  .strictObject({
    firstName: line.optional(),
    lastName: line.optional(),
    phone: phoneNumber.optional(),
    email: emailAddress.optional(),
    organization: line.optional(),
    title: line.optional(),
    website: webAddress.optional(),
    address: paragraph.optional(),
  })
  .refine(
    ({ firstName, lastName, organization }) =>
      [firstName, lastName, organization].some((name) => name?.trim()),
    'must have at least one of firstName, lastName, organization',
  );

export const mecardFields = z.strictObject({
  name: requiredLine,
  phone: phoneNumber.optional(),
  email: emailAddress.optional(),
  url: webAddress.optional(),
  address: line.optional(),
  note: line.optional(),
});

const clockTime =
  /^(\d{4})-(\d\d)-(\d\d)(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?)?$/;

const isDay = (text: string): boolean => {
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10));
};

const notMoment = 'must be an ISO 8601 day or time, such as 2030-01-31 or 2030-01-31T12:00:00Z';

const moment = boundedText(40, notMoment).refine((text) => clockTime.test(text) && isDay(text), notMoment);

const notTimeZone = 'must be an IANA time zone such as Europe/Berlin';

const isTimeZone = (name: string): boolean =>
  name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name);

/** Only times of the same form can be compared. */
const formOf = (text: string): 'day' | 'instant' | 'local' => {
  if (text.length === 10) return 'day';
  return /(Z|[+-]\d\d:\d\d)$/.test(text) ? 'instant' : 'local';
};

const timeOf = (text: string): number => Date.parse(formOf(text) === 'local' ? `${text}Z` : text);

/** A day, an instant, or a local time in `timeZone` (or wherever the reader is). */
export const vcalendarFields = z
  .strictObject({
    title: requiredLine,
    start: moment,
    end: moment,
    location: line.optional(),
    description: paragraph.optional(),
    /** IANA name, such as Europe/Berlin. */
    timeZone: boundedText(timeZoneLengthMax, notTimeZone).refine(isTimeZone, notTimeZone).optional(),
  })
  .superRefine(({ start, end, timeZone }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (formOf(start) !== formOf(end)) refuse('end', 'must be a day or a time in the form that start has');
    // For whole days the end is the day after the last day.
    else if (timeOf(end) <= timeOf(start)) refuse('end', 'must be after start');
    if (timeZone !== undefined && formOf(start) !== 'local')
      refuse('timeZone', 'must not be given for days, nor for times that say their offset');
  });

/** GS1's mod 10: digits are weighted 3 and 1 alternately, starting from the one before the check digit. */
export const hasGs1CheckDigit = (digits: string): boolean => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits.at(-1 - i)) * (i % 2 === 0 ? 1 : 3);
  return sum % 10 === 0;
};

/** GTIN-8, -12, -13 or -14. */
export const gtin = gtinDigits
  .refine(hasGs1CheckDigit, 'must end in the check digit of its other digits')
  .refine(
    (digits) => !/^0+$/.test(digits),
    'must have a digit that is not 0: a GTIN of zeros identifies nothing',
  );

const payload = multilineText(payloadLengthMax).min(1);

const beginningWith = (pattern: RegExp, message: string) => payload.regex(pattern, message);

/** A finished payload of each type. Parsers then read it, and report its errors better than an expression can. */
const createReady = (destination: Destination): Record<DataType, z.ZodType<string>> => ({
  url: destination,
  text: payload,
  email: payload,
  wifi: beginningWith(/^WIFI:/i, 'must begin with WIFI:'),
  vcard: beginningWith(/^BEGIN:VCARD\s/i, 'must begin with BEGIN:VCARD'),
  sms: payload,
  phone: payload,
  geo: payload,
  vcalendar: beginningWith(/^BEGIN:(VCALENDAR|VEVENT)\s/i, 'must begin with BEGIN:VCALENDAR'),
  mecard: beginningWith(/^MECARD:/i, 'must begin with MECARD:'),
  gs1: destination,
});

/** The schema of the fields of each type that has fields. */
export const structuredFields = {
  wifi: wifiFields,
  email: emailFields,
  sms: smsFields,
  phone: phoneFields,
  geo: geoFields,
  vcard: vcardFields,
  mecard: mecardFields,
  vcalendar: vcalendarFields,
  gs1: gs1Fields,
} as const satisfies Record<Exclude<DataType, 'url' | 'text'>, z.ZodType>;

export type StructuredType = keyof typeof structuredFields;
export type FieldsOf<Type extends StructuredType> = z.output<(typeof structuredFields)[Type]>;

export const isStructured = (dataType: DataType): dataType is StructuredType =>
  Object.hasOwn(structuredFields, dataType);

/** The schema of `data`, by the data type and by whether it is text. */
export const createPayloads = (destination: Destination) => {
  const ready = createReady(destination);
  const elementString = elementStringText(payloadLengthMax);
  return {
    of: (dataType: DataType, data: unknown): z.ZodType => {
      if (typeof data !== 'string')
        return isStructured(dataType) ? structuredFields[dataType] : ready[dataType];
      return dataType === 'gs1' && !isUriText(data) ? elementString : ready[dataType];
    },
  };
};

/** The fields of a type, from a value that its schema accepted. @throws {z.ZodError} for any other value */
export const readFields = <Type extends StructuredType>(dataType: Type, data: unknown): FieldsOf<Type> =>
  structuredFields[dataType].parse(data) as FieldsOf<Type>;
