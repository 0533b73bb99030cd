/** The webhooks that want events, as the fan-out reads them: without a lock, so that changes of a workspace do not wait for each other. */
import type { Transaction } from '../../../db/transaction.ts';

/** How many scans go together, and how long the first of them waits for the others. */
export interface BatchRule {
  readonly maxEvents: number;
  readonly maxSeconds: number;
}

export interface InterestedWebhook {
  readonly id: string;
  readonly workspaceId: string;
  /** The one that pays for the workspace. */
  readonly subscriptionId: string;
  /** Types of events, or `*`. */
  readonly events: readonly string[];
  /** Of scan.created alone. */
  readonly batch: BatchRule | null;
  /** Whether too many deliveries wait already. */
  readonly overflowing: boolean;
}

/** What a webhook lists that wants events of every type. */
export const everyType = '*';

/** Those of the workspaces that want one of the types: also those that are paused, whose deliveries wait. */
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
