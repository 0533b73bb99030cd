/**
 * A lock that ends with its process, however that ends: a file beside the data that it protects, locked by fcntl(2), which
 * the kernel releases with the process. So it works between the workers of a cluster (which share sockets), between
 * containers that share a volume (which share neither network nor process ids), and on a network file system that has
 * POSIX locks.
 *
 * Node cannot lock files; SQLite, which is part of it, can: a connection with a write transaction holds the RESERVED lock,
 * which only one connection of all processes can have. Nothing is written, the file stays empty. BEGIN EXCLUSIVE is not
 * used: of two processes that begin at once both can be refused. No other code may open the file: closing it releases all
 * POSIX locks that the process has on it.
 */
import type { DatabaseSync } from 'node:sqlite';

export interface ProcessLock {
  /** Releasing it twice does no harm. */
  release(): Promise<void>;
}

/** Connections with a lock: one without a reference is garbage-collected, and its lock with it. A process has one set of locks. */
const held = new Set<DatabaseSync>();

/** https://sqlite.org/rescode.html#busy */
const sqliteBusy = 5;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;

/** Loads SQLite without Node's warning that it is experimental. */
const loadSqlite = () => {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
};

const open = (file: string): DatabaseSync => {
  const { DatabaseSync } = loadSqlite();
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch (error) {
    throw new Error(`the lock file ${file} cannot be opened`, { cause: error });
  }
};

/**
 * @param file is made if it is missing, and stays when the lock is released; its folder must exist
 * @returns undefined when another process, or this one, holds the lock
 * @throws when the file cannot be made or its file system has no locks
 */
export const acquireProcessLock = async (file: string): Promise<ProcessLock | undefined> => {
  const database = open(file);
  try {
    database.exec('BEGIN IMMEDIATE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw new Error(`the file ${file} cannot be locked`, { cause: error });
  }
  held.add(database);
  return {
    async release() {
      if (held.delete(database)) database.close();
    },
  };
};
