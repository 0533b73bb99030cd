/** The storage that STORAGE_URL names, with its failures counted. */
import type { StorageSettings } from '#shared/config/storage-url.ts';
import { createFileStorage } from './file/file-storage.ts';
import { createS3Storage } from './s3/s3-storage.ts';
import { type FailureReason, type Storage, StorageFailure } from './storage.ts';

export interface StorageOptions {
  /** Called for each failure, except failures in mid-stream, which belong to the stream's reader. */
  onFailure(reason: FailureReason): void;
}

/** Connects to nothing and creates no folder before something is stored. */
export const openStorage = (settings: StorageSettings, { onFailure }: StorageOptions): Storage => {
  const storage = settings.kind === 'file' ? createFileStorage(settings.folder) : createS3Storage(settings);

  const counted = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      if (error instanceof StorageFailure) onFailure(error.reason);
      throw error;
    }
  };

  return {
    ...storage,
    put: (key, source) => counted(storage.put(key, source)),
    get: (key) => counted(storage.get(key)),
    remove: (key) => counted(storage.remove(key)),
    sweep: () => counted(storage.sweep()),
    check: () => counted(storage.check()),
  };
};
