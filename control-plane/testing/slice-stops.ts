/** For tests: points at which the slices of a job stop, of any kind and in any process, until they are let go. */
import pg from 'pg';
import { expect } from 'vitest';
import { afterFile } from '../../deploy/testing/local.ts';
import type { Pool } from '../platform/db/pool.ts';

/** In the order of a slice. */
export type Point =
  /** Its attempt is being counted. */
  | 'begun'
  /** What takes long is done; the job is not locked yet. */
  | 'prepared'
  /** Its effect and its progress are written, and not committed. */
  | 'written'
  /** It is committed. A process takes the next turn. */
  | 'next turn'
  /** The end of a job that fails is written, and not committed. */
  | 'failing';

export interface Stop {
  /** Resolves once a slice is there. */
  reached(): Promise<void>;
  /** How many statements that begin so wait for what the slice has locked. */
  behind(statement: string): Promise<number>;
  /** Calling it twice does no harm. */
  letGo(): Promise<void>;
}

/** The one job of its kind in a workspace. */
export interface Stopped {
  workspaceId: string;
  kind: string;
}

export interface Stops {
  /** @param after the slices of a job that has done less do not stop; by default only the first one does not */
  stop(job: Stopped, point: Point, after?: number): Promise<Stop>;
}

/** Advisory locks of another class are other locks. */
const lockClass = 4_711;

const triggers = `
  CREATE TABLE slice_stops (number integer, workspace_id text, kind text, point text, after integer);
  CREATE FUNCTION stop_slice() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      reached text := CASE
        WHEN NEW.attempts > OLD.attempts THEN 'begun'
        WHEN NEW.status = 'failed' THEN 'failing'
        WHEN NEW.status = 'processing' AND NEW.attempts = 0 AND NEW.aside_until IS NULL THEN 'written' END;
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(${lockClass}, number) FROM slice_stops
        WHERE workspace_id = NEW.workspace_id AND kind = NEW.kind AND point = reached AND OLD.done >= after;
      RETURN NEW;
    END $$;
  CREATE TRIGGER stop_slice BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION stop_slice();
  CREATE FUNCTION stop_turn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_advisory_xact_lock_shared(${lockClass}, number) FROM slice_stops JOIN jobs USING (workspace_id, kind)
      WHERE point = 'next turn' AND done >= after AND status = 'processing' AND NEW.key = lane || ':' || workspace_id;
    RETURN NEW;
  END $$;
  CREATE TRIGGER stop_turn BEFORE UPDATE ON graphile_worker._private_jobs FOR EACH ROW
    WHEN (OLD.locked_at IS NULL AND NEW.locked_at IS NOT NULL) EXECUTE FUNCTION stop_turn()`;

const patience = { timeout: 60_000, interval: 20 };

/** A connection of its own: it may be silent for long. */
const connect = async (databaseUrl: string) => {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A test that fails leaves it to the end of its database.
  client.on('error', () => undefined);
  await client.connect();
  afterFile(() => client.end());
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return Object.assign(client, rows[0]!);
};

export const installStops = async (pool: Pool, databaseUrl: string): Promise<Stops> => {
  await pool.query(triggers);
  let last = 0;

  const countBehind = async (statement: string, pids: readonly number[]): Promise<number> =>
    (
      await pool.query(
        'SELECT FROM pg_stat_activity WHERE starts_with(query, $1) AND pg_blocking_pids(pid) && $2',
        [statement, pids],
      )
    ).rowCount!;

  const closeGate = async ({ workspaceId, kind }: Stopped, point: Point, after: number): Promise<Stop> => {
    const number = ++last;
    const holder = await connect(databaseUrl);
    await holder.query('SELECT pg_advisory_lock($1, $2)', [lockClass, number]);
    await pool.query('INSERT INTO slice_stops VALUES ($1, $2, $3, $4, $5)', [
      number,
      workspaceId,
      kind,
      point,
      after,
    ]);
    const stopped = async () =>
      (
        await pool.query<{ pid: number }>(
          `SELECT pid FROM pg_locks JOIN pg_database d ON d.oid = pg_locks.database WHERE locktype = 'advisory'
             AND classid = ${lockClass} AND objid = $1 AND NOT granted AND datname = current_database()`,
          [number],
        )
      ).rows.map(({ pid }) => pid);
    return {
      reached: () =>
        expect
          .poll(async () => (await stopped()).length, { ...patience, message: `${kind} ${point}` })
          .toBeGreaterThan(0),
      behind: async (statement) => countBehind(statement, await stopped()),
      async letGo() {
        await pool.query('DELETE FROM slice_stops WHERE number = $1', [number]);
        await holder.end();
      },
    };
  };

  /** Nothing can be seen of a preparation: the lock of the job's row comes between its attempt and its effect. */
  const lockRow = async (job: Stopped, after: number): Promise<Stop> => {
    const gate = await closeGate(job, 'begun', after);
    const locker = await connect(databaseUrl);
    const count = async (which: string) =>
      (await pool.query(`SELECT FROM pg_stat_activity WHERE ${which}`, [locker.pid])).rowCount;
    return {
      async reached() {
        await gate.reached();
        await locker.query('BEGIN');
        const locked = locker.query(
          'SELECT FROM jobs WHERE workspace_id = $1 AND kind = $2 FOR NO KEY UPDATE',
          [job.workspaceId, job.kind],
        );
        await expect
          .poll(() => count('pid = $1 AND cardinality(pg_blocking_pids(pid)) > 0'), patience)
          .toBe(1);
        await gate.letGo();
        await locked;
        await expect.poll(() => count('$1 = ANY(pg_blocking_pids(pid))'), patience).toBe(1);
      },
      behind: (statement) => countBehind(statement, [locker.pid]),
      async letGo() {
        await locker.end();
      },
    };
  };

  return {
    stop: (job, point, after = 1) =>
      point === 'prepared' ? lockRow(job, after) : closeGate(job, point, after),
  };
};
