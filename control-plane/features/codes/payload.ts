/** Turns the `data` or `destination` of a client into the payload that a code stores. */
import type { DataType } from '#schemas/api/data-types.ts';
import { isStructured, payloadLengthMax, readFields } from '#schemas/api/payloads.ts';
import { ClientError } from '#shared/errors.ts';
import { buildPayload, readyPayload } from '#shared/payloads/build.ts';
import { gs1Location, gs1Symbol } from '#shared/payloads/build-gs1.ts';

export interface Payload {
  /** For `url` and `gs1` the location, for others the payload. */
  destination: string;
  /** The fields that it was made from; null if it was given as text. */
  data: object | null;
}

/** The accepted forms of each type. A parsed type accepts text in two forms, or fields. */
const examples: Record<DataType, string> = {
  url: 'a web address such as https://example.com/',
  text: 'another text',
  gs1: 'a GS1 Digital Link, or an element string such as (01)09506000134352',
  email:
    'an address such as anna@example.com, a mailto: URI, or an object such as {"to": "anna@example.com"}',
  wifi: 'WIFI:T:WPA;S:Guests;P:<password>;;, or an object with ssid, password and encryption',
  vcard:
    'BEGIN:VCARD … END:VCARD with a name, or an object such as {"firstName": "Anna", "phone": "+4930123456"}',
  sms: 'a number such as +4930123456, an sms: URI, or an object such as {"phone": "+4930123456", "message": "Hello"}',
  phone: 'a number such as +4930123456, a tel: URI, or an object such as {"phone": "+4930123456"}',
  geo: 'latitude and longitude such as 52.52,13.405 (decimal points, not commas), a geo: URI, or an object such as {"latitude": 52.52, "longitude": 13.405}',
  vcalendar: 'BEGIN:VCALENDAR … END:VCALENDAR with an event, or an object with title, start and end',
  mecard: 'MECARD:N:Anna;TEL:+4930123456;;, or an object such as {"name": "Anna", "phone": "+4930123456"}',
};

const makeGs1 = (field: string, given: unknown): Payload => {
  if (typeof given === 'string') return { destination: gs1Location(field, given), data: null };
  const fields = readFields('gs1', given);
  return { destination: gs1Location(field, fields), data: fields };
};

const make = (field: string, dataType: DataType, given: unknown): Payload => {
  if (dataType === 'gs1') return makeGs1(field, given);
  if (isStructured(dataType) && typeof given !== 'string') {
    const fields = readFields(dataType, given);
    return { destination: buildPayload(dataType, fields), data: fields };
  }
  const destination = readyPayload(dataType, String(given));
  if (destination === undefined) {
    // The message does not repeat the value: it may hold a password, or be about to be sealed.
    throw new ClientError(
      'UNPROCESSABLE',
      `${field} cannot be read as the dataType ${dataType}: give ${examples[dataType]}`,
    );
  }
  return { destination, data: null };
};

const requireLength = (field: string, payload: string): void => {
  if (payload.length <= payloadLengthMax) return;
  throw new ClientError(
    'UNPROCESSABLE',
    `${field} must not make a payload of more than ${payloadLengthMax} characters; it makes one of ${payload.length}`,
  );
};

/**
 * @param field its name in the API
 * @param given checked by the schema of this data type
 * @throws {ClientError} UNPROCESSABLE naming the field
 */
export const preparePayload = (field: string, dataType: DataType, given: unknown): Payload => {
  const payload = make(field, dataType, given);
  requireLength(field, payload.destination);
  return payload;
};

/**
 * The content of a static code, whose symbol may declare a GS1 element string.
 * @param data checked by the schema of this data type
 * @throws {ClientError} UNPROCESSABLE naming the field
 */
export const prepareSymbol = (dataType: DataType, data: unknown): { payload: string; fnc1?: boolean } => {
  if (dataType !== 'gs1') return { payload: preparePayload('data', dataType, data).destination };
  const symbol = gs1Symbol('data', typeof data === 'string' ? data : readFields('gs1', data));
  requireLength('data', symbol.payload);
  return symbol;
};
