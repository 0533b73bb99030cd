/**
 * Sends the scans in orphaned folders (orphan-folders.ts): once when all processes of this start have their folders, and
 * then once a minute. One process of an instance does it, see process/orphan-delivery.ts; a folder belongs to it until everything in
 * it is sent. Each folder has its turn with the sink, so that one whose scans are not taken does not hold the others up.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { DiskQueue } from '../instance/disk-queue.ts';
import type { FolderLine } from '../instance/membership.ts';
import type { StateFolder } from '../instance/state-folder.ts';
import { findLeftFolders } from './left-folders.ts';
import {
  createOrphanFolders,
  isEmpty,
  type Orphan,
  type OrphanFolderOptions,
  type OrphanFolders,
} from './orphan-folders.ts';
import { type Shipper, type Sink, startShipper } from './shipper.ts';
import type { Spool } from './spool.ts';

export interface OrphanShipperOptions extends OrphanFolderOptions {
  /** How often folders are looked for. */
  everyMs: number;
  /** How long a folder has the sink to itself while others wait. */
  turnMs: number;
}

export interface OrphanShipper extends Closeable {
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
  /** The lines of the folders in the membership. */
  lines(): FolderLine[];
}

/** How often it is asked whether folders may be looked for already. */
const notYetMs = 100;
const idleMs = 1000;
/** How long a stop waits for a folder that is being opened: the disk may hang. Its scans wait for the next start. */
const openWaitMs = 2000;

/** Sends what waits in the folders, one after the other. */
const createTurns = (
  folders: OrphanFolders,
  sink: Sink,
  turnMs: number,
  stopping: AbortSignal,
  logger: Logger,
) => {
  let rowsSent = 0;
  let current: Shipper | undefined;

  const send = async (orphan: Orphan): Promise<void> => {
    const shipper = startShipper(orphan.spool, sink, logger);
    current = shipper;
    await shipper.stop(stopping.aborted ? 0 : turnMs);
    current = undefined;
    rowsSent += shipper.statistics.rowsSent;
    if (isEmpty(orphan)) await folders.leave(orphan);
  };

  return {
    get rowsSent() {
      return rowsSent + (current?.statistics.rowsSent ?? 0);
    },
    /** Gives every folder one turn. */
    async run(): Promise<void> {
      for (const orphan of [...folders.held]) {
        if (stopping.aborted) return;
        const { path } = orphan.folder;
        const sent = await folders.guarded(path, () => send(orphan));
        if (!sent && folders.held.includes(orphan)) await folders.guarded(path, () => folders.leave(orphan));
      }
    },
    /** Ends the turn under way. */
    stop: async () => void (await current?.stop(0)),
  };
};

/**
 * Until the folders can be looked at, those that hold segments have lines in the membership: their scans may have no other, as
 * after Redis has lost its data. A DATA_DIR without segments has no line, so that a start that fails holds nobody up.
 * @param openSpoolOf opens the spool of a state folder, with the options of the process's own
 * @param diskQueue of the process: while it hangs no folder is looked for
 * @throws when DATA_DIR cannot be read
 */
export const startOrphanShipper = async (
  options: OrphanShipperOptions,
  openSpoolOf: (folder: StateFolder) => Promise<Spool>,
  sink: Sink,
  diskQueue: DiskQueue,
  logger: Logger,
): Promise<OrphanShipper> => {
  const { dataDir, everyMs, turnMs, reserved } = options;
  const findLeft = () => diskQueue.run(() => findLeftFolders(dataDir));
  /** The lines of folders that have not been looked at, whose scans are of an unknown age. */
  let left = await findLeft();
  const stopping = new AbortController();
  const { signal } = stopping;
  const folders = createOrphanFolders(options, openSpoolOf, diskQueue, signal, logger);
  const turns = createTurns(folders, sink, turnMs, signal, logger);
  /** Whether the folders have been looked at once. */
  let looked = false;
  let lookAtMs = 0;

  const look = async (): Promise<void> => {
    const answered = await folders.guarded(dataDir, async () => {
      looked = (await folders.take()) || looked;
      if (looked) left = [];
    });
    const againMs = answered ? notYetMs : idleMs;
    lookAtMs = Date.now() + (looked ? everyMs : againMs);
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      if (reserved() !== undefined && Date.now() >= lookAtMs) await look();
      else if (folders.held.length > 0) await turns.run();
      else {
        await sleep(looked ? Math.min(everyMs, idleMs) : notYetMs, undefined, { signal }).catch(
          () => undefined, // The only rejection is the abort, which the loop's condition sees.
        );
      }
    }
  };
  const running = run();

  return {
    statistics: {
      get folders() {
        return folders.held.length;
      },
      get rows() {
        return folders.held.reduce((sum, { spool }) => sum + spool.closedRows(), 0);
      },
      get bytes() {
        return folders.held.reduce((sum, { spool }) => sum + spool.statistics.bytes, 0);
      },
      get unusable() {
        return folders.unusable;
      },
      get rowsSent() {
        return turns.rowsSent;
      },
    },
    lines() {
      const held = folders.held.map(({ folder, spool }) => ({
        id: folder.id,
        living: false,
        waitedMs: spool.oldestAgeMs(),
      }));
      return [...held, ...left.map((id) => ({ id, living: false, waitedMs: Date.now() }))];
    },
    async close() {
      stopping.abort();
      await turns.stop();
      await Promise.race([running, sleep(openWaitMs, undefined, { ref: false })]);
      for (const orphan of [...folders.held]) {
        await folders.guarded(orphan.folder.path, () => folders.leave(orphan));
      }
      // Processes of this start may have sent them meanwhile.
      if (left.length === 0) return;
      await folders.guarded(dataDir, async () => {
        left = await findLeft();
      });
    },
  };
};
