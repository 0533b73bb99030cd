/** Reads a file of a bucket, or a range of it. */
import type { Readable } from 'node:stream';
import type { S3mini } from 's3mini';
import { pulledStream } from '../pulled-stream.ts';
import { type ByteRange, StorageFailure } from '../storage.ts';
import { asked } from './failures.ts';

const streamOf = (body: ReadableStream<Uint8Array>): Readable => {
  const reader = body.getReader();
  const next = async () => {
    const { done, value } = await asked(reader.read());
    return done ? null : value;
  };
  // A failed read cannot be cancelled, and need not be.
  return pulledStream(next, () => reader.cancel().catch(() => undefined));
};

/** Some services ignore headers that they do not know, such as a range. */
const checkAnswer = (headers: Headers, etag: string, range: ByteRange | undefined, size: number): void => {
  if (headers.get('etag')?.replaceAll('"', '') !== etag)
    throw new StorageFailure('changed', 'there is another one in its place');
  const wanted = range && `bytes ${range.first}-${range.last}/${size}`;
  if (wanted !== undefined && headers.get('content-range') !== wanted)
    throw new StorageFailure('away', `its service did not answer with the range ${wanted}`);
};

/**
 * @param file its entity tag is without quotes
 * @throws {StorageFailure} if the file does not have this entity tag
 */
export const download = async (
  s3: S3mini,
  key: string,
  { etag, size }: { etag: string; size: number },
  range?: ByteRange,
): Promise<Readable> => {
  const condition = { 'if-match': `"${etag}"` };
  const { headers, body } = await asked(
    range
      ? s3.getObjectRaw(key, false, range.first, range.last + 1, condition)
      : s3.getObjectRaw(key, true, 0, undefined, condition),
  );
  const stream = streamOf(body ?? new ReadableStream({ start: (controller) => controller.close() }));
  try {
    checkAnswer(headers, etag, range, size);
    return stream;
  } catch (error) {
    stream.destroy();
    throw error;
  }
};
