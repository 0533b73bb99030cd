/**
 * Everything about segment files except the writes: creation, sync, close, delete. All but creation go through the disk
 * queue, and a failed close is retried.
 */
import fs from 'node:fs/promises';
import type { Logger } from '#shared/logger.ts';
import type { DiskQueue } from '../instance/disk-queue.ts';
import { createSegmentFile, type SegmentFile, type SyncMode } from './segment-file.ts';
import type { WriteLog } from './write-log.ts';

export interface SegmentFilesOptions {
  folder: string;
  /** A descriptor of the folder, for syncing it. */
  folderDescriptor: number;
  sync: SyncMode;
}

export interface SegmentFiles {
  /** The first write creates the file. */
  create(path: string): SegmentFile;
  /** Appends to a file without a write under way, and syncs it as `sync` says. One operation of the disk queue. */
  store(path: string, bytes: Buffer): Promise<void>;
  /** Syncs the written data to disk, unless a sync is under way; failures are counted. */
  sync(file: SegmentFile | undefined): Promise<void>;
  /** With `interval`, syncs unsynced data first. */
  close(file: SegmentFile): void;
  delete(file: SegmentFile): void;
  /** Retries failed closes. */
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
      if (syncFailures++ === 0) logger.error({ err: error, folder }, 'could not sync the spool to disk');
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
