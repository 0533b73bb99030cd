/**
 * Bodies of multipart/form-data (RFC 7578): one file, held in memory, and a few short fields. Every limit is checked
 * while the body arrives; after the first one exceeded, the rest is dropped.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { z } from 'zod';
import { ClientError } from '#shared/errors.ts';
import { quoted, shortened } from '#shared/quoted.ts';
import { sizeText } from './body.ts';
import { createBodyPauses } from './body-pauses.ts';

export interface MultipartLimit {
  /** Of the only file. */
  fileBytesMax: number;
  /** Of each other field. */
  fieldBytesMax: number;
  fieldsMax: number;
}

/** Limit for the headers of all parts and the lines between them. */
const linesBytesMax = 64 * 1024;

/** The size of the whole body. */
export const formBytesMax = ({ fileBytesMax, fieldBytesMax, fieldsMax }: MultipartLimit): number =>
  fileBytesMax + fieldsMax * fieldBytesMax + linesBytesMax;

/** A file of a form, kept in parts: fresh memory is slow, and joining ten megabytes blocked the event loop. */
export class UploadedFile {
  /** The client's name for it; it says nothing about the content. */
  readonly name: string;
  readonly parts: readonly Buffer[];
  readonly #sha256: string;

  constructor(name: string, parts: readonly Buffer[], sha256: string) {
    this.name = name;
    this.parts = parts;
    this.#sha256 = sha256;
  }

  /** Files with equal bytes are equal, also for idempotency keys. */
  toJSON(): { sha256: string } {
    return { sha256: this.#sha256 };
  }
}

/** The size of each part of a file except the last. */
const partBytes = 64 * 1024;

/** Copies a file into parts while it arrives: a form can bring it byte by byte, and no received chunk is kept. */
const createCollector = () => {
  const digest = createHash('sha256');
  const parts: Buffer[] = [];
  let part = Buffer.allocUnsafe(0);
  let used = 0;
  const endPart = (): void => {
    if (used === 0) return;
    const ended = part.subarray(0, used);
    digest.update(ended);
    parts.push(ended);
    used = 0;
  };
  return {
    add(chunk: Buffer): void {
      for (let at = 0; at < chunk.length; ) {
        if (used === 0) part = Buffer.allocUnsafeSlow(partBytes);
        const copied = chunk.copy(part, used, at);
        at += copied;
        used += copied;
        if (used === partBytes) endPart();
      }
    },
    end(name: string): UploadedFile {
      endPart();
      return new UploadedFile(name, parts, digest.digest('base64url'));
    },
  };
};

/** A form field that is a file. */
export const uploadedFile = z
  .custom<UploadedFile>((given) => given instanceof UploadedFile, {
    // An absent field gets the same message as any absent field.
    error: ({ input }) => (input === undefined ? undefined : 'must be a file; give its part a filename'),
  })
  .meta({ override: { type: 'string', contentMediaType: 'application/octet-stream' } });

/** Bytes of a field's name. */
const nameBytesMax = 64;
/** Headers of a part: three are known. */
const headerPairsMax = 8;
const headerBytesMax = 2_048;

const refuse = (message: string, cause?: unknown): ClientError =>
  new ClientError('INVALID_REQUEST', message, { cause });

const unreadable = (cause: unknown): ClientError =>
  refuse('The form could not be read: it is cut off, or damaged', cause);

const tooLargeFile = (field: string, bytesMax: number): ClientError =>
  new ClientError('LIMIT_FILE_SIZE', `${shortened(field)} must not be larger than ${sizeText(bytesMax)}`);

const tooLargeField = (field: string, bytesMax: number): ClientError =>
  new ClientError('BODY_TOO_LARGE', `${shortened(field)} must not be larger than ${sizeText(bytesMax)}`);

const parserOf = ({ headers }: IncomingMessage, limit: MultipartLimit): BusboyInstance => {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw refuse(`Content-Type must be multipart/form-data with a boundary; given: ${quoted(type)}`);
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': type },
      limits: {
        fieldNameSize: nameBytesMax,
        fieldSize: limit.fieldBytesMax,
        fields: limit.fieldsMax,
        // One more than allowed, so that a second file is seen.
        files: 2,
        fileSize: limit.fileBytesMax,
        parts: limit.fieldsMax + 2,
        headerPairs: headerPairsMax,
        headerSize: headerBytesMax,
      },
    });
  } catch (cause) {
    throw refuse('Content-Type must be multipart/form-data with a boundary', cause);
  }
};

type Fields = Record<string, string | UploadedFile>;

/** Follows the parts of a form as they arrive. @param fail takes the first refusal */
const followParts = (
  parser: BusboyInstance,
  limit: MultipartLimit,
  fail: (error: ClientError) => void,
): Map<string, string | UploadedFile> => {
  const fields = new Map<string, string | UploadedFile>();
  let files = 0;

  const put = (name: string, value: string | UploadedFile): void => {
    if (fields.has(name)) fail(refuse(`${shortened(name)} must be given once`));
    else fields.set(name, value);
  };

  parser.on('field', (name, value, nameTruncated, valueTruncated) => {
    if (nameTruncated) fail(refuse(`${shortened(name)} is not a known field`));
    else if (valueTruncated) fail(tooLargeField(name, limit.fieldBytesMax));
    else put(name, value);
  });
  parser.on('file', (name, stream, fileName) => {
    const file = createCollector();
    files++;
    if (files > 1) fail(refuse('The form must have one file; given: more than one'));
    stream.on('data', file.add);
    stream.on('limit', () => fail(tooLargeFile(name, limit.fileBytesMax)));
    stream.on('error', (cause: Error) => fail(unreadable(cause)));
    stream.on('end', () => {
      if (!stream.truncated) put(name, file.end(fileName ?? ''));
    });
  });
  for (const bound of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(bound, () =>
      fail(refuse(`The form must have at most ${limit.fieldsMax} fields beside its file`)),
    );
  return fields;
};

/**
 * The fields of the form, including the file.
 * @throws {ClientError} INVALID_REQUEST for another type of body, or if the form ends early or has too many parts;
 * LIMIT_FILE_SIZE; BODY_TOO_LARGE if a field is too long
 */
export const readMultipartBody = async (request: IncomingMessage, limit: MultipartLimit): Promise<Fields> => {
  const parser = parserOf(request, limit);
  if (Number(request.headers['content-length'] ?? 0) > formBytesMax(limit))
    throw tooLargeFile('file', limit.fileBytesMax);
  // It says so once: a reader that starts later would wait forever.
  if (request.destroyed) throw unreadable('the connection was closed');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fields = followParts(parser, limit, reject);
  const pauses = createBodyPauses(request);
  const onData = (chunk: Buffer): void => {
    // All that is written is parsed at once; waiting for the parser would end the pause early.
    parser.write(chunk);
    pauses.arrived(chunk.length);
  };
  const onEnd = (): void => {
    parser.end();
  };
  // `close` also fires after everything has arrived.
  const onClose = (): void => {
    if (!request.complete) reject(unreadable('the connection was closed'));
  };
  parser.on('error', (cause) => reject(unreadable(cause)));
  parser.on('finish', resolve);
  request.on('error', reject).on('close', onClose).on('data', onData).on('end', onEnd);
  try {
    await promise;
  } finally {
    pauses.end();
    // After a refusal nothing more is read; Node discards the rest of the body once the response is sent.
    request.off('error', reject).off('close', onClose).off('data', onData).off('end', onEnd).pause();
  }
  return Object.fromEntries(fields);
};
