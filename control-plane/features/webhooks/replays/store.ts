/** Replays in PostgreSQL. */
import type { Replayable, ReplayBody } from '#schemas/api/webhooks.ts';
import { ClientError } from '#shared/errors.ts';
import { prefixedIds } from '#shared/ids.ts';
import type { Queryable } from '../../../db/pool.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { replayTurns } from './turns.ts';

export const replayIds = prefixedIds('whr');

export const isReplayIdShaped = (id: string): boolean => /^whr_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id);

export interface StoredReplay {
  id: string;
  webhookId: string;
  workspaceId: string;
  fromAt: Date;
  toAt: Date;
  /** Null: those that the webhook follows. */
  types: string[] | null;
  which: Replayable;
  state: 'pending' | 'processing' | 'completed' | 'failed';
  phase: 'deliveries' | 'events';
  /** The last row of the phase that was looked at; null before the first. */
  cursorAt: Date | null;
  cursorId: string | null;
  sent: number;
  /** Since the last slice that did not fail. */
  failures: number;
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
}

/** Of PostgreSQL's bigint. */
const seqMax = '9223372036854775807';

const columns = `id, webhook_id AS "webhookId", workspace_id AS "workspaceId", from_at AS "fromAt", to_at AS "toAt", types, which, state,
  phase, cursor_at AS "cursorAt", cursor_id AS "cursorId", sent::double precision AS sent, failures, created_at AS "createdAt",
  updated_at AS "updatedAt", finished_at AS "finishedAt"`;

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
    text: `SELECT ceil(extract(epoch FROM created_at + interval '1 hour' - now()))::integer AS seconds FROM webhook_replays
           WHERE webhook_id = $1 AND created_at > now() - interval '1 hour'
             AND (finished_at IS NULL OR finished_at > now() - interval '1 hour') ORDER BY created_at DESC OFFSET $2 LIMIT 1`,
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

/**
 * What happens from now on is none of it.
 * @throws {ClientError} CONFLICT where the webhook has one that is not finished; RATE_LIMITED where it has had 10 in an hour
 */
export const createReplay = async (tx: Transaction, replay: NewReplay): Promise<StoredReplay> => {
  await refuseTooMany(tx, replay.webhookId);
  const { rows } = await tx.query<StoredReplay>({
    name: 'create-webhook-replay',
    text: `INSERT INTO webhook_replays (id, webhook_id, workspace_id, from_at, to_at, types, which, phase)
           VALUES ($1, $2, $3, $4, least($5::timestamptz, date_trunc('milliseconds', now())), $6, $7, $8)
           ON CONFLICT (webhook_id) WHERE finished_at IS NULL DO NOTHING RETURNING ${columns}`,
    values: [
      replayIds.create(),
      replay.webhookId,
      replay.workspaceId,
      replay.from.toISOString(),
      replay.to.toISOString(),
      replay.types ?? null,
      replay.which,
      replay.which === 'missed' ? 'events' : 'deliveries',
    ],
  });
  if (rows[0]) return rows[0];
  throw new ClientError('CONFLICT', 'The webhook has a replay that is not finished; wait for its end');
};

/** A replay of a webhook, or undefined where there is none. */
export const findReplay = async (
  db: Queryable,
  webhookId: string,
  id: string,
): Promise<StoredReplay | undefined> => {
  const { rows } = await db.query<StoredReplay>({
    name: 'find-webhook-replay',
    text: `SELECT ${columns} FROM webhook_replays WHERE id = $1 AND webhook_id = $2`,
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
): Promise<(StoredReplay & { seq: string })[]> => {
  const { rows } = await db.query<StoredReplay & { seq: string }>({
    name: 'list-webhook-replays',
    text: `SELECT ${columns}, seq::text AS seq FROM webhook_replays
           WHERE webhook_id = $1 AND seq < coalesce($2::bigint, ${seqMax}) ORDER BY webhook_replays.seq DESC LIMIT $3`,
    values: [webhookId, before ?? null, limit],
  });
  return rows;
};

/** The one of a workspace that was worked on the longest time ago: they take turns. Nobody else changes it until the transaction ends. */
export const lockNextReplay = async (
  tx: Transaction,
  workspaceId: string,
): Promise<StoredReplay | undefined> => {
  const { rows } = await tx.query<StoredReplay>({
    name: 'lock-next-webhook-replay',
    text: `SELECT ${columns} FROM webhook_replays WHERE workspace_id = $1 AND finished_at IS NULL
           ORDER BY updated_at, seq LIMIT 1 FOR NO KEY UPDATE`,
    values: [workspaceId],
  });
  return rows[0];
};

/** What a slice leaves. */
export type Progress = Pick<StoredReplay, 'phase' | 'cursorAt' | 'cursorId' | 'state'> & { sent: number };

export const saveProgress = async (
  tx: Transaction,
  id: string,
  { phase, cursorAt, cursorId, state, sent }: Progress,
): Promise<void> => {
  await tx.query({
    name: 'save-webhook-replay-progress',
    text: `UPDATE webhook_replays SET phase = $2, cursor_at = $3, cursor_id = $4, state = $5, sent = sent + $6, failures = 0,
             updated_at = clock_timestamp(), finished_at = CASE WHEN $5 IN ('completed', 'failed') THEN clock_timestamp() END
           WHERE id = $1`,
    values: [id, phase, cursorAt?.toISOString() ?? null, cursorId, state, sent],
  });
};

/** Others of the workspace go first. */
export const postpone = async (tx: Transaction, id: string): Promise<void> => {
  await tx.query({
    name: 'postpone-webhook-replay',
    text: `UPDATE webhook_replays SET state = 'processing', updated_at = clock_timestamp() WHERE id = $1`,
    values: [id],
  });
};

export const countFailure = async (db: Queryable, id: string): Promise<void> => {
  await db.query({
    name: 'count-webhook-replay-failure',
    text: 'UPDATE webhook_replays SET failures = failures + 1, updated_at = clock_timestamp() WHERE id = $1',
    values: [id],
  });
};

/** Workspaces with a replay that nobody works on. */
export const listStalledReplays = async (db: Queryable, idleSeconds: number): Promise<string[]> => {
  const { rows } = await db.query<{ workspaceId: string }>({
    name: 'list-stalled-webhook-replays',
    text: `SELECT DISTINCT workspace_id AS "workspaceId" FROM webhook_replays
           WHERE finished_at IS NULL AND updated_at <= now() - make_interval(secs => $1)
             AND hashtext(workspace_id)::oid NOT IN (${replayTurns.lockedWorkspaces})`,
    values: [idleSeconds],
  });
  return rows.map(({ workspaceId }) => workspaceId);
};
