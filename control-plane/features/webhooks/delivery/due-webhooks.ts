/** Finds the webhooks with due deliveries by checking only the first delivery of each, however many it has. */
import type { Queryable } from '../../../platform/db/pool.ts';
import { failingMax } from './failing.ts';
import { mayBeAsked } from './unanswered.ts';

export interface DueWebhook {
  readonly id: string;
  readonly workspaceId: string;
  readonly url: string;
  readonly secret: Buffer;
  /** Still signs together with the newest one. */
  readonly previousSecret: Buffer | null;
  /** Whether scans come in batches, whose bodies are large. */
  readonly batches: boolean;
  /** Whether its URL has never answered 2xx. */
  readonly unanswered: boolean;
  /** Whether it is known to fail. */
  readonly failing: boolean;
  /**
   * Whether a failure should be stored: none is yet, or the last one is an hour old, or is in the future because a
   * clock ran ahead.
   */
  readonly noteFailure: boolean;
  /** Whether one more failure pauses it. */
  readonly pausable: boolean;
}

export interface DuePage {
  readonly webhooks: readonly DueWebhook[];
  /** Where the next page continues; '' after the last one. */
  readonly next: string;
  /** How long the oldest of these deliveries has been due, in milliseconds; 0 if there is none. */
  readonly oldestDueMs: number;
}

/** The number of webhooks per page. */
const webhooksMax = 256;

interface DueRow extends DueWebhook {
  readonly last: string;
  readonly seen: number;
  readonly dueMs: number;
}

/** One index step per webhook: to its earliest delivery, and from there to the next webhook. */
const heads = `WITH RECURSIVE heads AS (
    (SELECT webhook_id, due_at, 1 AS n FROM webhook_queue WHERE webhook_id > $1 ORDER BY webhook_id, due_at LIMIT 1)
    UNION ALL
    SELECT next.webhook_id, next.due_at, heads.n + 1 FROM heads, LATERAL (
      SELECT q.webhook_id, q.due_at FROM webhook_queue q WHERE q.webhook_id > heads.webhook_id
      ORDER BY q.webhook_id, q.due_at LIMIT 1
    ) next WHERE heads.n < ${webhooksMax}
  )`;

/** @param after the id that the previous page ended with; '' for the first page */
export const findDueWebhooks = async (db: Queryable, after: string): Promise<DuePage> => {
  const { rows } = await db.query<DueRow>({
    name: 'find-due-webhooks',
    text: `${heads}
      SELECT h.id, h.workspace_id AS "workspaceId", h.url, h.secret, h.batch IS NOT NULL AS batches,
        CASE WHEN h.previous_secret_expires_at > now() THEN h.previous_secret END AS "previousSecret",
        h.answered_at IS NULL AS unanswered, h.failing_since IS NOT NULL AS failing,
        h.failing_since IS NULL OR h.last_failed_at IS NULL OR h.last_failed_at < now() - interval '1 hour'
          OR h.last_failed_at > now() AS "noteFailure",
        coalesce(h.failing_since <= now() - ${failingMax('h')}, false) AS pausable,
        extract(epoch FROM now() - heads.due_at)::float8 * 1000 AS "dueMs", whole.last, whole.seen
      FROM (SELECT max(webhook_id) AS last, count(*)::integer AS seen FROM heads) whole
        LEFT JOIN (heads JOIN webhooks h ON h.id = heads.webhook_id AND h.status = 'active' AND heads.due_at <= now()
          AND ${mayBeAsked('h')}) ON true`,
    values: [after],
  });
  const webhooks = rows.filter(({ id }) => id !== null);
  return {
    webhooks,
    next: rows[0] && rows[0].seen === webhooksMax ? rows[0].last : '',
    oldestDueMs: Math.max(0, ...webhooks.map(({ dueMs }) => dueMs)),
  };
};
