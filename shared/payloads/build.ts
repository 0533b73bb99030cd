/** Builds the payload of a static or dynamic code from the `data` of a request. */
import type { DataType } from '#schemas/api/data-types.ts';
import type { FieldsOf, StructuredType } from '#schemas/api/payloads.ts';
import { buildMecard, buildWifi } from './build-fields.ts';
import { gs1Symbol } from './build-gs1.ts';
import { buildEmail, buildGeo, buildPhone, buildSms } from './build-links.ts';
import { buildVcalendar } from './build-vcalendar.ts';
import { buildVcard } from './build-vcard.ts';
import { parseEmail } from './email.ts';
import { parseGeo } from './geo.ts';
import { parseMecard } from './mecard.ts';
import { parsePhone } from './phone.ts';
import { parseSms } from './sms.ts';
import { parseVcalendar } from './vcalendar.ts';
import { parseVcard } from './vcard.ts';
import { parseWifi } from './wifi.ts';

const builders: { [Type in StructuredType]: (fields: FieldsOf<Type>) => string } = {
  email: buildEmail,
  sms: buildSms,
  phone: buildPhone,
  geo: buildGeo,
  wifi: buildWifi,
  mecard: buildMecard,
  vcard: buildVcard,
  vcalendar: buildVcalendar,
  gs1: (fields) => gs1Symbol('data', fields).payload,
};

/** @param fields as accepted by the type's schema */
export const buildPayload = <Type extends StructuredType>(dataType: Type, fields: FieldsOf<Type>): string =>
  builders[dataType](fields);

/**
 * A finished payload is checked by parsing it; types with free text, or already checked as a location, have no parser.
 */
const readers: Record<DataType, ((payload: string) => unknown) | undefined> = {
  url: undefined,
  text: undefined,
  gs1: undefined,
  email: parseEmail,
  sms: parseSms,
  phone: parsePhone,
  geo: parseGeo,
  wifi: parseWifi,
  mecard: parseMecard,
  vcard: parseVcard,
  vcalendar: parseVcalendar,
};

/** Adds the missing scheme to a bare address, number or place; other types have none. */
const bare: Record<DataType, ((text: string) => string) | undefined> = {
  url: undefined,
  text: undefined,
  wifi: undefined,
  vcard: undefined,
  vcalendar: undefined,
  mecard: undefined,
  gs1: undefined,
  email: (to) => buildEmail({ to }),
  sms: (phone) => buildSms({ phone }),
  phone: (phone) => buildPhone({ phone }),
  geo: (text) => `geo:${text.replace(/\s/g, '')}`,
};

const hasScheme = /^[a-z]+:/i;

/**
 * A payload given as text: unchanged, or with its missing scheme.
 * @returns undefined if it is not a payload of this type
 */
export const readyPayload = (dataType: DataType, text: string): string | undefined => {
  const read = readers[dataType];
  if (read && read(text) === undefined) return undefined;
  return hasScheme.test(text.trim()) ? text : (bare[dataType]?.(text.trim()) ?? text);
};
