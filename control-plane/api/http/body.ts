/** Request bodies: JSON in UTF-8, of a bounded size and structure. */
import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { z } from 'zod';
import { bulkRowsMax } from '#schemas/api/bulk.ts';
import { landingImageBytesMax } from '#schemas/api/landing-image.ts';
import { serialBodyBytesMax } from '#schemas/api/serial-verification.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import { createBodyPauses } from './body-pauses.ts';
import { rowSteps } from './json-rows.ts';
import { beginSteps, beginsAsRows, type JsonShape, type ShapeLimit, shapeSteps } from './json-shape.ts';
import { inSteps } from './steps.ts';

export interface BodyLimit extends Omit<ShapeLimit, 'ofRows'> {
  bytesMax: number;
  /** The file's field, if the body has one: an oversized body is refused by its name. */
  file?: { field: string; bytesMax: number };
  /** The body is either small or an array of rows of at most this size. */
  rowBytesMax?: number;
}

/** For a complete code (50 rules of 30 fields, 50 variants, 50 changes of a schedule, a style and its data) and for a form with 50 fields. */
const fieldsMax = 3_000;

const kilobyte = 2 ** 10;
const megabyte = 2 ** 20;

/** A picture of 5 MB in base64, whose slashes may be escaped. Parsing it blocks the event loop for 10 ms. */
const pictureLimit = { bytesMax: 8 * megabyte, partsMax: 100, fieldsMax };

/** Limits of bodies. Each operation declares one of these; a larger body is never parsed. */
export const bodyLimits = {
  /** Fields and short texts. */
  small: { bytesMax: 256 * kilobyte, partsMax: 2_000, fieldsMax },
  /** A complete code: a logo of 1 MB in base64, 50 rules with 249 countries each, 50 variants, a schedule. */
  code: { bytesMax: 5 * megabyte, partsMax: 50_000, fieldsMax },
  /**
   * A thousand rows with 50 rules each (760,000 parts), each no larger than the body of one code. Above 64 KB the rows
   * are parsed in batches (json-rows.ts). large-bodies.ts limits how many bodies are held at once.
   */
  bulk: {
    bytesMax: 25 * megabyte,
    partsMax: 1_000_000,
    fieldsMax,
    rowBytesMax: 5 * megabyte,
    // 50 rules with 249 countries each are 12,450.
    rowValuesMax: 20_000,
    rowsMax: bulkRowsMax,
  },
  /** A landing page: 12 buttons and 12 links with the longest URLs, in three-byte characters. */
  page: { bytesMax: 512 * kilobyte, partsMax: 2_000, fieldsMax },
  /** 50 links with the longest URLs and titles, every character escaped: 1.2 MB. */
  gs1Entry: { bytesMax: 2 * megabyte, partsMax: 10_000, fieldsMax },
  /** 50 fields with 100 options each. */
  form: { bytesMax: 4 * megabyte, partsMax: 20_000, fieldsMax },
  /**
   * 1,000 items with every field at its limit, each with 100 long tags or 360 short ones: 770,000 parts. Large ones are
   * parsed in a thread; what stays on the event loop, copies of some megabytes, takes 10 to 40 ms each.
   */
  menu: { bytesMax: 8 * megabyte, partsMax: 1_000_000, fieldsMax: 200_000 },
  image: { ...pictureLimit, partsMax: 20, file: { field: 'dataUrl', bytesMax: landingImageBytesMax } },
  /** A branding: a logo like a picture above, and texts whose every character may be escaped. */
  branding: { ...pictureLimit, file: { field: 'logo', bytesMax: landingImageBytesMax } },
  /** A domain with its branding. */
  domain: { ...pictureLimit, file: { field: 'branding.logo', bytesMax: landingImageBytesMax } },
  /** A batch of items, with the picture of its product. */
  batch: { ...pictureLimit, file: { field: 'productImage', bytesMax: landingImageBytesMax } },
  /** One code without a key: a logo of 1 MB, and nothing stored. */
  publicCode: { bytesMax: 2 * megabyte, partsMax: 2_000, fieldsMax },
  /** A message to a tool, with the body of a code or a page that a model wrote. */
  mcp: { bytesMax: megabyte, partsMax: 20_000, fieldsMax: 10_000 },
  /** A verification: more than any item and signature need with every character escaped. A redirector checks it. */
  serial: { bytesMax: serialBodyBytesMax, partsMax: 2_000, fieldsMax },
  /**
   * An event of a payment provider: at most 256 KB according to them. An invoice with ten lines has about 2,000 parts.
   */
  paymentEvent: { bytesMax: megabyte, partsMax: 50_000, fieldsMax: 25_000 },
} as const satisfies Record<string, BodyLimit>;

/** `256 KB`, `2 MB` */
export const sizeText = (bytes: number): string =>
  bytes >= megabyte ? `${bytes / megabyte} MB` : `${bytes / kilobyte} KB`;

/**
 * The parsed body. A missing Content-Type counts as JSON.
 * @throws {ClientError} BODY_TOO_LARGE, or INVALID_REQUEST if it is not JSON or has too much structure
 */
export const readJsonBody = async (request: IncomingMessage, limit: BodyLimit): Promise<unknown> =>
  parseJson((await readJsonText(request, limit)).bytes);

/** The schema of a body that the operation parses itself. */
export const rawBody = z
  .custom<Buffer>((given) => Buffer.isBuffer(given))
  .meta({ override: { type: 'object' } });

/** A body that is not yet parsed. */
export interface JsonText {
  bytes: Buffer;
  shape: JsonShape;
}

/** The body before its structure is checked. @throws {ClientError} BODY_TOO_LARGE */
export const readJsonBytes = async (request: IncomingMessage, limit: BodyLimit): Promise<Buffer> => {
  requireJson(request);
  return readBytes(request, limit);
};

/** @throws {ClientError} INVALID_REQUEST if it has too much structure */
export const jsonTextOf = async (bytes: Buffer, limit: BodyLimit): Promise<JsonText> => {
  if (isParsedInSteps(bytes, limit)) await inSteps(requireRows(bytes));
  const ofRows = limit.rowBytesMax !== undefined;
  return { bytes, shape: await inSteps(shapeSteps(bytes, { ...limit, ofRows })) };
};

/**
 * The body before it is parsed. @throws {ClientError} BODY_TOO_LARGE, or INVALID_REQUEST if it has too much structure
 */
export const readJsonText = async (request: IncomingMessage, limit: BodyLimit): Promise<JsonText> =>
  jsonTextOf(await readJsonBytes(request, limit), limit);

/** Rows up to this size are parsed at once. */
const atOnceBytesMax = 64 * kilobyte;

const isParsedInSteps = (bytes: Buffer, { rowBytesMax }: BodyLimit): boolean =>
  rowBytesMax !== undefined && bytes.length > atOnceBytesMax;

/** Checks only the beginning. @throws {ClientError} INVALID_REQUEST if no row begins there */
function* requireRows(bytes: Buffer): Generator<void, void> {
  const begin = yield* beginSteps(bytes);
  if (begin === bytes.length) throw emptyBody();
  if (!beginsAsRows(bytes, begin))
    throw new ClientError(
      'INVALID_REQUEST',
      `The body must be an array of rows, as it is larger than ${sizeText(atOnceBytesMax)}`,
    );
}

/** @throws {ClientError} INVALID_REQUEST, or BODY_TOO_LARGE if a row is too large */
export const parseJsonText = async ({ bytes, shape }: JsonText, limit: BodyLimit): Promise<unknown> => {
  const { rowBytesMax } = limit;
  if (rowBytesMax === undefined || !isParsedInSteps(bytes, limit)) return inSteps(parseSteps(bytes));
  const parse = (some: Buffer, place: string) => parseJson(some, ` (${place})`);
  return inSteps(rowSteps(bytes, shape, { rowBytesMax, rowSizeText: sizeText(rowBytesMax), parse }));
};

/** @param place where the text is in the body, in brackets @throws {ClientError} INVALID_REQUEST */
export const parseJson = (bytes: Buffer, place?: string): unknown => parsedText(decodeUtf8(bytes), place);

/** Decoding this many bytes takes at most 2 ms. */
const decodedAtOnce = 256 * kilobyte;

/** Parses in a step of its own: decoding four megabytes of Chinese text takes 20 ms, and parsing them 5 ms. */
function* parseSteps(bytes: Buffer): Generator<void, unknown> {
  if (bytes.length <= decodedAtOnce) return parseJson(bytes);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for (let at = 0; at < bytes.length; at += decodedAtOnce) {
    const some = bytes.subarray(at, at + decodedAtOnce);
    text += inUtf8(() => decoder.decode(some, { stream: true }));
    yield;
  }
  text += inUtf8(() => decoder.decode());
  const value = parsedText(text);
  yield;
  return value;
}

const parsedText = (text: string, place?: string): unknown => {
  if (/^\s*$/.test(text)) throw emptyBody();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ClientError('INVALID_REQUEST', `The body is not valid JSON${place ?? placeIn(cause)}`, {
      cause,
    });
  }
};

const emptyBody = (): ClientError =>
  new ClientError('INVALID_REQUEST', 'The body is empty, which is not valid JSON; send a JSON object');

/** Where the parser stopped. The rest of its message quotes the body, which may hold a password. */
const placeIn = (error: unknown): string => {
  const place = error instanceof Error ? /line \d+ column \d+/.exec(error.message)?.[0] : undefined;
  return place === undefined ? '' : ` (at ${place})`;
};

const requireJson = ({ headers }: IncomingMessage): void => {
  const type = headers['content-type'] ?? '';
  if (type !== '' && !/^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type)) {
    throw new ClientError('INVALID_REQUEST', `Content-Type must be application/json; given: ${quoted(type)}`);
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new ClientError(
      'INVALID_REQUEST',
      `Content-Type must be JSON in UTF-8; given: charset ${quoted(charset)}`,
    );
  }
  if (!['', 'identity'].includes(headers['content-encoding'] ?? '')) {
    throw new ClientError(
      'INVALID_REQUEST',
      `Content-Encoding must not be set: send the body as it is; given: ${quoted(headers['content-encoding'])}`,
    );
  }
};

const tooLarge = ({ bytesMax, file }: Pick<BodyLimit, 'bytesMax' | 'file'>, cause: unknown): ClientError =>
  file
    ? new ClientError('LIMIT_FILE_SIZE', `${file.field} must not be larger than ${sizeText(file.bytesMax)}`, {
        cause,
      })
    : new ClientError('BODY_TOO_LARGE', `The body must not be larger than ${sizeText(bytesMax)}`, { cause });

/** @throws {ClientError} BODY_TOO_LARGE or LIMIT_FILE_SIZE, or INVALID_REQUEST if the body breaks off */
export const readBytes = async (
  request: IncomingMessage,
  limit: Pick<BodyLimit, 'bytesMax' | 'file'>,
): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  const pauses = createBodyPauses(request);
  try {
    // By default getRawBody joins the chunks in one go.
    const collected = {
      write(chunk: Buffer) {
        chunks.push(chunk);
        pauses.arrived(chunk.length);
        return '';
      },
      end: () => undefined,
    };
    await getRawBody(request, {
      length: request.headers['content-length'] ?? null,
      limit: limit.bytesMax,
      encoding: 'buffer',
      decoder: () => collected,
    });
  } catch (cause) {
    if (cause instanceof ClientError) throw cause;
    const type = cause instanceof Error && 'type' in cause ? cause.type : undefined;
    if (type === 'entity.too.large') throw tooLarge(limit, cause);
    // The client disconnected or sent less than announced; it will hardly read the response.
    throw new ClientError('INVALID_REQUEST', 'The body could not be read', { cause });
  } finally {
    pauses.end();
  }
  return inSteps(joinSteps(chunks));
};

/**
 * Fresh memory is slow at first: joining 24 MB at once takes 4 to 140 ms, depending on the machine. A chunk has at most
 * 64 KB.
 */
function* joinSteps(chunks: readonly Buffer[]): Generator<void, Buffer> {
  if (chunks.length === 1) return chunks[0]!;
  const joined = Buffer.allocUnsafe(chunks.reduce((bytes, chunk) => bytes + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    at += chunk.copy(joined, at);
    yield;
  }
  return joined;
}

/**
 * At most this many bytes of the beginning of a body; the rest is received and dropped.
 * @throws {ClientError} INVALID_REQUEST if the body breaks off
 */
export const readBeginning = async (request: IncomingMessage, bytesMax: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= bytesMax) break;
    }
  } catch (cause) {
    throw new ClientError('INVALID_REQUEST', 'The body could not be read', { cause });
  }
  request.resume();
  return Buffer.concat(chunks).subarray(0, bytesMax);
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws {ClientError} INVALID_REQUEST */
export const decodeUtf8 = (bytes: Buffer): string => inUtf8(() => utf8.decode(bytes));

const inUtf8 = (decode: () => string): string => {
  try {
    return decode();
  } catch (cause) {
    throw new ClientError('INVALID_REQUEST', 'The body is not valid UTF-8', { cause });
  }
};
