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

const examples = { itemId: '7CbHq2mXvR4k', signature: '2Jd8sQwLx5nB3TyV' } as const;

/** @throws {ClientError} naming the first wrong field, and in `details` the other one */
const textsIn = (value: object): SerialBody => {
  const texts = { itemId: '', signature: '' };
  const faults: ClientError[] = [];
  for (const field of ['itemId', 'signature'] as const) {
    try {
      texts[field] = textIn(value, field, examples[field]);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      faults.push(error);
    }
  }
  const [first, ...rest] = faults;
  if (first === undefined) return texts;
  throw rest.length === 0
    ? first
    : new ClientError(first.code, first.message, { details: rest.map(({ message }) => message) });
};

/**
 * @param body undefined if it was larger than {@link serialBodyBytesMax}
 * @throws {ClientError} naming the field
 */
export const readSerialBody = (body: Buffer | undefined): SerialBody => {
  if (body === undefined)
    throw new ClientError('BODY_TOO_LARGE', `The body must not be larger than ${serialBodyBytesMax} bytes`);
  const value = parse(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ClientError('INVALID_REQUEST', `The body must be a JSON object; given: ${quoted(value)}`);
  return textsIn(value);
};
