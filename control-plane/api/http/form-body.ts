/** Bodies of HTML forms: `application/x-www-form-urlencoded` (WHATWG URL, 5.1), in UTF-8. */
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import { decodeUtf8, readBytes } from './body.ts';

export interface FormLimit {
  /** Of the encoded body: a character outside ASCII takes up to 12 bytes. */
  bytesMax: number;
  /** The bound of the form that the path parameters name; looked up before the body is read. */
  bytesMaxOf?(params: Readonly<Record<string, string>>): Promise<number>;
  pairsMax: number;
  /**
   * Each started part of this size counts as one request of the address. A body without Content-Length may have only
   * one part.
   */
  requestBytes?: number;
  /** The whole body must arrive within this time. Default: {@link arrivalMsMax}. */
  arrivalMsMax?: number;
}

/** A page's form is small: 1 MB takes 17 s at 0.5 Mbit/s. */
const arrivalMsMax = 30_000;

/** How many requests of its address a form counts as. */
export const requestsOf = ({ headers }: IncomingMessage, limit: FormLimit | undefined): number => {
  if (limit?.requestBytes === undefined) return 1;
  return Math.max(1, Math.ceil(Number(headers['content-length'] ?? 0) / limit.requestBytes));
};

/** The bound of this body, in bytes. */
const bytesMaxOf = ({ headers }: IncomingMessage, { bytesMax, requestBytes }: FormLimit): number =>
  headers['content-length'] === undefined ? Math.min(bytesMax, requestBytes ?? bytesMax) : bytesMax;

/** The values of each name, in the order sent. */
export type FormPairs = ReadonlyMap<string, readonly string[]>;

/** The schema of such a body. The operation itself checks the names and values. */
export const formPairs = z
  .custom<FormPairs>((given) => given instanceof Map)
  .meta({ override: { type: 'object', additionalProperties: { type: 'string' } } });

const accepted = 'application/x-www-form-urlencoded';

const unsupported = (message: string, headers: Record<string, string>): ClientError =>
  new ClientError('UNSUPPORTED_MEDIA_TYPE', message, { headers });

/** @throws {ClientError} UNSUPPORTED_MEDIA_TYPE */
const requireForm = ({ headers }: IncomingMessage): void => {
  const type = headers['content-type'] ?? '';
  if (type.split(';')[0]!.trim().toLowerCase() !== accepted) {
    throw unsupported(`Content-Type must be ${accepted}; given: ${quoted(type)}`, { accept: accepted });
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw unsupported(`The charset of the form must be UTF-8; given: ${quoted(charset)}`, {
      accept: accepted,
    });
  }
  if (!['', 'identity'].includes(headers['content-encoding'] ?? '')) {
    throw unsupported(
      `Content-Encoding must not be set: send the form as it is; given: ${quoted(headers['content-encoding'])}`,
      { 'accept-encoding': 'identity' },
    );
  }
};

const ampersand = 0x26;

/** Counts before anything is split or decoded. */
const requireFewPairs = (bytes: Buffer, pairsMax: number): void => {
  let pairs = 1;
  for (let at = bytes.indexOf(ampersand); at !== -1; at = bytes.indexOf(ampersand, at + 1)) {
    pairs++;
    if (pairs > pairsMax)
      throw new ClientError('INVALID_REQUEST', `The form must have at most ${pairsMax} fields`);
  }
};

/** `a+b%C3%A9` is `a bé`. @throws {ClientError} INVALID_REQUEST if an escape is not UTF-8, or for NUL */
const decodePart = (part: string): string => {
  let text: string;
  try {
    text = decodeURIComponent(part.replaceAll('+', ' '));
  } catch (cause) {
    throw new ClientError('INVALID_REQUEST', 'The form has a % that begins no character of UTF-8', { cause });
  }
  if (text.includes('\0')) throw new ClientError('INVALID_REQUEST', 'The form must not have NUL characters');
  return text;
};

const parsePairs = (text: string): FormPairs => {
  const pairs = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodePart(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decodePart(pair.slice(equals + 1));
    const before = pairs.get(name);
    if (before) before.push(value);
    else pairs.set(name, [value]);
  }
  return pairs;
};

/** The reader sees the timeout as an error of the request. */
const readInTime = async (request: IncomingMessage, limit: FormLimit) => {
  const { arrivalMsMax: ms = arrivalMsMax } = limit;
  const late = (): void => {
    const text = `The form must arrive within ${ms / 1_000} seconds`;
    request.emit('error', new ClientError('REQUEST_TIMEOUT', text, { headers: { connection: 'close' } }));
    request.resume();
  };
  const timer = setTimeout(late, ms);
  return readBytes(request, { bytesMax: bytesMaxOf(request, limit) }).finally(() => clearTimeout(timer));
};

/**
 * The names and values of the form.
 * @throws {ClientError} UNSUPPORTED_MEDIA_TYPE for another type, charset or coding; BODY_TOO_LARGE; REQUEST_TIMEOUT;
 * INVALID_REQUEST if there are too many pairs or the text is not UTF-8
 */
export const readFormBody = async (request: IncomingMessage, limit: FormLimit): Promise<FormPairs> => {
  requireForm(request);
  const bytes = await readInTime(request, limit);
  requireFewPairs(bytes, limit.pairsMax);
  return parsePairs(decodeUtf8(bytes));
};
