/**
 * The files of a backup, and the list of them with their checksums: `contents.ndjson`, a line each. All are streams: neither a file
 * nor the list is ever in memory.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { VerbFailure } from '../../framework/verb.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { Manifest } from './place.ts';

const listKey = 'contents.ndjson';

const contentLine = z.object({ key: z.string(), bytes: z.number(), sha256: z.string() });
export type Content = z.infer<typeof contentLine>;

/** Stores a file of the backup. @throws the source's error, or {VerbFailure} if the place fails */
export const putContent = async (
  place: Storage,
  key: string,
  source: AsyncIterable<Uint8Array>,
): Promise<Content> => {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  await place.put(key, counted());
  return { key, bytes, sha256: hash.digest('hex') };
};

/** Stores the list of the files while they are stored. */
export const putContents = async (
  place: Storage,
  contents: AsyncIterable<Content>,
): Promise<Manifest['contents']> => {
  let [files, bytesOfFiles] = [0, 0];
  async function* lines(): AsyncGenerator<Buffer> {
    for await (const content of contents) {
      files++;
      bytesOfFiles += content.bytes;
      yield Buffer.from(`${JSON.stringify(content)}\n`);
    }
  }
  const { bytes, sha256 } = await putContent(place, listKey, lines());
  return { bytes, sha256, files, bytesOfFiles };
};

const damaged = (key: string, how: string): VerbFailure =>
  new VerbFailure(`${key} of the backup ${how}: it was changed or is damaged`);

/**
 * The bytes of a file. The last of them come only once the checksum is right, so that no reader takes a wrong file for a whole one.
 * @throws {VerbFailure} if it is not as it was stored
 */
export async function* readContent(place: Storage, content: Content): AsyncGenerator<Uint8Array> {
  const file = await place.get(content.key);
  if (!file) throw damaged(content.key, 'is missing');
  if (file.size !== content.bytes)
    throw damaged(content.key, `has ${file.size} bytes instead of ${content.bytes}`);
  const hash = createHash('sha256');
  let held: Uint8Array | undefined;
  if (file.size > 0)
    for await (const chunk of await file.read()) {
      if (held) yield held;
      hash.update(chunk);
      held = chunk;
    }
  if (hash.digest('hex') !== content.sha256) throw damaged(content.key, 'has another checksum');
  if (held) yield held;
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** The files that the backup lists. @throws {VerbFailure} if the list is not as it was stored */
export async function* readContents(place: Storage, { contents }: Manifest): AsyncGenerator<Content> {
  for await (const line of linesOf(readContent(place, { key: listKey, ...contents })))
    yield contentLine.parse(JSON.parse(line));
}

const readToEnd = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const _ of chunks);
};

/** Reads every file to its end. @throws {VerbFailure} naming the first one that is not as it was stored */
export const checkContents = async (place: Storage, manifest: Manifest): Promise<void> => {
  await readToEnd(readContent(place, { key: listKey, ...manifest.contents }));
  for await (const content of readContents(place, manifest)) await readToEnd(readContent(place, content));
};
