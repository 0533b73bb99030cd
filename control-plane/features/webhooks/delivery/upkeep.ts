/**
 * Keeps the queue in order, once a minute: webhooks with too many deliveries, deliveries of deleted webhooks, and
 * clocks that were set back.
 */

import type { Task } from '../../../jobs/tasks.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import { leaseSeconds } from './claim.ts';

export interface UpkeepLimits {
  /** Waiting deliveries of a webhook: beyond this there are no new ones … */
  readonly waitingMax: number;
  /** … until there are fewer than this. */
  readonly waitingLow: number;
  /** Rows per statement. */
  readonly sliceMax: number;
}

export const upkeepLimits: UpkeepLimits = { waitingMax: 1_000_000, waitingLow: 900_000, sliceMax: 5_000 };

/** The longest delay is 6 hours and a tenth: anything due later comes from a clock that was set back. */
const dueHoursMax = 7;
/** Webhooks per statement. */
const webhooksMax = 1_000;
/** A run ends after this; the next one starts over. */
const runMsMax = 30_000;

/** The webhooks with deliveries in the queue, by one index step each. */
const listQueued = async (
  db: Queryable,
  after: string,
): Promise<readonly { id: string; exists: boolean }[]> => {
  const { rows } = await db.query<{ id: string; exists: boolean }>({
    name: 'list-queued-webhooks',
    text: `WITH RECURSIVE heads AS (
        (SELECT webhook_id FROM webhook_queue WHERE webhook_id > $1 ORDER BY webhook_id LIMIT 1)
        UNION ALL
        SELECT (SELECT q.webhook_id FROM webhook_queue q WHERE q.webhook_id > heads.webhook_id ORDER BY q.webhook_id LIMIT 1)
        FROM heads WHERE heads.webhook_id IS NOT NULL
      )
      SELECT webhook_id AS id, EXISTS (SELECT FROM webhooks WHERE id = webhook_id) AS exists
      FROM heads WHERE webhook_id IS NOT NULL LIMIT ${webhooksMax}`,
    values: [after],
  });
  return rows;
};

const removeSome = async (db: Queryable, webhookId: string, rowsMax: number): Promise<number> => {
  const { rowCount } = await db.query({
    name: 'remove-deliveries-of-deleted-webhook',
    // Checked again: it may have been created since.
    text: `DELETE FROM webhook_queue WHERE id IN (SELECT id FROM webhook_queue WHERE webhook_id = $1 LIMIT $2)
      AND NOT EXISTS (SELECT FROM webhooks WHERE id = $1)`,
    values: [webhookId, rowsMax],
  });
  return rowCount ?? 0;
};

const noteOverflow = async (
  db: Queryable,
  webhookId: string,
  { waitingMax, waitingLow }: UpkeepLimits,
): Promise<void> => {
  await db.query({
    name: 'note-overflowing-webhook',
    text: `WITH waiting AS (SELECT count(*) AS n FROM (SELECT FROM webhook_queue WHERE webhook_id = $1 LIMIT $2::bigint + 1) counted)
      UPDATE webhooks SET overflowing_since = CASE WHEN n > $2::bigint THEN now() END FROM waiting
      WHERE id = $1 AND ((n > $2::bigint AND overflowing_since IS NULL) OR (n < $3::bigint AND overflowing_since IS NOT NULL))`,
    values: [webhookId, waitingMax, waitingLow],
  });
};

/** Webhooks with an empty queue do not appear in it. */
const endOverflow = async (db: Queryable): Promise<void> => {
  await db.query({
    name: 'end-overflow-of-empty-queues',
    text: `UPDATE webhooks SET overflowing_since = NULL
      WHERE overflowing_since IS NOT NULL AND NOT EXISTS (SELECT FROM webhook_queue WHERE webhook_id = webhooks.id)`,
  });
};

/**
 * Makes deliveries due now that are due later than any delay allows, and new ones that were never tried but are due
 * later.
 */
const bringForward = async (db: Queryable, webhookId: string, rowsMax: number): Promise<void> => {
  await db.query({
    name: 'bring-forward-webhook-deliveries',
    text: `UPDATE webhook_queue SET due_at = now(), lease = NULL WHERE id IN (
        SELECT id FROM (
          SELECT id, due_at, round_attempts, lease FROM webhook_queue
          WHERE webhook_id = $1 AND due_at > now() + interval '2 minutes' ORDER BY due_at DESC LIMIT $2
        ) late WHERE due_at > now() + interval '${dueHoursMax} hours' OR (round_attempts = 0 AND lease IS NULL)
      )`,
    values: [webhookId, rowsMax],
  });
};

/** Leases that end later than any lease can. */
const endLateLeases = async (db: Queryable): Promise<void> => {
  await db.query({
    name: 'end-late-webhook-leases',
    text: `UPDATE webhook_queue SET due_at = now(), lease = NULL
      WHERE lease IS NOT NULL AND due_at > now() + make_interval(secs => $1)`,
    values: [2 * leaseSeconds],
  });
};

/** One pass over all webhooks of the queue. */
export const keepQueue = async (db: Queryable, limits: UpkeepLimits = upkeepLimits): Promise<void> => {
  const endsMs = performance.now() + runMsMax;
  await endLateLeases(db);
  await endOverflow(db);
  let after = '';
  do {
    const some = await listQueued(db, after);
    for (const { id, exists } of some) {
      if (performance.now() > endsMs) return;
      if (exists) {
        await noteOverflow(db, id, limits);
        await bringForward(db, id, limits.sliceMax);
      } else while ((await removeSome(db, id, limits.sliceMax)) > 0 && performance.now() < endsMs);
    }
    after = some.length === webhooksMax ? some.at(-1)!.id : '';
  } while (after !== '');
};

/** @param db its own connection: counting a million rows takes a moment */
export const upkeepJob = (db: Queryable): Task => ({
  task: 'webhook-upkeep',
  schedule: '* * * * *',
  run: () => keepQueue(db),
});
