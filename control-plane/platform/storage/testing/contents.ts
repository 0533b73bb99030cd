/** Contents that tests store and read back. */
import { randomBytes } from 'node:crypto';
import { setImmediate as nextIteration } from 'node:timers/promises';
import type { ByteRange, Storage } from '../storage.ts';

/** Chunks of bytes, one per iteration of the event loop; at the end a failure, if given. */
export async function* chunksOf(bytes: Buffer, chunkBytes: number, failure?: Error): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    await nextIteration();
    yield bytes.subarray(at, at + chunkBytes);
  }
  if (failure) throw failure;
}

export const put = (storage: Storage, key: string, text: string): Promise<void> =>
  storage.put(key, chunksOf(Buffer.from(text), 7));

/** The bytes of a key; undefined if it has none. */
export const contentsOf = async (
  storage: Storage,
  key: string,
  range?: ByteRange,
): Promise<Buffer | undefined> => {
  const file = await storage.get(key);
  if (!file) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of await file.read(range)) chunks.push(chunk);
  return Buffer.concat(chunks);
};

export const textOf = async (storage: Storage, key: string): Promise<string | undefined> =>
  (await contentsOf(storage, key))?.toString();

export const keysOf = async (storage: Storage, prefix: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys.sort();
};

export const noise = (bytes: number): Buffer => randomBytes(bytes);
