/**
 * Orphaned folders: state folders of dead processes that no process has taken over, for example after a start with
 * fewer workers. A folder that is found is held, with its spool open, until it is given back.
 *
 * A folder that cannot be opened is counted, and the others are taken. While the disk hangs there is no search, because
 * locks are opened on the event loop.
 */
import fs from 'node:fs/promises';
import type { Logger } from '#shared/logger.ts';
import type { DiskQueue } from '../instance/disk-queue.ts';
import { listFolders, type StateFolder, takeFolder } from '../instance/state-folder.ts';
import { giveBack } from './open-spools.ts';
import type { Spool } from './spool.ts';

export interface OrphanFolderOptions {
  dataDir: string;
  runtimeDir: string;
  /** Folders of processes that are restarting; undefined while a search is not allowed. */
  reserved(): ReadonlySet<string> | undefined;
  /** Called when a folder is empty, before it is given back, so that no process waits for its lines. */
  announce(): Promise<unknown>;
}

export interface Orphan {
  folder: StateFolder;
  /** One per delivery, in their order. */
  spools: readonly Spool[];
}

export interface WaitingFolder {
  id: string;
  /** For each delivery, whether rows wait. */
  hasRows: readonly boolean[];
}

export interface OrphanFolders {
  /** Folders held, in the order in which they were found. */
  readonly held: readonly Orphan[];
  /** Paths of the folders that could not be opened in the last search. */
  readonly unusable: ReadonlySet<string>;
  /** Folders given back with rows in them, by their path, until they are held again. */
  readonly waiting: ReadonlyMap<string, WaitingFolder>;
  /** Takes all folders that no process holds. @returns false if a search is not allowed yet */
  take(): Promise<boolean>;
  /** Gives a folder back. */
  leave(orphan: Orphan): Promise<void>;
  /** Runs an action on a folder, and logs a failure. @returns whether it succeeded */
  guarded(path: string, action: () => Promise<void>): Promise<boolean>;
}

export const rowsOf = ({ spools }: Orphan): number =>
  spools.reduce((sum, spool) => sum + spool.closedRows(), 0);

export const isEmpty = (orphan: Orphan): boolean => rowsOf(orphan) === 0;

/**
 * @param openSpoolsOf opens the spools of a state folder, with the process's own options
 * @param diskQueue of the process
 * @param stopping ends the search
 */
export const createOrphanFolders = (
  { dataDir, runtimeDir, reserved, announce }: OrphanFolderOptions,
  openSpoolsOf: (folder: StateFolder) => Promise<Spool[]>,
  diskQueue: DiskQueue,
  stopping: AbortSignal,
  logger: Logger,
): OrphanFolders => {
  const held: Orphan[] = [];
  const waiting = new Map<string, WaitingFolder>();
  let unusable: ReadonlySet<string> = new Set();

  const open = async (path: string): Promise<Orphan | undefined> => {
    // Waits for the disk in the queue, because the lock is opened on the event loop.
    await diskQueue.run(() => fs.mkdir(path, { recursive: true }));
    const folder = await takeFolder(path, runtimeDir);
    if (!folder) return undefined;
    try {
      return { folder, spools: await openSpoolsOf(folder) };
    } catch (error) {
      await folder.release();
      throw error;
    }
  };

  const leave = async (orphan: Orphan): Promise<void> => {
    const { folder, spools } = orphan;
    if (isEmpty(orphan)) await announce();
    else waiting.set(folder.path, { id: folder.id, hasRows: spools.map((spool) => spool.closedRows() > 0) });
    held.splice(held.indexOf(orphan), 1);
    try {
      for (const spool of spools) await spool.close();
    } finally {
      await giveBack(folder, spools);
    }
  };

  const hold = async (path: string): Promise<void> => {
    const orphan = await open(path);
    if (!orphan) return;
    waiting.delete(path);
    held.push(orphan);
    const rows = rowsOf(orphan);
    if (rows === 0) await leave(orphan);
    else logger.info({ folder: path, rows }, 'sending the scans of a dead process');
  };

  const guarded = async (path: string, action: () => Promise<void>): Promise<boolean> => {
    try {
      await action();
      return true;
    } catch (error) {
      logger.error({ err: error, folder: path }, 'could not send the scans of a dead process');
      return false;
    }
  };

  return {
    held,
    waiting,
    get unusable() {
      return unusable;
    },
    async take() {
      const failed = new Set<string>();
      for (const path of await diskQueue.run(() => listFolders(dataDir))) {
        const kept = reserved();
        if (kept === undefined) return false;
        if (stopping.aborted) return true;
        if (kept.has(path) || held.some(({ folder }) => folder.path === path)) continue;
        if (!(await guarded(path, () => hold(path)))) failed.add(path);
      }
      unusable = failed;
      return true;
    },
    leave,
    guarded,
  };
};
