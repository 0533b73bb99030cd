/**
 * The webhooks that follow events, read by the fan-out without a lock, so that changes of a workspace do not wait for
 * each other.
 */
import type { Transaction } from '../../../platform/db/transaction.ts';

/** The size limit of a batch, and how long its first scan waits for others. */
export interface BatchRule {
  readonly maxEvents: number;
  readonly maxSeconds: number;
}

export interface InterestedWebhook {
  readonly id: string;
  readonly workspaceId: string;
  /** The subscription that pays for the workspace. */
  readonly subscriptionId: string;
  /** Types of events, or `*`. */
  readonly events: readonly string[];
  /** For scan.created only. */
  readonly batch: BatchRule | null;
  /** Whether too many deliveries are already waiting. */
  readonly overflowing: boolean;
}

/** The entry of a webhook that follows all event types. */
export const everyType = '*';

/** The workspaces' webhooks that follow any of the types, including paused ones, whose deliveries wait. */
export const findInterested = async (
  tx: Transaction,
  workspaceIds: readonly string[],
  types: readonly string[],
): Promise<readonly InterestedWebhook[]> => {
  const { rows } = await tx.query<InterestedWebhook>({
    name: 'find-interested-webhooks',
    text: `SELECT h.id, h.workspace_id AS "workspaceId", w.subscription_id AS "subscriptionId", h.events, h.batch,
        h.overflowing_since IS NOT NULL AS overflowing
      FROM webhooks h JOIN workspaces w ON w.id = h.workspace_id
      WHERE h.workspace_id = ANY ($1) AND h.events && $2 ORDER BY h.seq`,
    values: [workspaceIds, [...types, everyType]],
  });
  return rows;
};

export const isWanted = ({ events }: InterestedWebhook, type: string): boolean =>
  events.includes(type) || events.includes(everyType);
