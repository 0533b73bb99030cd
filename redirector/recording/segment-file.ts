/**
 * The file of the open segment. Every operation runs in libuv's pool, with callbacks instead of promises, because every
 * scan goes through it. The caller has one write under way at a time.
 */
import fs from 'node:fs';
import type { spoolSyncModes } from '#shared/config.ts';

/**
 * When written scans are synced to disk:
 *
 *   none      never: they survive the end of the process, not a power loss
 *   interval  regularly; a power loss costs the scans answered since the last sync
 *   always    before the write completes and the scan is answered
 */
export type SyncMode = (typeof spoolSyncModes)[number];

type Done = (error: Error | null) => void;

export interface SegmentFile {
  readonly path: string;
  /** Appends; the first write creates the file. After an error the file must not be written to again. */
  write(bytes: Uint8Array, done: Done): void;
  /** Syncs everything written so far to disk, and the file's entry in its folder. */
  sync(): Promise<void>;
  /** Whether some of the written data is not synced yet. */
  readonly unsynced: boolean;
  /**
   * Has the file cut after `bytes()` when it is closed, before the rest can be recovered.
   * @param bytes called at that time
   */
  cutAt(bytes: () => number): void;
  /** Closes the file once, even if the cut fails. */
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
 * @param folder a descriptor of the folder, which is synced once per file
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
