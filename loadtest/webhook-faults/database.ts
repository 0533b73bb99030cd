/** The queue and the log of deliveries, as PostgreSQL has them, and a clock that jumps. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import type { Attempt, Logged } from './judge.ts';

const attempts = z.array(z.object({ status: z.number().nullable(), error: z.string().nullable() }));

interface Row {
  id: string;
  url: string;
  event_id: string;
  state: Logged['state'];
  attempts: unknown;
}

/** Both tables: a delivery that is in both of them is there twice. */
const logSql = `
  SELECT id, url, event_id, state, attempts
  FROM (
    SELECT id, webhook_id, event_id, 'pending' AS state, attempts FROM webhook_queue
    UNION ALL
    SELECT id, webhook_id, event_id, status, attempts FROM webhook_deliveries
  ) AS every (id, webhook_id, event_id, state, attempts)
  JOIN (SELECT id AS webhook_id, url FROM webhooks) AS own USING (webhook_id)`;

const toLogged = ({ id, url, event_id, state, attempts: given }: Row): Logged => ({
  id,
  endpoint: new URL(url).pathname.slice(1),
  eventId: event_id,
  state,
  attempts: attempts.parse(given) satisfies readonly Attempt[],
});

export const readLog = async (databaseUrl: string): Promise<Logged[]> =>
  (await queryOnce(databaseUrl, logSql)).rows.map(toLogged);

/** The codes that exist, whatever the answer to their creation was. */
export const readCodeIds = async (databaseUrl: string): Promise<string[]> =>
  (await queryOnce(databaseUrl, 'SELECT id FROM codes')).rows.map(({ id }: { id: string }) => id);

export const countPending = async (databaseUrl: string): Promise<number> =>
  Number((await queryOnce(databaseUrl, 'SELECT count(*) AS pending FROM webhook_queue')).rows[0].pending);

/** Deliveries that wait for longer than any delay or lease is: a clock that was set back has left them. */
export const countUnreachable = async (databaseUrl: string): Promise<number> => {
  const { rows } = await queryOnce(
    databaseUrl,
    `SELECT count(*) AS unreachable FROM webhook_queue
     WHERE due_at > clock_timestamp() + CASE WHEN lease IS NULL THEN interval '7 hours' ELSE interval '2 minutes' END`,
  );
  return Number(rows[0].unreachable);
};

/** @returns the id of each delivery that was given up, with its webhook's */
export const readFailed = async (databaseUrl: string): Promise<{ id: string; webhookId: string }[]> =>
  (
    await queryOnce(
      databaseUrl,
      `SELECT id, webhook_id AS "webhookId" FROM webhook_deliveries WHERE status = 'failed'`,
    )
  ).rows;

const jumpTriesMax = 20;

/**
 * Does to the queue what a clock that jumps does: as seen from the new time, everything in it is that much earlier.
 * @param hours forward; negative for a clock that is set back
 */
export const jump = async (databaseUrl: string, hours: number): Promise<void> => {
  const sql = `UPDATE webhook_queue SET due_at = due_at - interval '1 hour' * ${hours}`;
  for (let tries = 1; ; tries++) {
    try {
      await queryOnce(databaseUrl, sql);
      return;
    } catch (error) {
      // PostgreSQL may be away, or have chosen this statement to end a deadlock.
      if (tries === jumpTriesMax) throw error;
      await sleep(250);
    }
  }
};
