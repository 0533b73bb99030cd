/**
 * Sends the scans in orphaned folders (orphan-folders.ts): once when all processes of this start have their folders,
 * and then once a minute. One process of an instance does this, see process/orphan-delivery.ts; it keeps a folder until
 * everything in it is sent. Each folder has its time with the sink, so that a folder whose scans are not taken does not
 * hold up the others.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { DiskQueue } from '../instance/disk-queue.ts';
import type { FolderLine } from '../instance/membership.ts';
import type { StateFolder } from '../instance/state-folder.ts';
import { openSpools } from './open-spools.ts';
import {
  createOrphanFolders,
  isEmpty,
  type Orphan,
  type OrphanFolderOptions,
  type OrphanFolders,
  rowsOf,
} from './orphan-folders.ts';
import { type Shipper, type Sink, startShipper } from './shipper.ts';
import type { Spool } from './spool.ts';
import { findUnopenedFolders, type UnopenedFolder } from './unopened-folders.ts';

/** A spool in every state folder, and the sink of its rows. */
export interface OrphanDelivery {
  /** The spool's folder in a state folder. */
  spool: string;
  /** With the process's own options. */
  open(folder: StateFolder): Promise<Spool>;
  sink: Sink;
}

export interface OrphanShipperOptions extends OrphanFolderOptions {
  /** How often to search for folders. */
  everyMs: number;
  /** How long a folder has the sink to itself while others wait. */
  folderMs: number;
}

export interface OrphanShipper extends Closeable {
  readonly statistics: {
    /** Folders whose scans are being sent, and the rows and bytes that wait in them. */
    readonly folders: number;
    readonly rows: number;
    readonly bytes: number;
    /** Folders that could not be opened in the last search. */
    readonly unusable: number;
    /** Since the start. */
    readonly rowsSent: number;
  };
  /** The folders' lines in the membership of a delivery, by the delivery's index. */
  lines(delivery: number): FolderLine[];
}

/** How often to check whether a search is allowed yet. */
const notYetMs = 100;
const idleMs = 1000;
/** How long a stop waits for a folder that is being opened: the disk may hang. Its scans wait for the next start. */
const openWaitMs = 2000;

/** Sends the rows of the folders, one folder at a time. */
const createRounds = (
  folders: OrphanFolders,
  sinks: readonly Sink[],
  folderMs: number,
  stopping: AbortSignal,
  logger: Logger,
) => {
  let rowsSent = 0;
  let current: Shipper[] = [];
  const currentRows = (): number => current.reduce((sum, { statistics }) => sum + statistics.rowsSent, 0);

  /** Each spool has its own sink, so that a sink that takes nothing does not hold up the others. */
  const send = async (orphan: Orphan): Promise<void> => {
    current = orphan.spools.map((spool, index) => startShipper(spool, sinks[index]!, logger));
    await Promise.all(current.map((shipper) => shipper.stop(stopping.aborted ? 0 : folderMs)));
    rowsSent += currentRows();
    current = [];
    if (isEmpty(orphan)) await folders.leave(orphan);
  };

  return {
    get rowsSent() {
      return rowsSent + currentRows();
    },
    /** Sends the rows of every folder, each for a limited time. */
    async run(): Promise<void> {
      for (const orphan of [...folders.held]) {
        if (stopping.aborted) return;
        const { path } = orphan.folder;
        const sent = await folders.guarded(path, () => send(orphan));
        if (!sent && folders.held.includes(orphan)) await folders.guarded(path, () => folders.leave(orphan));
      }
    },
    /** Ends the round under way. */
    stop: async () => void (await Promise.all(current.map((shipper) => shipper.stop(0)))),
  };
};

/**
 * Until the first search, folders with segments have lines in the membership: their scans may have no other line, for
 * example after Redis lost its data. A DATA_DIR without segments has no line, so that a failed start holds up no other
 * process.
 * @param diskQueue of the process: while it hangs there is no search
 * @throws if DATA_DIR cannot be read
 */
export const startOrphanShipper = async (
  options: OrphanShipperOptions,
  deliveries: readonly OrphanDelivery[],
  diskQueue: DiskQueue,
  logger: Logger,
): Promise<OrphanShipper> => {
  const { dataDir, runtimeDir, everyMs, folderMs, reserved } = options;
  const findUnopened = async () =>
    diskQueue.run(() =>
      Promise.all(deliveries.map(({ spool }) => findUnopenedFolders(dataDir, runtimeDir, spool))),
    );
  /** For each delivery, the folders that were not opened yet, whose scans are of unknown age. */
  let unopened: readonly UnopenedFolder[][] = await findUnopened();
  const stopping = new AbortController();
  const { signal } = stopping;
  const openAll = (folder: StateFolder) =>
    openSpools(
      deliveries.map(
        ({ open }) =>
          () =>
            open(folder),
      ),
    );
  const folders = createOrphanFolders(options, openAll, diskQueue, signal, logger);
  const sinks = deliveries.map(({ sink }) => sink);
  const rounds = createRounds(folders, sinks, folderMs, signal, logger);
  /** Whether a search has succeeded. */
  let hasSearched = false;
  let searchAtMs = 0;

  const search = async (): Promise<void> => {
    const answered = await folders.guarded(dataDir, async () => {
      hasSearched = (await folders.take()) || hasSearched;
      if (hasSearched)
        unopened = unopened.map((found) => found.filter(({ path }) => folders.unusable.has(path)));
    });
    const againMs = answered ? notYetMs : idleMs;
    searchAtMs = Date.now() + (hasSearched ? everyMs : againMs);
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      if (reserved() !== undefined && Date.now() >= searchAtMs) await search();
      else if (folders.held.length > 0) await rounds.run();
      else {
        await sleep(hasSearched ? Math.min(everyMs, idleMs) : notYetMs, undefined, { signal }).catch(
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
        return folders.held.reduce((sum, orphan) => sum + rowsOf(orphan), 0);
      },
      get bytes() {
        return folders.held
          .flatMap(({ spools }) => spools)
          .reduce((sum, { statistics }) => sum + statistics.bytes, 0);
      },
      get unusable() {
        return folders.unusable.size;
      },
      get rowsSent() {
        return rounds.rowsSent;
      },
    },
    lines(delivery) {
      const held = folders.held.map(({ folder, spools }) => ({
        id: folder.id,
        living: false,
        waitedMs: spools[delivery]!.oldestAgeMs(),
      }));
      const waiting = [...folders.waiting.values()]
        .filter(({ hasRows }) => hasRows[delivery])
        .map(({ id }) => ({ id, living: false, waitedMs: 0, stays: true }));
      // The line of a folder that cannot be opened is written until the first search, and then waited for like that of a lost disk.
      const unopenedLines = (unopened[delivery] ?? []).map(({ id }) => ({
        id,
        living: false,
        waitedMs: Date.now(),
        stays: hasSearched,
      }));
      return [...held, ...waiting, ...unopenedLines];
    },
    async close() {
      stopping.abort();
      await rounds.stop();
      await Promise.race([running, sleep(openWaitMs, undefined, { ref: false })]);
      for (const orphan of [...folders.held]) {
        await folders.guarded(orphan.folder.path, () => folders.leave(orphan));
      }
      // Processes of this start may have sent them meanwhile.
      if (hasSearched || unopened.every((found) => found.length === 0)) return;
      await folders.guarded(dataDir, async () => {
        unopened = await findUnopened();
      });
    },
  };
};
