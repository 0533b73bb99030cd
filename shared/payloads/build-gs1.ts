/**
 * Payloads of the data type `gs1`: Digital Links, and element strings, which require a symbol that begins with FNC1.
 */
import { type Gs1Fields, type Gs1NamedField, gs1NamedElements, isUriText } from '#schemas/api/gs1-data.ts';
import { ClientError } from '../errors.ts';
import { padGtin } from '../gs1/check-digit.ts';
import { buildDigitalLink } from '../gs1/digital-link/build.ts';
import { gs1Resolver, parseDigitalLink } from '../gs1/digital-link/parse.ts';
import {
  checkElements,
  groupSeparator,
  parseElementString,
  symbolText,
  writeUnbracketed,
} from '../gs1/element-string.ts';
import { type Gs1Element, Gs1Error } from '../gs1/gs1-error.ts';

/** The content of a symbol. */
export interface Gs1Symbol {
  payload: string;
  /** Whether it begins with FNC1. */
  fnc1: boolean;
}

const refuse = (what: string, error: Gs1Error): never => {
  throw new ClientError('UNPROCESSABLE', `${what}: ${error}`);
};

/** `YYMMDD`. */
const shortDate = (day: string): string => (day.length === 6 ? day : day.slice(2).replaceAll('-', ''));

const encoded = (field: Gs1NamedField, given: string): string => {
  if (field === 'gtin') return padGtin(given);
  return field === 'expiry' ? shortDate(given) : given;
};

const namedFields = Object.keys(gs1NamedElements) as Gs1NamedField[];

/**
 * Elements with a field of their own first, in label order: product, expiry, batch, serial; then all others by their
 * digits.
 */
const elementsOf = (fields: Gs1Fields): Gs1Element[] => [
  ...namedFields.flatMap((field) => {
    const given = fields[field];
    return given === undefined ? [] : { ai: gs1NamedElements[field], value: encoded(field, given) };
  }),
  ...Object.entries(fields.elements ?? {})
    .map(([ai, value]) => ({ ai, value }))
    .sort((a, b) => (a.ai < b.ai ? -1 : 1)),
];

/** The field that an element comes from. */
const fieldOf = (fields: Gs1Fields, ai: string): string =>
  namedFields.find((field) => gs1NamedElements[field] === ai && fields[field] !== undefined) ??
  `elements.${ai}`;

/** Positions refer to the value as given: a GTIN is padded with leading zeros. */
const asGiven = (error: Gs1Error, fields: Gs1Fields): Gs1Error => {
  const { fault, ai, position, expected, message } = error;
  if (ai !== gs1NamedElements.gtin || fields.gtin === undefined) return error;
  const pads = padGtin(fields.gtin).length - fields.gtin.length;
  return new Gs1Error(fault, { ai, position: Math.max(position - pads, 0), expected }, message);
};

/** @param where the client's name for the object */
const refuseFields = (where: string, fields: Gs1Fields, error: Gs1Error): never => {
  const path = error.ai === null ? where : `${where}.${fieldOf(fields, error.ai)}`;
  return refuse(`${path} must be valid GS1 data`, asGiven(error, fields));
};

const checkedElements = (where: string, fields: Gs1Fields): Gs1Element[] => {
  const elements = elementsOf(fields);
  const error = checkElements(elements);
  return error ? refuseFields(where, fields, error) : elements;
};

/** @throws {ClientError} UNPROCESSABLE naming the field and the application identifier */
const linkOfFields = (where: string, fields: Gs1Fields): string => {
  const stem = fields.domain === undefined ? gs1Resolver : `https://${fields.domain.toLowerCase()}`;
  const link = buildDigitalLink(checkedElements(where, fields), stem);
  return link instanceof Gs1Error ? refuseFields(where, fields, link) : link;
};

/** A URI is left unchanged. */
const checkedUri = (where: string, text: string): string => {
  const link = parseDigitalLink(text);
  return link instanceof Gs1Error ? refuse(`${where} must be a GS1 Digital Link`, link) : text;
};

const readElements = (where: string, text: string): Gs1Element[] => {
  const elements = parseElementString(text);
  if (!(elements instanceof Gs1Error)) return elements;
  const forms =
    'a GS1 Digital Link such as https://id.gs1.org/01/09506000134352 or an element string such as (01)09506000134352(10)A1';
  return refuse(`${where} must be ${forms}`, elements);
};

/**
 * The content of a symbol that encodes the data itself. An element string given as text keeps its elements' order.
 * @param where the client's name for the given data
 * @throws {ClientError} UNPROCESSABLE naming the field, the application identifier, the position and the expected value
 */
export const gs1Symbol = (where: string, given: string | Gs1Fields): Gs1Symbol => {
  if (typeof given === 'string') {
    return isUriText(given)
      ? { payload: checkedUri(where, given), fnc1: false }
      : { payload: writeUnbracketed(readElements(where, given), groupSeparator), fnc1: true };
  }
  return given.format === 'element-string'
    ? { payload: symbolText(checkedElements(where, given)), fnc1: true }
    : { payload: linkOfFields(where, given), fnc1: false };
};

/**
 * The target of a dynamic code: an element string becomes the Digital Link at GS1's own resolver.
 * @param where the client's name for the given data
 * @throws {ClientError} UNPROCESSABLE like {@link gs1Symbol}
 */
export const gs1Location = (where: string, given: string | Gs1Fields): string => {
  if (typeof given !== 'string') {
    // A dynamic code's pattern encodes its own address: an element string could only be printed.
    if (given.format === 'element-string')
      throw new ClientError('UNPROCESSABLE', `${where}.format must be digital-link for a dynamic code`);
    return linkOfFields(where, given);
  }
  if (isUriText(given)) return checkedUri(where, given);
  const link = buildDigitalLink(readElements(where, given), gs1Resolver);
  return link instanceof Gs1Error ? refuse(`${where} must make a GS1 Digital Link`, link) : link;
};
