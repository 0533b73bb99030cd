/**
 * The feed of events in PostgreSQL: webhook_events in the order of the transactions that stored them.
 *
 * A transaction that began earlier may commit later. If its event then came to stand before one that was already read, its
 * reader would never see it. Therefore a reader stops at the horizon, the oldest transaction that was still open: every event
 * before it is there, and none can be added. A transaction that stays open holds up the feed, and nothing else.
 *
 *   committed  committed │ open  committed  open
 *   ─────── read ────────┤ horizon ── later ───▶
 *
 * A restore may set the ids of transactions back. It begins a later timeline, which comes first in the order.
 */
import type { OwnedTable } from '../../../platform/db/owned.ts';
import type { Queryable } from '../../../platform/db/pool.ts';

export const ownedEvents: OwnedTable = {
  table: 'webhook_events',
  noun: 'event',
  isIdShaped: (id) => /^evt_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id),
};

/** A place in the feed: behind an event, or before all events of a transaction. */
export interface Position {
  readonly timeline: number;
  /** A decimal number of 64 bits. */
  readonly xid: string;
  readonly placedAt: Date;
  /** Empty before all events of a transaction. */
  readonly id: string;
}

/** How far the feed can be read now. */
export interface Horizon {
  readonly timeline: number;
  /** Of the oldest open transaction. */
  readonly xid: string;
  /** Every change that was answered before this time is before the horizon. Null if that is not known. */
  readonly completeUntil: Date | null;
}

/**
 * The start of the oldest open transaction is unknown if it has ended meanwhile, or if it is of another role, which
 * PostgreSQL does not show.
 */
export const readHorizon = async (db: Queryable): Promise<Horizon> => {
  const { rows } = await db.query<Horizon>({
    name: 'read-event-horizon',
    text: `SELECT timeline, pg_snapshot_xmin(now.snapshot)::text AS xid,
        CASE WHEN pg_snapshot_xmin(now.snapshot) = pg_snapshot_xmax(now.snapshot) THEN statement_timestamp()
          ELSE (SELECT xact_start FROM pg_stat_activity WHERE backend_xid = pg_snapshot_xmin(now.snapshot)::xid)
        END AS "completeUntil"
      FROM record_timeline, (SELECT pg_current_snapshot() AS snapshot) AS now`,
  });
  return rows[0]!;
};

/** An event in the feed, without its data. */
export interface FeedEntry extends Position {
  readonly type: string;
}

const entryColumns = `id, type, feed_timeline AS timeline, feed_xid::text AS xid, placed_at AS "placedAt"`;

/** A late report is placed up to a week back (../queue/placement.ts); a day more for clocks that differ. */
const placedBackDaysMax = 8;
const dayMs = 86_400_000;

/**
 * The entries behind a position and before the horizon, in order.
 * @param at when the reader was there: later events are placed at most eight days before it, so that PostgreSQL skips
 * partitions
 */
export const listFeed = async (
  db: Queryable,
  workspaceId: string,
  after: Position,
  at: Date,
  horizon: Horizon,
  limit: number,
): Promise<FeedEntry[]> => {
  const { rows } = await db.query<FeedEntry>({
    name: 'list-event-feed',
    text: `SELECT ${entryColumns} FROM webhook_events
      WHERE workspace_id = $1 AND feed_xid IS NOT NULL
        AND (feed_timeline, feed_xid, placed_at, id) > ($2::integer, $3::xid8, $4::timestamptz, $5)
        AND (feed_timeline < $6 OR feed_xid < $7::xid8) AND placed_at >= $8
      ORDER BY feed_timeline, feed_xid, placed_at, id LIMIT $9`,
    values: [
      workspaceId,
      after.timeline,
      after.xid,
      after.placedAt.toISOString(),
      after.id,
      horizon.timeline,
      horizon.xid,
      new Date(at.getTime() - placedBackDaysMax * dayMs).toISOString(),
      limit,
    ],
  });
  return rows;
};

/** @returns undefined if the feed of the workspace does not have it */
export const findEntry = async (
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<FeedEntry | undefined> => {
  const { rows } = await db.query<FeedEntry>({
    name: 'find-event-feed-entry',
    text: `SELECT ${entryColumns} FROM webhook_events WHERE id = $1 AND workspace_id = $2 AND feed_xid IS NOT NULL`,
    values: [id, workspaceId],
  });
  return rows[0];
};
