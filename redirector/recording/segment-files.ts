/**
 * The files of segments, beside the writes to them: created, synced, closed and deleted. All of it but the creation goes
 * through the disk queue, and a file that cannot be closed is closed later.
 */
import fs from 'node:fs/promises';
import type { Logger } from '#shared/logger.ts';
import type { DiskQueue } from '../instance/disk-queue.ts';
import { createSegmentFile, type SegmentFile, type SyncMode } from './segment-file.ts';
import type { WriteLog } from './write-log.ts';

export interface SegmentFilesOptions {
  folder: string;
  /** A descriptor of the folder, to sync it. */
  folderDescriptor: number;
  sync: SyncMode;
}

export interface SegmentFiles {
  /** The first write creates the file. */
  create(path: string): SegmentFile;
  /** Appends to a file of which no write is under way, and forces it to the disk as `sync` says. One operation of the disk queue. */
  store(path: string, bytes: Buffer): Promise<void>;
  /** Forces what is written to the disk, unless that is under way; a failure is counted. */
  sync(file: SegmentFile | undefined): Promise<void>;
  /** With `interval`, what is not on the disk yet is forced there first. */
  close(file: SegmentFile): void;
  delete(file: SegmentFile): void;
  /** Closes files that could not be closed before. */
  retry(): void;
  readonly syncFailures: number;
}

export const createSegmentFiles = (
  { folder, folderDescriptor, sync: mode }: SegmentFilesOptions,
  diskQueue: DiskQueue,
  writeLog: WriteLog,
  logger: Logger,
): SegmentFiles => {
  const unclosed = new Set<SegmentFile>();
  let syncFailures = 0;
  let syncing = false;

  const create = (path: string): SegmentFile => createSegmentFile(path, folderDescriptor, mode);

  const force = async (file: SegmentFile): Promise<void> => {
    try {
      await diskQueue.run(() => file.sync());
    } catch (error) {
      if (syncFailures++ === 0) logger.error({ err: error, folder }, 'spool cannot be forced to the disk');
    }
  };

  const close = async (file: SegmentFile): Promise<void> => {
    unclosed.delete(file);
    if (mode === 'interval' && file.unsynced) await force(file);
    try {
      await diskQueue.run(() => file.close());
    } catch (error) {
      unclosed.add(file);
      writeLog.failed(error);
    }
  };

  return {
    create,
    async store(path, bytes) {
      const file = create(path);
      try {
        await new Promise<void>((resolve, reject) =>
          file.write(bytes, (error) => (error ? reject(error) : resolve())),
        );
        if (mode === 'interval') await file.sync();
      } finally {
        await file.close();
      }
    },
    async sync(file) {
      if (syncing || !file?.unsynced) return;
      syncing = true;
      await force(file);
      syncing = false;
    },
    close: (file) => void close(file),
    delete({ path }) {
      diskQueue.run(() => fs.rm(path, { force: true })).catch(writeLog.failed);
    },
    retry() {
      for (const file of unclosed) void close(file);
    },
    get syncFailures() {
      return syncFailures;
    },
  };
};
