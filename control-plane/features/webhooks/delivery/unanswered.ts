/**
 * URLs that have never answered 2xx. Anyone can register any URL, so it is unknown whether the server wants
 * deliveries. It gets a limited number of attempts a day, and then one now and then, so that a server that is fixed
 * by then has its deliveries the same day.
 */
import type { Queryable } from '../../../platform/db/pool.ts';

/** Per workspace and day, for all such URLs together, so that recreating webhooks does not reset it. */
export const unansweredAttemptsMax = 1_000;

/** After that many, the pause since the last attempt before there is another one. */
const askAgainAfter = `interval '15 minutes'`;

const today = `(now() AT TIME ZONE 'UTC')::date`;

/** SQL: whether a webhook may have an attempt now. @param webhook the name of its row */
export const mayBeAsked = (webhook: string): string =>
  `(${webhook}.answered_at IS NOT NULL OR NOT EXISTS (SELECT FROM webhook_unanswered_attempts u
     WHERE u.workspace_id = ${webhook}.workspace_id AND u.day = ${today} AND u.attempts >= ${unansweredAttemptsMax}
       AND u.last_at > now() - ${askAgainAfter}))`;

/** A URL that has answered 2xx. */
export interface Answered {
  readonly id: string;
  /** The URL that answered: the webhook may have another one by now. */
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

/** @param attempts failed attempts, by workspace */
export const countUnanswered = async (
  db: Queryable,
  attempts: ReadonlyMap<string, number>,
): Promise<void> => {
  await db.query({
    name: 'count-unanswered-webhook-attempts',
    // Ordered by id, so that two processes do not deadlock.
    text: `INSERT INTO webhook_unanswered_attempts AS u (workspace_id, day, attempts, last_at)
      SELECT workspace_id, ${today}, attempts, now() FROM unnest($1::text[], $2::integer[]) AS given (workspace_id, attempts)
      ORDER BY workspace_id
      ON CONFLICT (workspace_id) DO UPDATE SET day = excluded.day, last_at = excluded.last_at,
        attempts = excluded.attempts + CASE WHEN u.day = excluded.day THEN u.attempts ELSE 0 END`,
    values: [[...attempts.keys()], [...attempts.values()]],
  });
};
