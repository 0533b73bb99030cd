/** For tests: holds all jobs that are added until they are released together. */
import type { Pool } from '../../../platform/db/pool.ts';

/** @returns a function that releases them */
export const holdTurns = async (pool: Pool): Promise<() => Promise<void>> => {
  await pool.query(`
    CREATE FUNCTION hold_job() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.run_at := now() + interval '1 hour'; RETURN NEW; END $$;
    CREATE TRIGGER hold_job BEFORE INSERT ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION hold_job()`);
  return async () => {
    await pool.query('DROP FUNCTION hold_job CASCADE');
    await pool.query('UPDATE graphile_worker._private_jobs SET run_at = now()');
  };
};
