/**
 * Jobs in PostgreSQL. A job ends `completed` or `failed` for good: a job that has ended is not changed again, and `false`
 * tells its worker that it was cancelled, or that another process has ended it.
 */
import { currentKeyId, noteSubject } from '../platform/db/actions.ts';
import type { Queryable } from '../platform/db/pool.ts';
import type { Transaction } from '../platform/db/transaction.ts';
import type { Job, JobKind, JobStatus } from './kind.ts';
import { enqueueTurn, lockedTurns, type Turn } from './turns.ts';

export interface NewJob extends Pick<Job, 'id' | 'workspaceId'> {
  kind: string;
  /** That of the kind. */
  lane: string;
  total: number | null;
}

/** For statements that join tables without such names. */
export const jobColumns = `id, seq, workspace_id AS "workspaceId", kind, status, total, done, error, attempts, failures,
  key_id AS "keyId", held_up_since AS "heldUpSince", aside_until AS "asideUntil", result_until AS "resultUntil", created_at AS "createdAt", updated_at AS "updatedAt",
  completed_at AS "completedAt"`;

const unfinished = `status IN ('pending', 'processing')`;

/** SQL: whether an unfinished job of a workspace acts for a key. @param keyId SQL, as the other */
export const isActedFor = (keyId: string, workspaceId: string): string =>
  `EXISTS (SELECT FROM jobs WHERE jobs.workspace_id = ${workspaceId} AND jobs.key_id = ${keyId} AND ${unfinished})`;

/** Its work begins once the transaction is committed. It acts for the key of the request. */
export const createJob = async (
  tx: Transaction,
  { id, workspaceId, kind, lane, total }: NewJob,
): Promise<void> => {
  await tx.query({
    name: 'create-job',
    text: 'INSERT INTO jobs (id, workspace_id, kind, lane, total, key_id) VALUES ($1, $2, $3, $4, $5, $6)',
    values: [id, workspaceId, kind, lane, total, currentKeyId()],
  });
  noteSubject({ resourceId: id });
  await enqueueTurn(tx, { lane, workspaceId });
};

/** Jobs in a list that were set aside before, and others: however many of the first there are, the others have room. */
const listedMax = 50;

/** The unfinished jobs of a workspace in the order in which they are worked on. Jobs that are set aside come last. */
export const listUnfinished = async (
  db: Queryable,
  { lane, workspaceId }: Turn,
  takesTurns: boolean,
): Promise<Job[]> => {
  const order = `coalesce(aside_until > clock_timestamp(), false), CASE WHEN $3 THEN updated_at END, seq`;
  const { rows } = await db.query<Job>({
    name: 'list-unfinished-jobs',
    text: `SELECT ${jobColumns} FROM (
             SELECT *, row_number() OVER (PARTITION BY aside_until IS NULL ORDER BY ${order}) AS place FROM jobs
             WHERE workspace_id = $1 AND lane = $2 AND ${unfinished}) AS ordered
           WHERE place <= ${listedMax} ORDER BY ${order}`,
    values: [workspaceId, lane, takesTurns],
  });
  return rows;
};

/** A job that is held up is tried more often than this; if it was not, it has waited behind others. */
const triedWithin = `interval '5 minutes'`;
/** Counts stop here, before the column is full: a job that cannot end is tried for ever. */
const countMax = 1_000;

/**
 * Counts an attempt. To be committed before the work begins, so that the attempt counts even if the process ends with it.
 * @returns the job as it is now; undefined if it has ended
 */
export const beginAttempt = async (db: Queryable, id: string): Promise<Job | undefined> => {
  const { rows } = await db.query<Job>({
    name: 'begin-job-attempt',
    text: `UPDATE jobs SET status = 'processing', attempts = least(attempts + 1, ${countMax}),
             held_up_since = CASE WHEN updated_at > clock_timestamp() - ${triedWithin} THEN held_up_since END
           WHERE id = $1 AND ${unfinished} RETURNING ${jobColumns}`,
    values: [id],
  });
  return rows[0];
};

/** Until the transaction ends, no other one changes the job. @returns false if it has ended */
export const lockUnfinished = async (tx: Transaction, id: string): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'lock-unfinished-job',
    text: `SELECT FROM jobs WHERE id = $1 AND ${unfinished} FOR NO KEY UPDATE`,
    values: [id],
  });
  return rowCount === 1;
};

export const addProgress = async (tx: Transaction, id: string, done: number): Promise<void> => {
  await tx.query({
    name: 'add-job-progress',
    text: `UPDATE jobs SET done = done + $2, attempts = 0, failures = 0, held_up_since = NULL, aside_until = NULL,
             updated_at = clock_timestamp() WHERE id = $1`,
    values: [id, done],
  });
};

/** @param resultUntil when its result is removed, if it is @returns false if it has ended before */
export const completeJob = async (db: Queryable, id: string, resultUntil?: Date): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'complete-job',
    text: `UPDATE jobs SET status = 'completed', result_until = $2, updated_at = clock_timestamp(),
             completed_at = clock_timestamp() WHERE id = $1 AND ${unfinished}`,
    values: [id, resultUntil ?? null],
  });
  return rowCount === 1;
};

/** Ends it, also if its owner cancels it. @param error for its owner @returns false if it has ended before */
export const failJob = async (db: Queryable, id: string, error: string): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'fail-job',
    text: `UPDATE jobs SET status = 'failed', error = $2, updated_at = clock_timestamp(), completed_at = clock_timestamp()
           WHERE id = $1 AND ${unfinished}`,
    values: [id, error],
  });
  return rowCount === 1;
};

/** What a cancelled job says. To the engine it is a job that failed. */
const cancelledError = 'It was cancelled';

/** Ends it for its owner. @returns false if it has ended before */
export const cancelJob = (db: Queryable, id: string): Promise<boolean> => failJob(db, id, cancelledError);

/** The result of a completed job ends now. @returns false if it has none */
export const endResult = async (db: Queryable, id: string): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'end-job-result',
    text: `UPDATE jobs SET result_until = now(), updated_at = clock_timestamp()
           WHERE id = $1 AND status = 'completed' AND result_until > now()`,
    values: [id],
  });
  return rowCount === 1;
};

/** As its owner is shown it: a job that they have ended has not failed. */
export const shownEnd = ({
  status,
  error,
}: Pick<Job, 'status' | 'error'>): { status: JobStatus | 'cancelled'; error?: string } => {
  if (status === 'failed' && error === cancelledError) return { status: 'cancelled' };
  return error === null ? { status } : { status, error };
};

/** A job that could do nothing lets the others of its lane go first for this long. */
const aside = `clock_timestamp() + interval '10 seconds'`;

/** An attempt failed by itself. @param asideAfter a job that has failed so often, and cannot end, lets others go first */
export const countFailure = async (db: Queryable, id: string, asideAfter: number): Promise<void> => {
  await db.query({
    name: 'count-job-failure',
    text: `UPDATE jobs SET failures = least(failures + 1, ${countMax}), updated_at = clock_timestamp(),
             aside_until = CASE WHEN failures >= $2 THEN ${aside} ELSE aside_until END
           WHERE id = $1 AND ${unfinished}`,
    values: [id, asideAfter],
  });
};

/** An attempt could do nothing, and does not count. @param isHeldUp something is down */
export const setAside = async (db: Queryable, id: string, isHeldUp: boolean): Promise<void> => {
  await db.query({
    name: 'set-job-aside',
    text: `UPDATE jobs SET attempts = greatest(attempts - 1, 0), aside_until = ${aside},
             held_up_since = CASE WHEN $2 THEN coalesce(held_up_since, clock_timestamp()) END, updated_at = clock_timestamp()
           WHERE id = $1 AND ${unfinished}`,
    values: [id, isHeldUp],
  });
};

/** Turns with a job that has made no progress for some time, and that no process works on. */
export const listStalledTurns = async (db: Queryable, idleSeconds: number): Promise<Turn[]> => {
  const { rows } = await db.query<Turn>({
    name: 'list-stalled-jobs',
    text: `SELECT DISTINCT lane, workspace_id AS "workspaceId" FROM jobs
           WHERE ${unfinished} AND updated_at <= clock_timestamp() - make_interval(secs => $1)
             AND hashtext(lane || ':' || workspace_id)::oid NOT IN (${lockedTurns})`,
    values: [idleSeconds],
  });
  return rows;
};

/** Jobs of a kind that are not finished, of all workspaces. */
export interface Backlog {
  kind: string;
  jobs: number;
  /** Items that are not done, if that is known. */
  items: number;
  /** Since the oldest one was created. */
  oldestSeconds: number;
}

export const readBacklog = async (db: Queryable): Promise<Backlog[]> => {
  const { rows } = await db.query<Backlog>({
    name: 'read-job-backlog',
    text: `SELECT kind, count(*)::integer AS jobs, coalesce(sum(total - done), 0)::double precision AS items,
             extract(epoch FROM clock_timestamp() - min(created_at))::double precision AS "oldestSeconds"
           FROM jobs WHERE ${unfinished} GROUP BY kind`,
  });
  return rows;
};

/** Unfinished jobs of a kind of a workspace. */
export const countUnfinished = async (
  db: Queryable,
  workspaceId: string,
  { name, lane }: Pick<JobKind, 'name' | 'lane'>,
): Promise<number> => {
  const { rows } = await db.query<{ jobs: number }>({
    name: 'count-unfinished-jobs',
    text: `SELECT count(*)::integer AS jobs FROM jobs WHERE workspace_id = $1 AND lane = $2 AND kind = $3 AND ${unfinished}`,
    values: [workspaceId, lane, name],
  });
  return rows[0]!.jobs;
};
