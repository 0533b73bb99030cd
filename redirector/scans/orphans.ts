/**
 * Sends the scans in folders that processes have left and that nobody has taken again, as when fewer workers are
 * started than before: at the start and then once a minute.
 */
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { type StateFolder, takeOrphanedFolders } from '../state-folder.ts';
import { type Shipper, type Sink, startShipper } from './shipper.ts';
import type { Spool } from './spool.ts';

const everyMs = 60_000;

/** @param openSpoolOf opens the spool of a state folder, with the options of the process's own */
export const adoptOrphans = (
  dataDir: string,
  openSpoolOf: (folder: StateFolder) => Promise<Spool>,
  sink: Sink,
  logger: Logger,
): Closeable => {
  let stopped = false;
  let current: Shipper | undefined;

  const send = async (folder: StateFolder): Promise<void> => {
    try {
      const spool = await openSpoolOf(folder);
      const rows = spool.closedRows();
      if (rows > 0) logger.info({ folder: folder.path, rows }, 'sending the scans of a process that is gone');
      current = startShipper(spool, sink, logger);
      await current.stop(stopped ? 0 : everyMs);
      await spool.close();
    } finally {
      current = undefined;
      await folder.lock.release();
    }
  };

  const sendAll = async (): Promise<void> => {
    try {
      for (const folder of await takeOrphanedFolders(dataDir)) await send(folder);
    } catch (error) {
      logger.error({ err: error }, 'sending the scans of a process that is gone failed');
    }
  };

  let sending = sendAll();
  const timer = setInterval(() => {
    sending = sending.then(() => (stopped ? undefined : sendAll()));
  }, everyMs);
  timer.unref();

  return {
    async close() {
      stopped = true;
      clearInterval(timer);
      await current?.stop(0);
      await sending;
    },
  };
};
