/**
 * Storage of files under keys: pictures, zips. One interface for a folder and for a bucket, chosen by STORAGE_URL.
 * Every process that uses the same storage sees a stored file entirely or not at all.
 */
import type { Readable } from 'node:stream';
import type { Closeable } from '#shared/lifecycle.ts';

/** Bytes from `first` to `last`, inclusive, counted from 0. */
export interface ByteRange {
  first: number;
  last: number;
}

/** A file as it was when requested. */
export interface StoredFile {
  /** In bytes. */
  size: number;
  /** A strong entity tag (RFC 9110, 8.8.3), in quotes; it changes whenever the bytes do. */
  etag: string;
  /**
   * All of its bytes, or a range. The stream fails if the storage does; it is never short.
   * @throws {StorageFailure} also if the file was replaced or removed meanwhile
   */
  read(range?: ByteRange): Promise<Readable>;
}

export interface ListedFile {
  key: string;
  /** When it was stored, by the storage's clock. */
  storedAt: Date;
}

export interface Storage extends Closeable {
  /**
   * Stores everything that a source yields, replacing the key's content. If the source or the storage fails, the key
   * keeps its content.
   * @param key see {@link checkKey}
   * @param source a generator, not a stream: it begins only when asked for bytes, so if it was not begun there is
   * nothing to close. If it was begun, it is ended
   * @throws {StorageFailure}, or the source's error
   */
  put(key: string, source: AsyncGenerator<Uint8Array>): Promise<void>;
  /** @returns undefined if the key has no content @throws {StorageFailure} */
  get(key: string): Promise<StoredFile | undefined>;
  /** Removes the key's content, if any. @throws {StorageFailure} */
  remove(key: string): Promise<void>;
  /**
   * All files whose keys begin with a prefix, in no order; files stored or removed meanwhile may be missing.
   * @param prefix ends with `/`; default: all files
   * @throws {StorageFailure}
   */
  list(prefix?: string): AsyncIterable<ListedFile>;
  /** Removes half-stored files that killed processes left. */
  sweep(): Promise<void>;
  /** Resolves if files can be stored. @throws {StorageFailure} */
  check(): Promise<void>;
}

export const failureReasons = ['full', 'refused', 'away', 'changed'] as const;
/**
 * - `full`: it has no room
 * - `refused`: it does not permit it
 * - `away`: it does not answer, or not in time, or with an error of its own
 * - `changed`: the file is no longer the requested one
 */
export type FailureReason = (typeof failureReasons)[number];

const messages: Readonly<Record<FailureReason, string>> = {
  full: 'The storage (STORAGE_URL) has no room left',
  refused: 'The storage (STORAGE_URL) does not allow it',
  away: 'The storage (STORAGE_URL) does not work',
  changed: 'The stored file was replaced or removed meanwhile',
};

/** A failure of the storage, not of its user: a later attempt may succeed. */
export class StorageFailure extends Error {
  override name = 'StorageFailure';
  readonly reason: FailureReason;

  /** @param detail the cause, without secrets */
  constructor(reason: FailureReason, detail: string, options?: { cause?: unknown }) {
    super(`${messages[reason]}: ${detail}`, options);
    this.reason = reason;
  }
}

const keyLengthMax = 400;
const keyParts = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}(\/[A-Za-z0-9][A-Za-z0-9._-]{0,99})*$/;

/** Whether a text is a key: others may keep their own files where the storage is. */
export const isKey = (text: string): boolean => text.length <= keyLengthMax && keyParts.test(text);

/**
 * Keys are paths of letters, digits, `.`, `_` and `-`; no part begins with a dot. Callers must not build keys from
 * client input.
 * @throws {Error} for any other key
 */
export const checkKey = (key: string): void => {
  if (!isKey(key)) throw new Error(`${JSON.stringify(key.slice(0, keyLengthMax))} is not a storage key`);
};

/** @throws {Error} if a prefix cannot begin a key */
export const checkPrefix = (prefix: string): void => {
  if (!prefix.endsWith('/')) throw new Error(`the prefix ${JSON.stringify(prefix)} must end with "/"`);
  checkKey(prefix.slice(0, -1));
};
