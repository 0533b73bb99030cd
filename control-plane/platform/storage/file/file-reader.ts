/** Reads a file of the storage, or a range of it. */
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pulledStream } from '../pulled-stream.ts';
import { type ByteRange, StorageFailure } from '../storage.ts';
import { ifThere, within } from './failures.ts';

const chunkBytes = 256 * 1024;

/**
 * Every file is written as a new one and moved to its place, so other bytes mean another inode and another time of
 * change.
 */
export const etagOf = ({ ino, size, mtimeNs }: BigIntStats): string =>
  `"${[ino, size, mtimeNs].map((part) => part.toString(36)).join('-')}"`;

/** The bytes of an open file, which is closed with the stream. */
const streamOf = (handle: FileHandle, { first, last }: ByteRange): Readable => {
  let position = first;
  const readNext = async (): Promise<Buffer | null> => {
    const wanted = Math.min(chunkBytes, last + 1 - position);
    if (wanted <= 0) return null;
    const { buffer, bytesRead } = await within(handle.read(Buffer.allocUnsafe(wanted), 0, wanted, position));
    if (bytesRead === 0) throw new StorageFailure('changed', 'it is shorter now');
    position += bytesRead;
    return buffer.subarray(0, bytesRead);
  };
  return pulledStream(readNext, () => within(handle.close()));
};

/** @throws {StorageFailure} if the file does not have this entity tag */
export const readFile = async (file: string, etag: string, range: ByteRange): Promise<Readable> => {
  const handle = await ifThere(within(open(file, 'r')));
  if (!handle) throw new StorageFailure('changed', 'it is gone');
  try {
    const now = etagOf(await within(handle.stat({ bigint: true })));
    if (now !== etag) throw new StorageFailure('changed', 'there is another one in its place');
    return streamOf(handle, range);
  } catch (error) {
    await within(handle.close());
    throw error;
  }
};
