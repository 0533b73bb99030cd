/**
 * The webhooks that follow events, read by the fan-out without a lock, so that changes of a workspace do not wait for
 * each other.
 */
import type { StoredFilter } from '#schemas/api/webhooks.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { CodeOfEvent } from './payloads.ts';

/** The size limit of a batch, and how long its first scan waits for others. */
export interface BatchRule {
  readonly maxEvents: number;
  readonly maxSeconds: number;
}

/** Codes: those of any of the sets. */
export interface CodeFilter {
  readonly codeIds: ReadonlySet<string>;
  /** The ids under which codes hold the tags. */
  readonly tagIds: ReadonlySet<number>;
  readonly folderIds: ReadonlySet<string>;
}

/** A filter as it is read. */
interface FilterRow {
  readonly filter: StoredFilter | null;
  readonly filterTagIds: readonly number[] | null;
}

/**
 * SQL over `webhooks AS h`: the filter, and the ids under which codes hold its tags now, also by tags that were merged into
 * them. A tag that is gone has no codes.
 */
const filterColumns = `h.filter, CASE WHEN h.filter ? 'tags' THEN ARRAY(
    SELECT own.id FROM tags AS live JOIN tags AS own ON own.id = live.id OR own.merged_into = live.id
    WHERE live.workspace_id = h.workspace_id AND live.gone_at IS NULL
      AND live.key IN (SELECT tag ->> 'key' FROM jsonb_array_elements(h.filter -> 'tags') AS tag)
  ) END AS "filterTagIds"`;

const filterOf = ({ filter, filterTagIds }: FilterRow): CodeFilter | null =>
  filter && {
    codeIds: new Set(filter.codeIds),
    tagIds: new Set(filterTagIds),
    folderIds: new Set(filter.folderIds),
  };

/** Of a webhook, as it is now. */
export const findFilter = async (tx: Transaction, webhookId: string): Promise<CodeFilter | null> => {
  const { rows } = await tx.query<FilterRow>({
    name: 'find-filter-of-webhook',
    text: `SELECT ${filterColumns} FROM webhooks AS h WHERE h.id = $1`,
    values: [webhookId],
  });
  return rows[0] ? filterOf(rows[0]) : null;
};

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

type WebhookRow = Omit<InterestedWebhook, 'filter'> & FilterRow;

type AudienceRow =
  | WebhookRow
  | { [Key in keyof WebhookRow]: Key extends 'workspaceId' | 'subscriptionId' ? string : null };

const isWebhook = (row: AudienceRow): row is WebhookRow => row.id !== null;

const toWebhook = ({ filter, filterTagIds, ...webhook }: WebhookRow): InterestedWebhook => ({
  ...webhook,
  filter: filterOf({ filter, filterTagIds }),
});

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
    text: `SELECT h.id, w.id AS "workspaceId", w.subscription_id AS "subscriptionId", h.events, ${filterColumns}, h.batch,
        h.overflowing_since IS NOT NULL AS overflowing
      FROM workspaces w LEFT JOIN webhooks h ON h.workspace_id = w.id AND h.events && $2
      WHERE w.id = ANY ($1) ORDER BY h.seq`,
    values: [workspaceIds, [...types, everyType]],
  });
  const byWorkspace = Map.groupBy(rows, ({ workspaceId }) => workspaceId);
  return new Map(
    [...byWorkspace].map(([workspaceId, own]) => [
      workspaceId,
      { subscriptionId: own[0]!.subscriptionId, webhooks: own.filter(isWebhook).map(toWebhook) },
    ]),
  );
};

/** The event, as a webhook chooses it. @param code that the event is about; undefined if it is about none */
export const isWanted = (
  { events, filter }: Pick<InterestedWebhook, 'events' | 'filter'>,
  type: string,
  code: CodeOfEvent | undefined,
): boolean => (events.includes(type) || events.includes(everyType)) && passes(filter, code);

/** A filter restricts the events of codes only. */
export const passes = (filter: CodeFilter | null, code: CodeOfEvent | undefined): boolean =>
  filter === null ||
  code === undefined ||
  filter.codeIds.has(code.id) ||
  (code.folderId !== null && filter.folderIds.has(code.folderId)) ||
  code.tagIds.some((id) => filter.tagIds.has(id));
