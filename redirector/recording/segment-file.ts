/**
 * The file of the open segment. Every operation runs in libuv's pool, with callbacks rather than promises, since this is under
 * every scan. The caller has one write under way at a time.
 */
import fs from 'node:fs';
import type { spoolSyncModes } from '#shared/config.ts';

/**
 * When written scans are forced to the disk:
 *
 *   none      never: they survive the end of the process, not a loss of power
 *   interval  regularly; a loss of power costs the scans that were answered since the last time
 *   always    before the write is done, and the scan answered
 */
export type SyncMode = (typeof spoolSyncModes)[number];

type Done = (error: Error | null) => void;

export interface SegmentFile {
  readonly path: string;
  /** Appends; the file is created by the first write. After an error the file must not be written to again. */
  write(bytes: Uint8Array, done: Done): void;
  /** Forces everything written so far to the disk, and the file's entry in its folder. */
  sync(): Promise<void>;
  /** Whether anything written is not forced to the disk yet. */
  readonly unsynced: boolean;
  /** Has the bytes from here on cut off when the file is closed, before anybody can recover them. @param bytes asked for then */
  cutAt(bytes: () => number): void;
  /** Closes it once, also where the cut fails. */
  close(): Promise<void>;
}

const writeAll = (fd: number, bytes: Uint8Array, from: number, done: Done): void => {
  fs.write(fd, bytes, from, bytes.length - from, null, (error, written) => {
    if (error) done(error);
    else if (from + written < bytes.length) writeAll(fd, bytes, from + written, done);
    else done(null);
  });
};

const promised = (start: (done: Done) => void): Promise<void> =>
  new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));

/**
 * @param folder a descriptor of the folder, which is synced once for each file
 * @param mode `always` syncs in `write`; the other modes leave it to the caller
 */
export const createSegmentFile = (path: string, folder: number, mode: SyncMode): SegmentFile => {
  let fd: number | undefined;
  let folderSynced = false;
  let unsynced = false;
  let cutAtBytes: (() => number) | undefined;

  const cut = (opened: number, done: Done): void =>
    cutAtBytes === undefined ? done(null) : fs.ftruncate(opened, cutAtBytes(), done);

  const syncFolder = (done: Done): void => {
    if (folderSynced) return done(null);
    fs.fsync(folder, (error) => {
      folderSynced = !error;
      done(error);
    });
  };

  const sync = (opened: number, done: Done): void => {
    unsynced = false;
    fs.fdatasync(opened, (error) => {
      if (!error) return syncFolder(done);
      unsynced = true;
      done(error);
    });
  };

  const writeTo = (opened: number, bytes: Uint8Array, done: Done): void =>
    writeAll(opened, bytes, 0, (error) => {
      unsynced = true;
      if (error || mode !== 'always') done(error);
      else sync(opened, done);
    });

  return {
    path,
    write(bytes, done) {
      if (fd !== undefined) return writeTo(fd, bytes, done);
      // Appending needs no position; the name is new, so the file is empty.
      fs.open(path, 'a', 0o600, (error, opened) => {
        if (error) return done(error);
        fd = opened;
        writeTo(opened, bytes, done);
      });
    },
    sync: () => promised((done) => (fd === undefined ? done(null) : sync(fd, done))),
    get unsynced() {
      return unsynced;
    },
    cutAt(bytes) {
      cutAtBytes = bytes;
    },
    close: () =>
      promised((done) => {
        if (fd === undefined) return done(null);
        const closing = fd;
        fd = undefined;
        cut(closing, (error) => fs.close(closing, (closeError) => done(error ?? closeError)));
      }),
  };
};
