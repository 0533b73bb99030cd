/** The life of a process: it starts, runs until a signal stops it, closes in order, and logs a failure. */
import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, ConfigError, loadConfig, settingWarnings } from './config.ts';
import { messageOf } from './errors.ts';
import { createLogger, type Logger } from './logger.ts';

/** How long a process may take to close, after its grace, before it is killed. */
export const closeTimeoutMs = 15_000;

/** Something open. Closing it twice is harmless. */
export interface Closeable {
  close(): Promise<void>;
}

/** A running process. */
export interface Running extends Closeable {
  /**
   * Called before `close`: readiness fails, and clients are asked to go elsewhere. During the configured grace it keeps
   * serving.
   */
  retire(): void;
}

/** Closes several things as one. */
export interface Closer extends Closeable {
  add(close: () => unknown): void;
}

/**
 * Closes things in the reverse order of opening. If one fails to close, the others still close; the first failure is
 * thrown at the end.
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
    /** A second call waits for the first. */
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
};

/**
 * Opens something made of several parts. A failure closes the open parts, within {@link closeTimeoutMs}, and is thrown.
 * @param open adds each part it has opened to the closer
 */
export const orClosed = async <T>(open: (closer: Closer) => Promise<T>): Promise<T> => {
  const closer = createCloser();
  try {
    return await open(closer);
  } catch (error) {
    const late = sleep(closeTimeoutMs, undefined, { ref: false });
    await Promise.race([closer.close(), late]).catch((failure: unknown) => {
      throw new AggregateError([error, failure], messageOf(error));
    });
    throw error;
  }
};

/**
 * Runs a process: reads its configuration, starts it, and stops it on SIGINT and SIGTERM: it retires, keeps serving for
 * SHUTDOWN_GRACE_S, closes, and exits with 0. A signal during the start takes effect once it has started, with the
 * grace, because it listens by then. Wrong settings print a line each and exit with 1; a failed start is logged and exits
 * with 1. So is an unexpected error later, since it leaves an unknown state.
 * @param name in the logs, such as `redirector`
 */
export const runProcess = async (
  name: string,
  start: (config: Config, logger: Logger) => Promise<Running>,
): Promise<void> => {
  const config = readConfig();
  const logger = createLogger(name, config.logLevel);
  // Workers have their primary's environment.
  if (cluster.isPrimary) for (const line of settingWarnings()) logger.warn(line);
  const fail = (message: string) => (error: unknown) => {
    logger.fatal({ err: error }, message);
    process.exit(1);
  };
  process.on('uncaughtException', fail('uncaught exception'));
  process.on('unhandledRejection', fail('unhandled rejection'));
  let running: Running | undefined;
  let stopping = false;
  const close = async (): Promise<void> => {
    if (!running) return;
    running.retire();
    await sleep(config.shutdownGraceMs);
    await running.close().then(() => process.exit(0), fail('failed to close'));
  };
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => fail('did not close in time')(undefined), config.shutdownGraceMs + closeTimeoutMs);
    void close();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    running = await start(config, logger);
  } catch (error) {
    if (error instanceof ConfigError) refuse(error);
    fail('failed to start')(error);
  }
  if (stopping) await close();
};

const refuse = (error: ConfigError): never => {
  console.error(error.message);
  process.exit(1);
};

const readConfig = (): Config => {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return refuse(error);
  }
};
