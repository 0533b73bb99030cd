/** A transaction that works for longer than PostgreSQL lets one be silent. */
import type { Transaction } from '../platform/db/transaction.ts';

const limits = {
  /** A third of what PostgreSQL allows (db/pool.ts): a process that stands still says nothing, and loses its locks. */
  intervalMs: 5_000,
  /** Work that takes longer is given up: what it has locked is somebody else's then. */
  workMsMax: 120_000,
};

/**
 * Speaks to PostgreSQL now and then while the work goes on.
 * @throws what the work throws, or that it took too long
 */
export const keepAlive = async <Result>(
  tx: Transaction,
  work: () => Promise<Result>,
  { intervalMs, workMsMax } = limits,
): Promise<Result> => {
  let spoken: Promise<unknown> = Promise.resolve();
  // If the connection is lost, the next statement of the transaction says so.
  const speak = () => {
    spoken = spoken.then(() => tx.query('SELECT 1')).catch(() => clearInterval(timer));
  };
  const timer = setInterval(speak, intervalMs);
  let deadline: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    deadline = setTimeout(() => reject(new Error(`a slice took longer than ${workMsMax} ms`)), workMsMax);
  });
  try {
    return await Promise.race([work(), tooLong]);
  } finally {
    clearInterval(timer);
    clearTimeout(deadline);
    await spoken;
  }
};
