/**
 * Turns of workspaces. Each run of the queue's job does one slice for one workspace and lane, and enqueues the next one
 * in its own transaction, so that workspaces take turns. At most one run waits for each turn, and a turn has one slice
 * at a time, in whatever process. Its lock ends with the transaction, and so with the connection of a process that is
 * killed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../platform/db/pool.ts';

export interface Turn {
  lane: string;
  workspaceId: string;
}

/** The queue's task; its payload is a turn. */
export const turnTask = 'work';
/** Other tasks that are due go first: they take moments, and there are few. */
const priority = 10;
/** Advisory locks of another class are other locks. */
const lockClass = 7_203_949;
/** A slice enqueues the next one as it commits, a moment before its lock is gone. */
const triesMax = 10;
const pauseMs = 50;

/** @param delayMs how long the next slice waits if this one could do nothing */
export const enqueueTurn = async (db: Queryable, { lane, workspaceId }: Turn, delayMs = 0): Promise<void> => {
  await db.query({
    name: 'enqueue-turn',
    text: `SELECT graphile_worker.add_job($1, json_build_object('lane', $2::text, 'workspaceId', $3::text), priority => $4,
             job_key => $5, job_key_mode => 'preserve_run_at', run_at => now() + make_interval(secs => $6))`,
    values: [turnTask, lane, workspaceId, priority, `${lane}:${workspaceId}`, delayMs / 1000],
  });
};

const tryLock = async (tx: Queryable, { lane, workspaceId }: Turn): Promise<boolean> => {
  const { rows } = await tx.query<{ locked: boolean }>({
    name: 'try-lock-turn',
    text: `SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS locked`,
    values: [lockClass, `${lane}:${workspaceId}`],
  });
  return rows[0]!.locked;
};

/**
 * Takes the turn until the transaction ends.
 * @returns false if another run has it: that one enqueues the next slice
 */
export const takeTurn = async (tx: Queryable, turn: Turn): Promise<boolean> => {
  for (let tries = 1; !(await tryLock(tx, turn)); tries++) {
    if (tries === triesMax) return false;
    await sleep(pauseMs);
  }
  return true;
};

/** SQL: the hashes of the turns that are taken, as `hashtext(lane || ':' || workspace_id)::oid`. */
export const lockedTurns = `SELECT objid FROM pg_locks JOIN pg_database d ON d.oid = pg_locks.database
  WHERE locktype = 'advisory' AND classid = ${lockClass} AND objsubid = 2 AND granted AND datname = current_database()`;

/**
 * Removes the queue's jobs of processes that were killed. If a turn is enqueued while such a job has its key, the queue
 * takes away the job's key and attempts, and keeps it for ever. A job locked for less than 4 hours may be under way.
 */
export const removeDeadTurns = async (db: Queryable): Promise<void> => {
  await db.query({
    name: 'remove-dead-turns',
    text: `SELECT FROM graphile_worker.complete_jobs(ARRAY(
             SELECT id FROM graphile_worker.jobs WHERE task_identifier = $1 AND key IS NULL AND attempts >= max_attempts
               AND locked_at < now() - interval '4 hours'))`,
    values: [turnTask],
  });
};

/** The turn of a payload. @throws {Error} for any other payload */
export const turnOf = (payload: unknown): Turn => {
  if (typeof payload === 'object' && payload !== null && 'workspaceId' in payload && 'lane' in payload)
    return { lane: String(payload.lane), workspaceId: String(payload.workspaceId) };
  throw new Error('a turn names its lane and its workspace');
};
