/** The life of a process: it starts, runs until it is told to stop, closes in order, and says so when it fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { createLogger, type Logger } from './logger.ts';

/** How long a process may take to close, after its grace, before it is ended. */
export const closeTimeoutMs = 15_000;

/** Something that was opened. Closing it twice does no harm. */
export interface Closeable {
  close(): Promise<void>;
}

/** What a process runs. */
export interface Running extends Closeable {
  /**
   * Before it is closed: says that it is not ready, and asks clients to go elsewhere. It serves as before, for the grace
   * that is configured.
   */
  retire(): void;
}

/** Collects what was opened. */
export interface Closer extends Closeable {
  add(close: () => unknown): void;
}

/**
 * Closes what was opened in the reverse order. A failure to close one thing does not keep the rest open; the first
 * failure is thrown at the end.
 */
export const createCloser = (): Closer => {
  const opened: (() => unknown)[] = [];
  let closing: Promise<void> | undefined;

  const closeAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (let close = opened.pop(); close; close = opened.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };

  return {
    add(close) {
      opened.push(close);
    },
    /** A second call waits for the first: what it closes must not be closed out of its order. */
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
};

/**
 * Runs a process: reads its configuration, starts it, and stops it on SIGINT and SIGTERM: it retires, serves on for
 * SHUTDOWN_GRACE_S, closes, and exits 0. A wrong setting
 * prints one line for each and exits 1; so does a start that fails. An unexpected error later is logged and exits 1,
 * since nothing is known of the state it left.
 * @param name in the logs, such as `redirector`
 */
export const runProcess = async (
  name: string,
  start: (config: Config, logger: Logger) => Promise<Running>,
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
    const { shutdownGraceMs } = config;
    setTimeout(() => fail('did not close in time')(undefined), shutdownGraceMs + closeTimeoutMs).unref();
    running.retire();
    sleep(shutdownGraceMs)
      .then(() => running.close())
      .then(() => process.exit(0), fail('failed to close'));
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
