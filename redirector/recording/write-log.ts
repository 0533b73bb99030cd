/** Logs once that the spool's disk refuses writes, and once that it takes them again. */
import type { Logger } from '#shared/logger.ts';

export interface WriteLog {
  failed(error: unknown): void;
  succeeded(): void;
}

export const createWriteLog = (folder: string, logger: Logger): WriteLog => {
  let failing = false;
  return {
    failed(error) {
      if (!failing)
        logger.error(
          { err: error, folder },
          'spool cannot write: scans are kept in memory, and verifications refused',
        );
      failing = true;
    },
    succeeded() {
      if (failing) logger.info({ folder }, 'spool writes again');
      failing = false;
    },
  };
};
