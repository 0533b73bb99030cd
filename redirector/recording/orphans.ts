/**
 * Sends the scans in folders that processes have left and that nobody has taken again, as when fewer workers are
 * started than before: once when all processes of this start have their folders, and then once a minute. One process
 * of an instance does it, see adoption.ts; a folder belongs to it until all in it is sent.
 *
 * The folders are opened one after another, and each has its turn with the sink: one that cannot be read, or whose scans
 * are not taken, costs itself. While the disk hangs none is looked for, since a lock is opened on the event loop.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { DiskLane } from '../instance/disk-lane.ts';
import type { FolderLine } from '../instance/membership.ts';
import { listFolders, type StateFolder, takeFolder } from '../instance/state-folder.ts';
import { type Shipper, type Sink, startShipper } from './shipper.ts';
import type { Spool } from './spool.ts';

export interface OrphanOptions {
  dataDir: string;
  /** How often folders are looked for. */
  everyMs: number;
  /** How long a folder has the sink to itself while others wait. */
  turnMs: number;
  /** Folders of processes that are being started again, or undefined while there must be no looking at all. */
  reserved(): ReadonlySet<string> | undefined;
  /** Called when nothing waits in a folder any more, while it still is in `lines`: its line is not to be waited for. */
  announce(): Promise<unknown>;
}

export interface Orphans extends Closeable {
  readonly statistics: {
    /** Folders whose scans are being sent, and what waits in them. */
    readonly folders: number;
    readonly rows: number;
    readonly bytes: number;
    /** Folders that could not be opened when they were last looked for. */
    readonly unusable: number;
    /** Since the start. */
    readonly rowsSent: number;
  };
  /** What is to be said of the folders in the registry. */
  lines(): FolderLine[];
}

/** While it is not yet time to look, this is how often that is asked. */
const notYetMs = 100;
const idleMs = 1000;
/** A stop waits so long for a folder that is being opened: the disk may hang. What is in it waits for the next start. */
const openWaitMs = 2000;

interface Orphan {
  folder: StateFolder;
  spool: Spool;
}

/**
 * @param openSpoolOf opens the spool of a state folder, with the options of the process's own
 * @param lane the process's own: looking is refused while it hangs
 */
export const adoptOrphans = (
  options: OrphanOptions,
  openSpoolOf: (folder: StateFolder) => Promise<Spool>,
  sink: Sink,
  lane: DiskLane,
  logger: Logger,
): Orphans => {
  const { dataDir, everyMs, turnMs, reserved } = options;
  const orphans: Orphan[] = [];
  let unusable = 0;
  let rowsSent = 0;
  /** Whether the folders have been looked at once: until then nobody knows what waits in them. */
  let looked = false;
  let lookAtMs = 0;
  const notLooked = randomUUID();
  const stopping = new AbortController();
  let current: Shipper | undefined;

  const isEmpty = ({ spool }: Orphan): boolean => spool.closedRows() === 0;

  const open = async (path: string): Promise<Orphan | undefined> => {
    // Waits for the disk as the lock would, which is opened on the event loop.
    await lane.run(() => fs.mkdir(path, { recursive: true }));
    const folder = await takeFolder(path);
    if (!folder) return undefined;
    try {
      return { folder, spool: await openSpoolOf(folder) };
    } catch (error) {
      await folder.lock.release();
      throw error;
    }
  };

  const leave = async (orphan: Orphan): Promise<void> => {
    if (isEmpty(orphan)) await options.announce();
    orphans.splice(orphans.indexOf(orphan), 1);
    try {
      await orphan.spool.close();
    } finally {
      await orphan.folder.lock.release();
    }
  };

  const adopt = async (path: string): Promise<void> => {
    const orphan = await open(path);
    if (!orphan) return;
    orphans.push(orphan);
    const rows = orphan.spool.closedRows();
    if (rows === 0) await leave(orphan);
    else logger.info({ folder: path, rows }, 'sending the scans of a process that is gone');
  };

  /** A folder costs itself, whatever is wrong with it. */
  const guarded = async (path: string, action: () => Promise<void>): Promise<boolean> => {
    try {
      await action();
      return true;
    } catch (error) {
      logger.error({ err: error, folder: path }, 'the scans of a process that is gone cannot be sent');
      return false;
    }
  };

  /** @returns whether all folders were looked at */
  const lookFor = async (): Promise<boolean> => {
    let failures = 0;
    for (const path of await lane.run(() => listFolders(dataDir))) {
      const kept = reserved();
      if (kept === undefined) return false;
      if (stopping.signal.aborted) return true;
      if (kept.has(path) || orphans.some(({ folder }) => folder.path === path)) continue;
      if (!(await guarded(path, () => adopt(path)))) failures++;
    }
    unusable = failures;
    return true;
  };

  const send = async (orphan: Orphan): Promise<void> => {
    const shipper = startShipper(orphan.spool, sink, logger);
    current = shipper;
    await shipper.stop(stopping.signal.aborted ? 0 : turnMs);
    current = undefined;
    rowsSent += shipper.statistics.rowsSent;
    if (isEmpty(orphan)) await leave(orphan);
  };

  const sendAll = async (): Promise<void> => {
    for (const orphan of [...orphans]) {
      if (stopping.signal.aborted) return;
      const sent = await guarded(orphan.folder.path, () => send(orphan));
      if (!sent && orphans.includes(orphan)) await guarded(orphan.folder.path, () => leave(orphan));
    }
  };

  const look = async (): Promise<void> => {
    const answered = await guarded(dataDir, async () => {
      looked = (await lookFor()) || looked;
    });
    const againMs = answered ? notYetMs : idleMs;
    lookAtMs = Date.now() + (looked ? everyMs : againMs);
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (reserved() !== undefined && Date.now() >= lookAtMs) await look();
      else if (orphans.length > 0) await sendAll();
      else {
        await sleep(looked ? Math.min(everyMs, idleMs) : notYetMs, undefined, {
          signal: stopping.signal,
        }).catch(
          () => undefined, // The only rejection is the abort, which the loop's condition sees.
        );
      }
    }
  };
  const running = run();

  return {
    statistics: {
      get folders() {
        return orphans.length;
      },
      get rows() {
        return orphans.reduce((sum, { spool }) => sum + spool.closedRows(), 0);
      },
      get bytes() {
        return orphans.reduce((sum, { spool }) => sum + spool.statistics.bytes, 0);
      },
      get unusable() {
        return unusable;
      },
      get rowsSent() {
        return rowsSent + (current?.statistics.rowsSent ?? 0);
      },
    },
    lines() {
      const left = orphans.map(({ folder, spool }) => ({
        id: folder.id,
        living: false,
        waitedMs: spool.oldestAgeMs(),
      }));
      return looked ? left : [...left, { id: notLooked, living: false, waitedMs: Date.now() }];
    },
    async close() {
      stopping.abort();
      await current?.stop(0);
      await Promise.race([running, sleep(openWaitMs, undefined, { ref: false })]);
      for (const orphan of [...orphans]) await guarded(orphan.folder.path, () => leave(orphan));
    },
  };
};
