/** Replays in PostgreSQL. */
import type { Replayable, ReplayBody } from '#schemas/api/webhooks.ts';
import { ClientError } from '#shared/errors.ts';
import { prefixedIds } from '#shared/ids.ts';
import type { Job } from '../../../jobs/kind.ts';
import { createJob, jobColumns } from '../../../jobs/store.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

export const replayIds = prefixedIds('whr');

export const isReplayIdShaped = (id: string): boolean => /^whr_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id);

/** For the work and for the calls that create it. */
export const replayJobs = { name: 'webhook_replay', lane: 'webhook_replay' } as const;

/** A job whose items are the deliveries that were sent. */
export interface StoredReplay extends Job {
  webhookId: string;
  fromAt: Date;
  toAt: Date;
  /** Null: the types that the webhook follows. */
  types: string[] | null;
  which: Replayable;
  phase: 'deliveries' | 'events';
  /** The last row of the phase that was looked at; null before the first. */
  cursorAt: Date | null;
  cursorId: string | null;
}

/** Of PostgreSQL's bigint. */
const seqMax = '9223372036854775807';

const columns = `${jobColumns}, webhook_id AS "webhookId", from_at AS "fromAt", to_at AS "toAt", types, which, phase,
  cursor_at AS "cursorAt", cursor_id AS "cursorId"`;

const replays = 'jobs JOIN webhook_replays USING (id)';

export interface NewReplay extends ReplayBody {
  webhookId: string;
  workspaceId: string;
}

/** Of one webhook: each looks at up to 30 days of events. */
const hourlyMax = 10;

/** @throws {ClientError} RATE_LIMITED where the webhook has had as many in the last hour as it may */
const refuseTooMany = async (tx: Transaction, webhookId: string): Promise<void> => {
  const { rows } = await tx.query<{ seconds: number }>({
    name: 'find-webhook-replay-of-limit',
    text: `SELECT ceil(extract(epoch FROM created_at + interval '1 hour' - now()))::integer AS seconds FROM ${replays}
           WHERE webhook_id = $1 AND created_at > now() - interval '1 hour' ORDER BY created_at DESC OFFSET $2 LIMIT 1`,
    values: [webhookId, hourlyMax - 1],
  });
  if (!rows[0]) return;
  const { seconds } = rows[0];
  throw new ClientError(
    'RATE_LIMITED',
    `More than ${hourlyMax} replays of a webhook in an hour; try again in ${seconds} seconds`,
    { retryAfterSeconds: seconds },
  );
};

/** Until the transaction ends, no other replay of the webhook is created. */
const lockReplays = async (tx: Transaction, webhookId: string): Promise<void> => {
  await tx.query({
    name: 'lock-webhook-replays',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('replays of ' || $1, 0))`,
    values: [webhookId],
  });
};

/** @throws {ClientError} CONFLICT */
const refuseSecond = async (tx: Transaction, webhookId: string): Promise<void> => {
  const { rowCount } = await tx.query({
    name: 'find-unfinished-webhook-replay',
    text: `SELECT FROM ${replays} WHERE webhook_id = $1 AND completed_at IS NULL`,
    values: [webhookId],
  });
  if (rowCount !== 0)
    throw new ClientError('CONFLICT', 'The webhook has a replay that is not finished; wait for its end');
};

/**
 * Later events are not part of it. Its work begins once the transaction is committed.
 * @throws {ClientError} CONFLICT if the webhook has one that is not finished; RATE_LIMITED if it has had 10 in an hour
 */
export const createReplay = async (tx: Transaction, replay: NewReplay): Promise<StoredReplay> => {
  const { webhookId, workspaceId, from, to, types = null, which } = replay;
  await lockReplays(tx, webhookId);
  await refuseTooMany(tx, webhookId);
  await refuseSecond(tx, webhookId);
  const id = replayIds.create();
  await createJob(tx, { id, workspaceId, kind: replayJobs.name, lane: replayJobs.lane, total: null });
  await tx.query({
    name: 'create-webhook-replay',
    text: `INSERT INTO webhook_replays (id, webhook_id, from_at, to_at, types, which, phase)
           VALUES ($1, $2, $3, least($4::timestamptz, date_trunc('milliseconds', now())), $5, $6, $7)`,
    values: [
      id,
      webhookId,
      from.toISOString(),
      to.toISOString(),
      types,
      which,
      which === 'missed' ? 'events' : 'deliveries',
    ],
  });
  return (await findReplay(tx, webhookId, id))!;
};

/** A replay of a webhook, or undefined where there is none. */
export const findReplay = async (
  db: Queryable,
  webhookId: string,
  id: string,
): Promise<StoredReplay | undefined> => {
  const { rows } = await db.query<StoredReplay>({
    name: 'find-webhook-replay',
    text: `SELECT ${columns} FROM ${replays} WHERE id = $1 AND webhook_id = $2`,
    values: [id, webhookId],
  });
  return rows[0];
};

/** A page of the replays of a webhook, the newest first. @param before the seq of the last one of the page before */
export const listReplays = async (
  db: Queryable,
  webhookId: string,
  before: string | undefined,
  limit: number,
): Promise<StoredReplay[]> => {
  const { rows } = await db.query<StoredReplay>({
    name: 'list-webhook-replays',
    text: `SELECT ${columns} FROM ${replays}
           WHERE webhook_id = $1 AND seq < coalesce($2::bigint, ${seqMax}) ORDER BY seq DESC LIMIT $3`,
    values: [webhookId, before ?? null, limit],
  });
  return rows;
};

/** The replay of a job; undefined if its webhook was deleted. */
export const findReplayOfJob = async (db: Queryable, jobId: string): Promise<StoredReplay | undefined> => {
  const { rows } = await db.query<StoredReplay>({
    name: 'find-replay-of-job',
    text: `SELECT ${columns} FROM ${replays} WHERE id = $1`,
    values: [jobId],
  });
  return rows[0];
};

/** Where the next slice goes on. */
export type Cursor = Pick<StoredReplay, 'phase' | 'cursorAt' | 'cursorId'>;

export const saveCursor = async (
  tx: Transaction,
  jobId: string,
  { phase, cursorAt, cursorId }: Cursor,
): Promise<void> => {
  await tx.query({
    name: 'save-webhook-replay-cursor',
    text: 'UPDATE webhook_replays SET phase = $2, cursor_at = $3, cursor_id = $4 WHERE id = $1',
    values: [jobId, phase, cursorAt?.toISOString() ?? null, cursorId],
  });
};
