/**
 * A lock that ends with its process, however that ends: a file next to the data it protects, locked by fcntl(2) and
 * released by the kernel with the process. So it works between cluster workers (which share sockets), between
 * containers with a common volume (which share neither network nor process ids), and on network file systems with POSIX
 * locks.
 *
 * Node cannot lock files, but its built-in SQLite can: a connection with a write transaction holds the RESERVED lock,
 * which only one connection of all processes can have. Nothing is written, the file stays empty, and its rollback journal is in
 * memory: a full disk refuses no lock. BEGIN EXCLUSIVE is not
 * used: of two processes that begin at once, both can be refused. No other code may open the file: closing it releases
 * all POSIX locks that the process has on it.
 */
import type { DatabaseSync } from 'node:sqlite';

export interface ProcessLock {
  /** Releasing it twice is harmless. */
  release(): Promise<void>;
}

/**
 * Connections that hold a lock: an unreferenced one is garbage-collected together with its lock. Each process has one
 * set of locks.
 */
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
    throw new Error(`cannot open the lock file ${file}`, { cause: error });
  }
};

/**
 * @param file is created if missing, and stays when the lock is released; its folder must exist
 * @returns undefined if another process, or this one, holds the lock
 * @throws if the file cannot be created or its file system has no locks
 */
export const acquireProcessLock = async (file: string): Promise<ProcessLock | undefined> => {
  const database = open(file);
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw new Error(`cannot lock the file ${file}`, { cause: error });
  }
  held.add(database);
  return {
    async release() {
      if (held.delete(database)) database.close();
    },
  };
};
