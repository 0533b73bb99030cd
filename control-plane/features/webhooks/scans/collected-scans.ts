/** Scans that wait for their batch: one function per statement. */
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { CollectScans } from '../queue/fan-out.ts';
import type { BatchRule } from '../queue/interested.ts';

/** Bytes of an event's envelope around its data. */
const envelopeBytes = 110;

/** Stores scans for the batches of their webhooks. */
export const collectScans: CollectScans = async (tx, scans) => {
  await tx.query({
    name: 'collect-scans',
    text: `INSERT INTO webhook_collected_scans (webhook_id, event_id, placed_at, bytes)
      SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::integer[])`,
    values: [
      scans.map(({ webhookId }) => webhookId),
      scans.map(({ eventId }) => eventId),
      scans.map(({ placedAt }) => placedAt.toISOString()),
      scans.map(({ bytes }) => envelopeBytes + bytes),
    ],
  });
};

/** A webhook with collected scans. */
export interface CollectingWebhook {
  readonly id: string;
  /** Null if it no longer has batches. */
  readonly rule: BatchRule | null;
  /** False if it is deleted. */
  readonly exists: boolean;
  /** How long its first scan has waited. */
  readonly waitedSeconds: number;
}

/** A scan further in the future than this comes from a clock that was set back. */
const clockSlackSeconds = 120;

/** Whether a scan has waited for the maximum. @param seconds SQL */
const hasWaited = (seconds: string): string =>
  `(collected_at <= clock_timestamp() - make_interval(secs => ${seconds})
    OR collected_at > clock_timestamp() + make_interval(secs => ${clockSlackSeconds}))`;

/**
 * Webhooks with a batch that is full or has waited for its maximum, and webhooks that no longer have batches. Steps
 * from webhook to webhook by the index, however many scans each has.
 */
export const listDue = async (db: Queryable, limit: number): Promise<CollectingWebhook[]> => {
  const { rows } = await db.query<CollectingWebhook>({
    name: 'list-due-batches',
    text: `WITH RECURSIVE collecting AS (
        (SELECT webhook_id FROM webhook_collected_scans ORDER BY webhook_id LIMIT 1)
        UNION ALL
        SELECT (SELECT s.webhook_id FROM webhook_collected_scans s WHERE s.webhook_id > c.webhook_id ORDER BY s.webhook_id LIMIT 1)
        FROM collecting c WHERE c.webhook_id IS NOT NULL
      )
      SELECT c.webhook_id AS id, h.batch AS rule, h.id IS NOT NULL AS exists,
        (SELECT extract(epoch FROM clock_timestamp() - s.collected_at)::double precision FROM webhook_collected_scans s
         WHERE s.webhook_id = c.webhook_id ORDER BY s.seq LIMIT 1) AS "waitedSeconds"
      FROM collecting c LEFT JOIN webhooks h ON h.id = c.webhook_id
      WHERE c.webhook_id IS NOT NULL AND (
        h.batch IS NULL
        OR (SELECT ${hasWaited("(h.batch->>'maxSeconds')::integer")} FROM webhook_collected_scans s
            WHERE s.webhook_id = c.webhook_id ORDER BY s.seq LIMIT 1)
        OR EXISTS (SELECT FROM webhook_collected_scans s WHERE s.webhook_id = c.webhook_id
                   OFFSET (h.batch->>'maxEvents')::integer - 1))
      LIMIT $1`,
    values: [limit],
  });
  return rows;
};

/** An arbitrary number that no other advisory lock with two keys uses. */
const lockClass = 5_310_781;

/**
 * @returns false if another process is forming batches of the webhook. The lock is held until the transaction ends.
 */
export const tryLockCollected = async (tx: Transaction, webhookId: string): Promise<boolean> => {
  const { rows } = await tx.query<{ locked: boolean }>({
    name: 'try-lock-collected-scans',
    text: 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS locked',
    values: [lockClass, webhookId],
  });
  return rows[0]!.locked;
};

export interface CollectedRow {
  /** As text: it has 64 bits. */
  readonly seq: string;
  readonly id: string;
  readonly placedAt: Date;
  readonly bytes: number;
  /** Whether it has waited for the maximum. */
  readonly hasWaited: boolean;
}

/** The scans collected for a webhook, oldest first. */
export const readCollected = async (
  tx: Transaction,
  webhookId: string,
  maxSeconds: number,
  limit: number,
): Promise<CollectedRow[]> => {
  const { rows } = await tx.query<CollectedRow>({
    name: 'read-collected-scans',
    text: `SELECT seq, event_id AS id, placed_at AS "placedAt", bytes, ${hasWaited('$2::integer')} AS "hasWaited"
      FROM webhook_collected_scans WHERE webhook_id = $1 ORDER BY seq LIMIT $3`,
    values: [webhookId, maxSeconds, limit],
  });
  return rows;
};

export const removeCollected = async (
  tx: Transaction,
  webhookId: string,
  rows: readonly CollectedRow[],
): Promise<void> => {
  await tx.query({
    name: 'remove-collected-scans',
    text: 'DELETE FROM webhook_collected_scans WHERE webhook_id = $1 AND seq = ANY($2::bigint[])',
    values: [webhookId, rows.map(({ seq }) => seq)],
  });
};
