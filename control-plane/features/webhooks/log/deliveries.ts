/** The log of deliveries in PostgreSQL: queued and finished ones as one list. */
import type { DeliveryStatus } from '#schemas/api/webhooks.ts';
import type { Queryable } from '../../../platform/db/pool.ts';

export interface LoggedDelivery {
  id: string;
  eventId: string;
  placedAt: Date;
  type: string;
  /** Whether its owner requested it as a test. */
  test: boolean;
  status: DeliveryStatus;
  attempts: LoggedAttempt[];
  /** Null if no attempt is due, or one is under way. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
}

export interface LoggedAttempt {
  at: string;
  status: number | null;
  durationMs: number;
  error: string | null;
  response: string | null;
}

/** The end of a page. */
export interface LogPosition {
  readonly placedAt: Date;
  readonly id: string;
}

const common = `id, event_id AS "eventId", placed_at AS "placedAt", type, test, attempts, created_at AS "createdAt"`;
const queued = `${common}, 'pending' AS status, CASE WHEN lease IS NULL THEN due_at END AS "nextAttemptAt",
  NULL::timestamptz AS "finishedAt" FROM webhook_queue`;
const finished = `${common}, status, NULL::timestamptz AS "nextAttemptAt", finished_at AS "finishedAt" FROM webhook_deliveries`;

const sourcesOf = (status: DeliveryStatus | undefined): string[] => {
  if (status === 'pending') return [queued];
  return status === undefined ? [queued, finished] : [finished];
};

export interface LogFilter {
  readonly webhookId: string;
  readonly status?: DeliveryStatus | undefined;
  /** By the events' time: from the first instant, up to but not including the second. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** The position of the previous page; undefined for the first page. */
  readonly before?: LogPosition | undefined;
}

/**
 * Deliveries of a webhook, the newest events first.
 * @param limit up to this many rows are read from each of the two tables
 */
export const listDeliveries = async (
  db: Queryable,
  { webhookId, status, from, to, before }: LogFilter,
  limit: number,
): Promise<LoggedDelivery[]> => {
  const values: unknown[] = [webhookId, limit];
  const conditions = ['webhook_id = $1'];
  if (before) {
    const [at, id] = [values.push(before.placedAt.toISOString()), values.push(before.id)];
    conditions.push(`(placed_at, id) < ($${at}::timestamptz, $${id})`);
  }
  if (from) conditions.push(`placed_at >= $${values.push(from.toISOString())}`);
  if (to) conditions.push(`placed_at < $${values.push(to.toISOString())}`);
  // A literal, so that the planner can use the index of failed deliveries.
  if (status === 'failed' || status === 'succeeded') conditions.push(`status = '${status}'`);
  const parts = sourcesOf(status).map(
    (source) =>
      `(SELECT ${source} WHERE ${conditions.join(' AND ')} ORDER BY placed_at DESC, id DESC LIMIT $2)`,
  );
  // Not a named statement: the planner picks the index by the filters.
  const { rows } = await db.query<LoggedDelivery>(
    `SELECT * FROM (${parts.join(' UNION ALL ')}) AS page ORDER BY "placedAt" DESC, id DESC LIMIT $2`,
    values,
  );
  return rows;
};

export interface FoundDelivery extends LoggedDelivery {
  /** Its events if it is a batch; else null. */
  batch: { id: string; placedAt: string }[] | null;
}

/** A delivery of a webhook, or undefined if there is none. */
export const findDelivery = async (
  db: Queryable,
  webhookId: string,
  id: string,
): Promise<FoundDelivery | undefined> => {
  const { rows } = await db.query<FoundDelivery>({
    name: 'find-webhook-delivery',
    text: `SELECT batch, ${queued} WHERE id = $1 AND webhook_id = $2
           UNION ALL SELECT batch, ${finished} WHERE id = $1 AND webhook_id = $2`,
    values: [id, webhookId],
  });
  return rows[0];
};
