/** The life of a process: it starts, runs until it is told to stop, closes in order, and says so when it fails. */
import { ConfigError } from './config.ts';
import type { Logger } from './logger.ts';

/** How long a process may take to close before it is ended. */
const closeTimeoutMs = 15_000;

/** Something that was opened. Closing it twice does no harm. */
export interface Closeable {
  close(): Promise<void>;
}

/**
 * Collects what was opened and closes it in the reverse order. A failure to close one thing does not keep the rest
 * open; the first failure is thrown at the end.
 */
export const createCloser = () => {
  const opened: (() => unknown)[] = [];
  return {
    add(close: () => unknown): void {
      opened.push(close);
    },
    async close(): Promise<void> {
      const failures: unknown[] = [];
      for (let close = opened.pop(); close; close = opened.pop()) {
        try {
          await close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
};

/**
 * Runs a process's main part: SIGINT and SIGTERM close it and exit 0; a start that fails prints one line for a wrong
 * setting, or the error, and exits 1; an unexpected error later is logged and exits 1, since nothing is known of the
 * state it left.
 */
export const runProcess = async (start: () => Promise<Closeable>, logger: Logger): Promise<void> => {
  const fail = (message: string) => (error: unknown) => {
    logger.fatal({ err: error }, message);
    process.exit(1);
  };
  process.on('uncaughtException', fail('uncaught exception'));
  process.on('unhandledRejection', fail('unhandled rejection'));
  let stopping = false;
  const stop = (running: Closeable) => (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => fail('did not close in time')(undefined), closeTimeoutMs).unref();
    running.close().then(() => process.exit(0), fail('failed to close'));
  };
  try {
    const running = await start();
    process.on('SIGINT', stop(running));
    process.on('SIGTERM', stop(running));
  } catch (error) {
    if (error instanceof ConfigError) {
      console.error(error.message);
      process.exit(1);
    }
    fail('failed to start')(error);
  }
};
