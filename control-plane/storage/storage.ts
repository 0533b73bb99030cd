/**
 * Storage of files under keys: pictures, zips. One interface for a folder and for a bucket, chosen by STORAGE_URL. What is
 * stored is seen whole or not at all, by every process that has the same storage.
 */
import type { Readable } from 'node:stream';
import type { Closeable } from '#shared/lifecycle.ts';

/** Bytes from `first` to `last`, both included and counted from 0. */
export interface ByteRange {
  first: number;
  last: number;
}

/** A file as it was when it was asked for. */
export interface StoredFile {
  /** In bytes. */
  size: number;
  /** A strong entity tag (RFC 9110, 8.8.3), in quotes: another one whenever the bytes are others. */
  etag: string;
  /**
   * Its bytes, or those of a range of it. The stream fails where the storage does; it is never short.
   * @throws {StorageFailure} also where the file was replaced or removed meanwhile
   */
  read(range?: ByteRange): Promise<Readable>;
}

export interface ListedFile {
  key: string;
  /** When it was stored, by the clock of the storage. */
  storedAt: Date;
}

export interface Storage extends Closeable {
  /**
   * Stores all that a source yields, in place of what the key has. Where the source or the storage fails, the key has what it had.
   * @param key see {@link checkKey}
   * @param source not a stream: it begins when it is asked for bytes, so that one that is not begun has nothing to close. One that is
   *   begun is ended
   * @throws {StorageFailure}, or what the source throws
   */
  put(key: string, source: AsyncGenerator<Uint8Array>): Promise<void>;
  /** @returns undefined where the key has nothing @throws {StorageFailure} */
  get(key: string): Promise<StoredFile | undefined>;
  /** Removes what the key has, if anything. @throws {StorageFailure} */
  remove(key: string): Promise<void>;
  /**
   * All files whose keys begin with a prefix, in no order; those that are stored or removed meanwhile may be missing.
   * @param prefix ends with `/`
   * @throws {StorageFailure}
   */
  list(prefix: string): AsyncIterable<ListedFile>;
  /** Removes what processes that were killed have left half stored. */
  sweep(): Promise<void>;
  /** Resolves where files can be stored. @throws {StorageFailure} */
  check(): Promise<void>;
}

export const failureReasons = ['full', 'refused', 'away', 'changed'] as const;
/**
 * - `full`: it has no room
 * - `refused`: it does not allow it
 * - `away`: it does not answer, not in time, or with an error of its own
 * - `changed`: the file is not the one any more that was asked for
 */
export type FailureReason = (typeof failureReasons)[number];

const messages: Readonly<Record<FailureReason, string>> = {
  full: 'The storage (STORAGE_URL) has no room left',
  refused: 'The storage (STORAGE_URL) does not allow it',
  away: 'The storage (STORAGE_URL) does not work',
  changed: 'The stored file was replaced or removed meanwhile',
};

/** A failure of the storage, and of nobody who uses it: a later try may succeed. */
export class StorageFailure extends Error {
  override name = 'StorageFailure';
  readonly reason: FailureReason;

  /** @param detail what happened, without secrets */
  constructor(reason: FailureReason, detail: string, options?: { cause?: unknown }) {
    super(`${messages[reason]}: ${detail}`, options);
    this.reason = reason;
  }
}

const keyLengthMax = 400;
const keyParts = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}(\/[A-Za-z0-9][A-Za-z0-9._-]{0,99})*$/;

/**
 * Keys are paths of letters, digits, `.`, `_` and `-`; no part begins with a dot. Whoever makes one of what a client sent is at fault.
 * @throws {Error} for any other key
 */
export const checkKey = (key: string): void => {
  if (key.length > keyLengthMax || !keyParts.test(key))
    throw new Error(`${JSON.stringify(key.slice(0, keyLengthMax))} is no key of the storage`);
};

/** @throws {Error} for a prefix that is not a part of keys */
export const checkPrefix = (prefix: string): void => {
  if (!prefix.endsWith('/')) throw new Error(`the prefix ${JSON.stringify(prefix)} must end with "/"`);
  checkKey(prefix.slice(0, -1));
};
