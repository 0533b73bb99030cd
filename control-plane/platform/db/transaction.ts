/** Transactions. */
import type { PoolClient } from 'pg';
import { forgetNoChange, logAction } from './actions.ts';
import { isConnectionLost, type Pool } from './pool.ts';

/** A connection within a transaction: a function that takes it leaves the commit to its caller. */
export type Transaction = PoolClient;

/** How work is run in one transaction: {@link inTransaction} or {@link rolledBack}. */
export type RunInTransaction = typeof inTransaction;

/**
 * Runs `work` in one transaction: committed when it returns, rolled back if it throws. A store's public functions open
 * the transaction; the functions they call take it. The action that it belongs to is logged in it, see actions.ts.
 * @throws the error of `work`, or PostgreSQL's on BEGIN or COMMIT
 */
export const inTransaction = async <Result>(
  pool: Pool,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await logAction(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    broken = await rollBack(client, error);
    throw error;
  } finally {
    forgetNoChange(client);
    client.release(broken);
  }
};

/** Thrown to undo work that has succeeded. */
class Undone extends Error {}

/**
 * Runs `work` as {@link inTransaction} does, and undoes it: its result says what it would have done.
 * @throws the error of `work`
 */
export const rolledBack: RunInTransaction = async (pool, work) => {
  let done: { result: Awaited<ReturnType<typeof work>> } | undefined;
  try {
    await inTransaction(pool, async (tx) => {
      done = { result: await work(tx) };
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return done!.result;
};

/**
 * @returns why the connection is unusable, so that the pool drops it; undefined if it is usable. A connection that was
 * just lost, or did not answer in time, is not even asked: PostgreSQL rolls back its transaction.
 */
const rollBack = async (client: PoolClient, error: unknown): Promise<Error | undefined> => {
  if (error instanceof Error && isConnectionLost(error)) return error;
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (failure) {
    return failure instanceof Error ? failure : new Error(String(failure));
  }
};
