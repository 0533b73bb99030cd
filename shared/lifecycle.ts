/** The life of a process: it starts, runs until it is told to stop, closes in order, and says so when it fails. */
import { type Config, ConfigError, loadConfig } from './config.ts';
import { createLogger, type Logger } from './logger.ts';

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
 * Runs a process: reads its configuration, starts it, and stops it on SIGINT and SIGTERM (exit 0). A wrong setting
 * prints one line for each and exits 1; so does a start that fails. An unexpected error later is logged and exits 1,
 * since nothing is known of the state it left.
 * @param name in the logs, such as `redirector`
 */
export const runProcess = async (
  name: string,
  start: (config: Config, logger: Logger) => Promise<Closeable>,
): Promise<void> => {
  const config = readConfig();
  const logger = createLogger(name, config.logLevel);
  const fail = (message: string) => (error: unknown) => {
    logger.fatal({ err: error }, message);
    process.exit(1);
  };
  process.on('uncaughtException', fail('uncaught exception'));
  process.on('unhandledRejection', fail('unhandled rejection'));
  const running = await start(config, logger).catch(fail('failed to start'));
  if (!running) return;
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => fail('did not close in time')(undefined), closeTimeoutMs).unref();
    running.close().then(() => process.exit(0), fail('failed to close'));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
};

const readConfig = (): Config => {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
};
