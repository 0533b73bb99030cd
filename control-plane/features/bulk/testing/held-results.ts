/** For tests: stops bulk operations half-way, in any process, until they are released. */
import { expect } from 'vitest';
import type { Pool } from '../../../platform/db/pool.ts';

export interface HeldResults {
  /** Resolves when a slice has stopped, its work done and nothing committed. */
  isReached(): Promise<void>;
  letGo(): Promise<void>;
}

/** An advisory lock of the tests. */
const lock = 7_203_000;

/** @param after how many rows of unfinished operations are done before results are held */
export const holdResults = async (pool: Pool, after: number): Promise<HeldResults> => {
  const holder = await pool.connect();
  // A test may hold the lock for longer than PostgreSQL lets a transaction idle.
  await holder.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0`);
  await holder.query('SELECT pg_advisory_xact_lock($1::bigint)', [lock]);
  await pool.query(`
    CREATE FUNCTION hold_results() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT coalesce(sum(succeeded + failed), 0) FROM jobs JOIN bulk_operations USING (id) WHERE status IN ('pending', 'processing')) >= ${after}
      THEN PERFORM pg_advisory_xact_lock_shared(${lock}); END IF;
      RETURN NULL; END $$;
    CREATE TRIGGER hold_results BEFORE UPDATE OF result ON bulk_rows FOR EACH STATEMENT EXECUTE FUNCTION hold_results()`);
  const waiting = `SELECT FROM pg_locks JOIN pg_database d ON d.oid = pg_locks.database
    WHERE locktype = 'advisory' AND objid = ${lock} AND NOT granted AND datname = current_database()`;
  return {
    isReached: () =>
      expect
        .poll(async () => (await pool.query(waiting)).rowCount, { timeout: 100_000, interval: 20 })
        .toBeGreaterThan(0),
    async letGo() {
      await holder.query('ROLLBACK');
      holder.release();
      await pool.query('DROP FUNCTION hold_results CASCADE');
    },
  };
};
