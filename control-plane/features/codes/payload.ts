/** From what a client gives as `data` or `destination` to what a code keeps. */
import type { DataType } from '#schemas/api/data-types.ts';
import { isStructured, payloadLengthMax, readFields } from '#schemas/api/payloads.ts';
import { ClientError } from '#shared/errors.ts';
import { buildPayload, readyPayload } from '#shared/payloads/build.ts';

export interface Payload {
  /** The location of `url` and `gs1`, the payload of the others. */
  destination: string;
  /** The fields that it was made from; null for one that was given as text. */
  data: object | null;
}

const article = (dataType: DataType): string => (/^[aeiou]|^sms|^mecard/.test(dataType) ? 'an' : 'a');

const make = (field: string, dataType: DataType, given: unknown): Payload => {
  if (isStructured(dataType) && typeof given !== 'string') {
    const fields = readFields(dataType, given);
    // The pattern of a dynamic code is its own address: an element string could only be printed.
    if ('format' in fields && fields.format === 'element-string') {
      throw new ClientError('UNPROCESSABLE', `${field}.format must be digital-link for a dynamic code`);
    }
    return { destination: buildPayload(dataType, fields), data: fields };
  }
  const destination = readyPayload(dataType, String(given));
  if (destination === undefined) {
    throw new ClientError('UNPROCESSABLE', `${field} must be ${article(dataType)} ${dataType} payload`);
  }
  return { destination, data: null };
};

/**
 * @param field how the client calls it
 * @param given what the schema of this data type has let through
 * @throws {ClientError} UNPROCESSABLE naming the field
 */
export const preparePayload = (field: string, dataType: DataType, given: unknown): Payload => {
  const payload = make(field, dataType, given);
  if (payload.destination.length > payloadLengthMax) {
    throw new ClientError(
      'UNPROCESSABLE',
      `${field} must not make a payload of more than ${payloadLengthMax} characters`,
    );
  }
  return payload;
};
