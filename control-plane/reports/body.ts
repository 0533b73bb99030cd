/** The body of a segment: lines of JSON, plain or compressed. */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { ClientError, hasCode } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import { readBytes, sizeText } from '../api/http/body.ts';
import { followArrival } from '../api/http/body-arrival.ts';

/** Compressed or not. Twice the maximum that a redirector puts into a segment. */
export const segmentBytesMax = 32 * 2 ** 20;

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decompressions: Readonly<Record<string, Decompress>> = {
  '': async (bytes) => bytes,
  identity: async (bytes) => bytes,
  gzip: promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  zstd: promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress),
};

const tooLarge = (cause: unknown): ClientError =>
  new ClientError('BODY_TOO_LARGE', `The segment must not be larger than ${sizeText(segmentBytesMax)}`, {
    cause,
  });

/** A segment as received. */
export interface ReceivedSegment {
  /** @throws {ClientError} BODY_TOO_LARGE, or INVALID_REQUEST if the body does not match its Content-Encoding */
  decompress(): Promise<Buffer>;
}

/** The minimum rate of a body is checked once in this time. */
const windowMs = 5_000;

/**
 * @throws {ClientError} UNSUPPORTED_MEDIA_TYPE for another Content-Encoding, BODY_TOO_LARGE, REQUEST_TIMEOUT if the
 * body arrives too slowly, or INVALID_REQUEST if it breaks off
 */
export const receiveSegment = async (request: IncomingMessage): Promise<ReceivedSegment> => {
  const coding = request.headers['content-encoding'] ?? '';
  const decompress = Object.hasOwn(decompressions, coding) ? decompressions[coding] : undefined;
  if (!decompress) {
    throw new ClientError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Content-Encoding must be gzip, zstd or identity; given: ${quoted(coding)}`,
    );
  }
  const ended = followArrival(request, { onArrived: () => undefined, isTimed: () => true, windowMs });
  const bytes = await readBytes(request, { bytesMax: segmentBytesMax }).finally(ended);
  return {
    async decompress() {
      try {
        return await decompress(bytes, { maxOutputLength: segmentBytesMax });
      } catch (cause) {
        if (hasCode(cause, 'ERR_BUFFER_TOO_LARGE')) throw tooLarge(cause);
        throw new ClientError('INVALID_REQUEST', `The body is not ${coding}`, { cause });
      }
    },
  };
};
