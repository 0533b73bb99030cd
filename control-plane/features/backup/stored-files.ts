/** The storage in a backup: its files, one after the other. */
import { VerbFailure } from '../../framework/verb.ts';
import { type Storage, StorageFailure } from '../../platform/storage/storage.ts';
import { type Content, putContent, readContent } from './contents.ts';

const folder = 'storage/';
const triesMax = 3;

export const isStoredFile = ({ key }: Content): boolean => key.startsWith(folder);

/** A file of the storage, copied once. @returns undefined if it is gone or changes meanwhile */
const copyOnce = async (storage: Storage, place: Storage, key: string): Promise<Content | undefined> => {
  const file = await storage.get(key);
  if (!file) return undefined;
  let hasChanged = false;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      if (file!.size > 0) yield* await file!.read();
    } catch (error) {
      hasChanged = error instanceof StorageFailure && error.reason === 'changed';
      // Not one of the place, which would be named otherwise.
      throw error instanceof StorageFailure ? new VerbFailure(error.message, { cause: error }) : error;
    }
  }
  try {
    return await putContent(place, folder + key, bytes());
  } catch (error) {
    if (hasChanged) return undefined;
    throw error;
  }
};

/** Copies every file into the backup. Files that are removed meanwhile are left out: no row names them any more. */
export async function* backUpFiles(storage: Storage, place: Storage): AsyncGenerator<Content> {
  for await (const { key } of storage.list()) {
    for (let tries = 1; tries <= triesMax; tries++) {
      const content = await copyOnce(storage, place, key);
      if (content) {
        yield content;
        break;
      }
    }
  }
}

export const restoreFile = (place: Storage, storage: Storage, content: Content): Promise<void> =>
  storage.put(content.key.slice(folder.length), readContent(place, content));
