/**
 * URLs that have never answered 2xx: nobody knows whether their server wants deliveries, as anybody can register any URL. It is asked
 * some times a day, and then once in a while, so that a server that is mended by then has its deliveries the same day.
 */
import type { Queryable } from '../../../db/pool.ts';

/** Of a workspace and a day, at all such URLs together, so that webhooks that are made anew have no more. */
export const unansweredAttemptsMax = 1_000;

/** After that many, until a quarter of an hour has passed without an attempt. */
const askAgainAfter = `interval '15 minutes'`;

const today = `(now() AT TIME ZONE 'UTC')::date`;

/** SQL: whether a webhook may be sent an attempt now. @param webhook the name of its row */
export const mayBeAsked = (webhook: string): string =>
  `(${webhook}.answered_at IS NOT NULL OR NOT EXISTS (SELECT FROM webhook_unanswered_attempts u
     WHERE u.workspace_id = ${webhook}.workspace_id AND u.day = ${today} AND u.attempts >= ${unansweredAttemptsMax}
       AND u.last_at > now() - ${askAgainAfter}))`;

/** A URL that has answered 2xx. */
export interface Answered {
  readonly id: string;
  /** That was asked: the webhook may have another one by now. */
  readonly url: string;
}

export const noteAnswered = async (db: Queryable, webhooks: readonly Answered[]): Promise<void> => {
  await db.query({
    name: 'note-answered-webhooks',
    text: `UPDATE webhooks w SET answered_at = now() FROM unnest($1::text[], $2::text[]) AS given (id, url)
      WHERE w.id = given.id AND w.url = given.url AND w.answered_at IS NULL`,
    values: [webhooks.map(({ id }) => id), webhooks.map(({ url }) => url)],
  });
};

/** @param attempts how many have failed, by workspace */
export const countUnanswered = async (
  db: Queryable,
  attempts: ReadonlyMap<string, number>,
): Promise<void> => {
  await db.query({
    name: 'count-unanswered-webhook-attempts',
    // In the order of their ids: two processes do not wait for each other in a circle.
    text: `INSERT INTO webhook_unanswered_attempts AS u (workspace_id, day, attempts, last_at)
      SELECT workspace_id, ${today}, attempts, now() FROM unnest($1::text[], $2::integer[]) AS given (workspace_id, attempts)
      ORDER BY workspace_id
      ON CONFLICT (workspace_id) DO UPDATE SET day = excluded.day, last_at = excluded.last_at,
        attempts = excluded.attempts + CASE WHEN u.day = excluded.day THEN u.attempts ELSE 0 END`,
    values: [[...attempts.keys()], [...attempts.values()]],
  });
};
