/** Transactions. */
import type { PoolClient } from 'pg';
import type { Pool } from './pool.ts';

/** A connection within a transaction: a function that takes one leaves it to its caller to commit. */
export type Transaction = PoolClient;

/**
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws. A store's public functions
 * open the transaction; the functions they call take it.
 * @throws what `work` throws, or what PostgreSQL says on BEGIN or COMMIT
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
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A connection that cannot even roll back is of no further use: the pool drops it.
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
};
