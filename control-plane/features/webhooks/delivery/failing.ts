/**
 * Stores whether a webhook fails, and since when. After days of failures it is paused, and its workspace is notified
 * by an event.
 */

import { eventIds, type Outbox } from '../../../framework/outbox.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

/** The days of failing after which a webhook is paused … */
const failingDaysMax = 5;
/** … if its URL has ever answered 2xx, and if it never has. */
const unansweredDaysMax = 1;
/** The last failure must be at most this many days old. */
const recentDaysMax = 1;
/**
 * After this long without failures, a new failing period begins. This also keeps a clock that jumps by months from
 * turning an hour into days.
 */
const forgottenDays = 7;

/** SQL: the duration of failing after which a webhook is paused. @param webhook the name of its row */
export const failingMax = (webhook: string): string =>
  `make_interval(days => CASE WHEN ${webhook}.answered_at IS NULL THEN ${unansweredDaysMax} ELSE ${failingDaysMax} END)`;

export const noteRecovered = async (db: Queryable, webhookIds: readonly string[]): Promise<void> => {
  await db.query({
    name: 'note-recovered-webhooks',
    text: `UPDATE webhooks SET failing_since = NULL, last_failed_at = NULL
      WHERE id = ANY ($1) AND (failing_since IS NOT NULL OR last_failed_at IS NOT NULL)`,
    values: [webhookIds],
  });
};

/** SQL: since when a webhook that has just failed has been failing. */
const failingSince = `CASE WHEN last_failed_at > now() - interval '${forgottenDays} days' AND failing_since <= now()
  THEN failing_since ELSE now() END`;

export const noteFailing = async (db: Queryable, webhookIds: readonly string[]): Promise<void> => {
  await db.query({
    name: 'note-failing-webhooks',
    text: `UPDATE webhooks SET last_failed_at = now(),
        failing_since = ${failingSince}
      WHERE id = ANY ($1)`,
    values: [webhookIds],
  });
};

interface PausedRow {
  id: string;
  workspaceId: string;
  url: string;
  failingSince: Date;
  pausedAt: Date;
}

const pauseThose = async (
  tx: Transaction,
  webhookIds: readonly string[],
  gone: readonly string[],
): Promise<readonly PausedRow[]> => {
  const { rows } = await tx.query<PausedRow>({
    name: 'pause-failing-webhooks',
    text: `UPDATE webhooks SET status = 'paused', paused_reason = 'failing', paused_at = now(), updated_at = now(),
        last_failed_at = now(), failing_since = ${failingSince}
      WHERE id = ANY ($1) AND status = 'active' AND (id = ANY ($2) OR
        (failing_since <= now() - ${failingMax('webhooks')} AND last_failed_at >= now() - interval '${recentDaysMax} days'))
      RETURNING id, workspace_id AS "workspaceId", url, failing_since AS "failingSince", paused_at AS "pausedAt"`,
    values: [webhookIds, gone],
  });
  return rows;
};

/**
 * Pauses the given webhooks that have failed for {@link failingMax}, and within the last day.
 * @param webhookIds webhooks that have just failed
 * @param gone webhooks among them whose receiver says that it is gone for good: they are paused at once
 * @returns how many were paused
 */
export const pauseFailing = async (
  tx: Transaction,
  outbox: Outbox,
  webhookIds: readonly string[],
  gone: readonly string[],
): Promise<number> => {
  const paused = await pauseThose(tx, webhookIds, gone);
  const events = paused.map(({ id, workspaceId, url, failingSince, pausedAt }) => ({
    id: eventIds.create(),
    type: 'webhook.paused' as const,
    workspaceId,
    subject: { id, version: pausedAt.getTime() },
    occurredAt: pausedAt,
    data: { webhookId: id, url, failingSince: failingSince.toISOString() },
  }));
  if (events.length > 0) await outbox.emit(tx, events);
  return paused.length;
};
