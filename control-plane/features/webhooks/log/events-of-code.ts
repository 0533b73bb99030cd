/** Which events are of a code. */
import type { Queryable } from '../../../db/pool.ts';
import type { EventKey } from '../delivery/envelope.ts';

/** @param keys at most some thousands: each is a look into the index @returns the ids of those that are of the code */
export const findEventsOfCode = async (
  db: Queryable,
  keys: readonly EventKey[],
  codeId: string,
): Promise<ReadonlySet<string>> => {
  if (keys.length === 0) return new Set();
  const times = keys.map(({ placedAt }) => placedAt.getTime());
  const { rows } = await db.query<{ id: string }>({
    name: 'find-webhook-events-of-code',
    // The bounds of time tell which partitions need no look.
    text: `SELECT e.id FROM unnest($1::text[], $2::timestamptz[]) AS key (id, placed_at)
        JOIN webhook_events e ON e.id = key.id AND e.placed_at = key.placed_at
      WHERE e.placed_at BETWEEN $3::timestamptz AND $4::timestamptz AND e.data ->> 'qrId' = $5`,
    values: [
      keys.map(({ id }) => id),
      keys.map(({ placedAt }) => placedAt.toISOString()),
      new Date(Math.min(...times)).toISOString(),
      new Date(Math.max(...times)).toISOString(),
      codeId,
    ],
  });
  return new Set(rows.map(({ id }) => id));
};
