/** The body of `POST /api/verify/serial`: `{"itemId": "…", "signature": "…"}`. */
import { serialBodyBytesMax, serialTextLengthMax } from '#schemas/api/serial-verification.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';

export interface SerialBody {
  itemId: string;
  signature: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(utf8.decode(body));
  } catch (cause) {
    throw new ClientError('INVALID_REQUEST', 'The body is not valid JSON in UTF-8; send a JSON object', {
      cause,
    });
  }
};

const textIn = (value: object, field: string, example: string): string => {
  const text: unknown = Object.getOwnPropertyDescriptor(value, field)?.value;
  const expected = `a string such as ${example}, as in the printed URL`;
  if (text === undefined) throw new ClientError('INVALID_REQUEST', `${field} is required: ${expected}`);
  if (typeof text !== 'string')
    throw new ClientError('INVALID_REQUEST', `${field} must be ${expected}; given: ${quoted(text)}`);
  if (text === '') throw new ClientError('UNPROCESSABLE', `${field} must not be empty; it is ${expected}`);
  if (text.length > serialTextLengthMax)
    throw new ClientError(
      'UNPROCESSABLE',
      `${field} must have at most ${serialTextLengthMax} characters; given: ${text.length}`,
    );
  return text;
};

/**
 * @param body undefined where it was larger than {@link serialBodyBytesMax}
 * @throws {ClientError} that names the field
 */
export const readSerialBody = (body: Buffer | undefined): SerialBody => {
  if (body === undefined)
    throw new ClientError('BODY_TOO_LARGE', `The body must not be larger than ${serialBodyBytesMax} bytes`);
  const value = parse(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ClientError('INVALID_REQUEST', `The body must be a JSON object; given: ${quoted(value)}`);
  return {
    itemId: textIn(value, 'itemId', '7CbHq2mXvR4k'),
    signature: textIn(value, 'signature', '2Jd8sQwLx5nB3TyV'),
  };
};
