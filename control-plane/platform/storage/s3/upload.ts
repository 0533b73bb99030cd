/** Stores a source in a bucket: in one request if it is small, else in parts. Memory holds one part. */
import type { S3mini, UploadPart } from 's3mini';
import { StorageFailure } from '../storage.ts';
import { asked } from './failures.ts';

/** A part has at least 5 MiB, and a file at most 10,000 parts: with this size 78 GiB. */
const partBytes = 8 * 2 ** 20;

/** All bytes of the source, in parts of equal size except the last; at least one part. */
async function* partsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    let rest = chunk;
    while (bytes + rest.length > partBytes) {
      const end = partBytes - bytes;
      yield Buffer.concat([...chunks, rest.subarray(0, end)]);
      rest = rest.subarray(end);
      chunks = [];
      bytes = 0;
    }
    chunks.push(rest);
    bytes += rest.length;
  }
  yield Buffer.concat(chunks);
}

const uploadParts = async (
  s3: S3mini,
  key: string,
  uploadId: string,
  parts: AsyncIterable<Buffer>,
): Promise<void> => {
  const uploaded: UploadPart[] = [];
  for await (const part of parts)
    uploaded.push(await asked(s3.uploadPart(key, uploadId, part, uploaded.length + 1)));
  const { etag } = await asked(s3.completeMultipartUpload(key, uploadId, uploaded));
  // An error may come with status 200, since the response begins before the parts are assembled.
  if (!etag) throw new StorageFailure('away', 'its service did not put the parts together');
};

async function* joined(first: Buffer, second: Buffer, others: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield second;
  yield* others;
}

/** If it fails, nothing is stored. */
const uploadLarge = async (s3: S3mini, key: string, parts: AsyncIterable<Buffer>): Promise<void> => {
  const uploadId = await asked(s3.getMultipartUploadId(key));
  try {
    await uploadParts(s3, key, uploadId, parts);
  } catch (error) {
    // If this fails, too, the bucket's rule for incomplete uploads removes the parts (deploy/README.md).
    await s3.abortMultipartUpload(key, uploadId).catch(() => undefined);
    throw error;
  }
};

/** @throws {StorageFailure}, or the source's error; then nothing is stored */
export const upload = async (s3: S3mini, key: string, source: AsyncIterable<Uint8Array>): Promise<void> => {
  const parts = partsOf(source);
  try {
    const first = (await parts.next()).value ?? Buffer.alloc(0);
    const second = await parts.next();
    if (second.done) await asked(s3.putObject(key, first));
    else await uploadLarge(s3, key, joined(first, second.value, parts));
  } finally {
    // The source is also ended if the service fails before all of it was read.
    await parts.return(undefined);
  }
};
