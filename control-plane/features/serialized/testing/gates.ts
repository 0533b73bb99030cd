/** For tests: a gate in a database, at which transactions stop until it is opened. */
import { expect } from 'vitest';
import type { Pool } from '../../../platform/db/pool.ts';

export interface Gate {
  /** The statement that waits there, in PL/pgSQL. */
  readonly pass: string;
  /** Resolves once this many transactions wait there. */
  reached(count?: number): Promise<void>;
  /** For good. */
  open(): Promise<void>;
}

/** @param number any number that is unique in the database */
export const closeGate = async (pool: Pool, number: number): Promise<Gate> => {
  const holder = await pool.connect();
  await holder.query('SELECT pg_advisory_lock($1)', [number]);
  const waiting = async () =>
    (
      await pool.query(
        `SELECT FROM pg_locks JOIN pg_database d ON d.oid = pg_locks.database
         WHERE locktype = 'advisory' AND objid = $1 AND objsubid = 1 AND NOT granted AND datname = current_database()`,
        [number],
      )
    ).rowCount;
  return {
    pass: `PERFORM pg_advisory_xact_lock(${number})`,
    async reached(count = 1) {
      await expect.poll(waiting, { timeout: 100_000, interval: 20 }).toBe(count);
    },
    async open() {
      await holder.query('SELECT pg_advisory_unlock($1)', [number]);
      holder.release();
    },
  };
};

/**
 * Every part of an export but its first waits at a gate, stored and not committed.
 * @returns a function that removes this, once the gate is open
 */
export const stopBeforeSecondPart = async (pool: Pool, gate: Gate): Promise<() => Promise<unknown>> => {
  await pool.query(`
    CREATE OR REPLACE FUNCTION before_second_part() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${gate.pass}; RETURN NEW; END $$;
    CREATE TRIGGER before_second_part BEFORE INSERT ON serialized_export_parts FOR EACH ROW WHEN (NEW.first_position > 1)
      EXECUTE FUNCTION before_second_part()`);
  return () => pool.query('DROP TRIGGER before_second_part ON serialized_export_parts');
};
