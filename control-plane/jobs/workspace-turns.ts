/**
 * Turns of workspaces, for work that comes in slices: each run of the queue's job does one slice for one workspace, and enqueues the
 * next one in its own transaction, so that workspaces take turns. One job waits at most for each workspace, and a workspace has one
 * slice at a time, in whatever process. Its lock ends with the transaction, and so with the connection of a process that is killed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../db/pool.ts';
import type { Transaction } from '../db/transaction.ts';

/** Other jobs that are due go first: they take moments, and there are few. */
const priority = 10;

/** A slice enqueues the next one as it commits, which is a moment before its lock is gone. */
const triesMax = 10;
const pauseMs = 50;

export interface WorkspaceTurnsOptions {
  /** The queue's task; its payload is `{workspaceId}`. */
  task: string;
  /** What its jobs are for, in their keys. */
  key: string;
  /** Any number of its own: advisory locks of another class are other ones. */
  lockClass: number;
}

export interface WorkspaceTurns {
  readonly task: string;
  /** @param delayMs how long the next slice waits where this one could do nothing */
  enqueue(db: Queryable, workspaceId: string, delayMs?: number): Promise<void>;
  /**
   * Takes the turn until the transaction ends.
   * @returns false where another job has it: that one enqueues the next slice
   */
  takeTurn(tx: Transaction, workspaceId: string): Promise<boolean>;
  /**
   * Removes the jobs of processes that were killed. Where a job is enqueued while such a one has its key, the queue takes its key
   * and its attempts, and keeps it for ever. One that is locked for less than 4 hours may be under way.
   */
  removeDeadJobs(db: Queryable): Promise<void>;
  /** SQL: the hashes of the workspaces that have a turn now, as `hashtext(workspace_id)::oid`. */
  readonly lockedWorkspaces: string;
}

export const createWorkspaceTurns = ({ task, key, lockClass }: WorkspaceTurnsOptions): WorkspaceTurns => {
  const tryLock = async (tx: Transaction, workspaceId: string): Promise<boolean> => {
    const { rows } = await tx.query<{ locked: boolean }>({
      name: 'try-lock-workspace-turn',
      text: 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS locked',
      values: [lockClass, workspaceId],
    });
    return rows[0]!.locked;
  };

  return {
    task,
    async enqueue(db, workspaceId, delayMs = 0) {
      await db.query({
        name: 'enqueue-workspace-turn',
        text: `SELECT graphile_worker.add_job($1, json_build_object('workspaceId', $2::text), priority => $3, job_key => $4,
                 job_key_mode => 'preserve_run_at', run_at => now() + make_interval(secs => $5))`,
        values: [task, workspaceId, priority, `${key}:${workspaceId}`, delayMs / 1000],
      });
    },
    async takeTurn(tx, workspaceId) {
      for (let tries = 1; !(await tryLock(tx, workspaceId)); tries++) {
        if (tries === triesMax) return false;
        await sleep(pauseMs);
      }
      return true;
    },
    async removeDeadJobs(db) {
      await db.query({
        name: 'remove-dead-workspace-turns',
        text: `SELECT FROM graphile_worker.complete_jobs(ARRAY(
                 SELECT id FROM graphile_worker.jobs WHERE task_identifier = $1 AND key IS NULL AND attempts >= max_attempts
                   AND locked_at < now() - interval '4 hours'))`,
        values: [task],
      });
    },
    lockedWorkspaces: `SELECT objid FROM pg_locks JOIN pg_database d ON d.oid = pg_locks.database
      WHERE locktype = 'advisory' AND classid = ${lockClass} AND objsubid = 2 AND granted AND datname = current_database()`,
  };
};

/** The workspace of a job. @throws {Error} for a payload that names none */
export const workspaceOfTurn = (payload: unknown): string => {
  if (typeof payload === 'object' && payload !== null && 'workspaceId' in payload)
    return String(payload.workspaceId);
  throw new Error('a job of a workspace’s turn names no workspace');
};
