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

/** Codes by their ids. */
export interface CodeFilter {
  readonly codeIds: readonly string[];
}

export interface InterestedWebhook {
  readonly id: string;
  readonly workspaceId: string;
  /** The subscription that pays for the workspace. */
  readonly subscriptionId: string;
  /** Types of events, or `*`. */
  readonly events: readonly string[];
  /** The codes whose events it gets; null for all. */
  readonly filter: CodeFilter | null;
  /** For scan.created only. */
  readonly batch: BatchRule | null;
  /** Whether too many deliveries are already waiting. */
  readonly overflowing: boolean;
}

/** The entry of a webhook that follows all event types. */
export const everyType = '*';

/** A workspace with the webhooks that may want an event, in the order of their creation. */
export interface Audience {
  /** The subscription that pays for the workspace. */
  readonly subscriptionId: string;
  readonly webhooks: readonly InterestedWebhook[];
}

type AudienceRow =
  | InterestedWebhook
  | { [Key in keyof InterestedWebhook]: Key extends 'workspaceId' | 'subscriptionId' ? string : null };

const isWebhook = (row: AudienceRow): row is InterestedWebhook => row.id !== null;

/**
 * The workspaces, each with its webhooks that follow any of the types: including paused ones, whose deliveries wait.
 * @returns by the id of the workspace
 */
export const findAudiences = async (
  tx: Transaction,
  workspaceIds: readonly string[],
  types: readonly string[],
): Promise<ReadonlyMap<string, Audience>> => {
  const { rows } = await tx.query<AudienceRow>({
    name: 'find-audiences-of-events',
    text: `SELECT h.id, w.id AS "workspaceId", w.subscription_id AS "subscriptionId", h.events, h.filter, h.batch,
        h.overflowing_since IS NOT NULL AS overflowing
      FROM workspaces w LEFT JOIN webhooks h ON h.workspace_id = w.id AND h.events && $2
      WHERE w.id = ANY ($1) ORDER BY h.seq`,
    values: [workspaceIds, [...types, everyType]],
  });
  const byWorkspace = Map.groupBy(rows, ({ workspaceId }) => workspaceId);
  return new Map(
    [...byWorkspace].map(([workspaceId, own]) => [
      workspaceId,
      { subscriptionId: own[0]!.subscriptionId, webhooks: own.filter(isWebhook) },
    ]),
  );
};

/** The event, as a webhook chooses it. @param codeId of the code that the event is about; undefined if it is about none */
export const isWanted = (
  { events, filter }: Pick<InterestedWebhook, 'events' | 'filter'>,
  type: string,
  codeId: string | undefined,
): boolean => (events.includes(type) || events.includes(everyType)) && passes(filter, codeId);

/** A filter restricts the events of codes only. */
export const passes = (filter: CodeFilter | null, codeId: string | undefined): boolean =>
  filter === null || codeId === undefined || filter.codeIds.includes(codeId);
