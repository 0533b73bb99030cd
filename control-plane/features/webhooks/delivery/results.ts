/** Writes the outcomes of attempts, several per statement. A process that has lost the lease decides nothing. */
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Claimed } from './claim.ts';
import type { Attempted } from './send.ts';

/** An attempt, as in the log. */
export interface Noted {
  readonly delivery: Claimed;
  readonly at: Date;
  readonly attempted: Attempted;
}

/** A finished attempt. */
export interface Result extends Noted {
  /** `retry`: it failed, and will be retried. */
  readonly outcome: 'succeeded' | 'failed' | 'retry';
  /** Of a retry. */
  readonly delaySeconds: number;
}

/** The number of attempts kept per delivery, the latest ones. A round has six. */
const attemptsMax = 30;

/** As the log shows it. */
const attemptOf = ({ at, attempted: { status, durationMs, error, response } }: Noted): string =>
  JSON.stringify({ at: at.toISOString(), status, durationMs, error, response });

/** SQL: the attempts with one more. */
const withAttempt = (attempts: string): string =>
  `CASE WHEN jsonb_array_length(${attempts}) >= ${attemptsMax} THEN ${attempts} - 0 ELSE ${attempts} END || given.attempt::jsonb`;

const isNoted = (attempts: string): string => `${attempts} @> jsonb_build_array(given.attempt::jsonb)`;

const given = `unnest($1::text[], $2::uuid[], $3::text[]) AS given (id, lease, attempt)`;

const valuesOf = (attempts: readonly Noted[]) => [
  attempts.map(({ delivery }) => delivery.id),
  attempts.map(({ delivery }) => delivery.lease),
  attempts.map(attemptOf),
];

type Ids = { id: string };

/** Moves deliveries from the queue to the log. @returns the ids of the deliveries that this process still held */
const finish = async (db: Queryable, results: readonly Result[]): Promise<readonly Ids[]> => {
  const { rows } = await db.query<Ids>({
    name: 'finish-webhook-deliveries',
    // A delivery whose event was placed at another time before may already be in the log.
    text: `WITH finished AS (
        DELETE FROM webhook_queue q
        USING unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) AS given (id, lease, attempt, outcome) WHERE q.id = given.id AND q.lease = given.lease
        RETURNING q.id, q.placed_at, q.webhook_id, q.event_id, q.type, q.batch, q.test, given.outcome,
          ${withAttempt('q.attempts')} AS attempts, q.created_at
      )
      INSERT INTO webhook_deliveries (id, placed_at, webhook_id, event_id, type, batch, test, status, attempts, created_at)
      SELECT id, placed_at, webhook_id, event_id, type, batch, test, outcome, attempts, created_at FROM finished
      ON CONFLICT (id, placed_at) DO UPDATE
        SET status = excluded.status, attempts = excluded.attempts, finished_at = excluded.finished_at
      RETURNING id`,
    values: [...valuesOf(results), results.map(({ outcome }) => outcome)],
  });
  return rows;
};

/** Schedules the next attempt of deliveries. @returns the ids of the deliveries that this process still held */
const postpone = async (db: Queryable, results: readonly Result[]): Promise<readonly Ids[]> => {
  const { rows } = await db.query<Ids>({
    name: 'postpone-webhook-deliveries',
    text: `UPDATE webhook_queue q SET lease = NULL, due_at = now() + make_interval(secs => given.delay),
        round_attempts = q.round_attempts + 1, attempts = ${withAttempt('q.attempts')}
      FROM unnest($1::text[], $2::uuid[], $3::text[], $4::float8[]) AS given (id, lease, attempt, delay)
      WHERE q.id = given.id AND q.lease = given.lease RETURNING q.id`,
    values: [...valuesOf(results), results.map(({ delaySeconds }) => delaySeconds)],
  });
  return rows;
};

/**
 * Stores attempts whose lease was lost, wherever their deliveries are now. Each is stored once, even if it is written
 * again.
 */
const noteLost = async (db: Queryable, attempts: readonly Noted[]): Promise<void> => {
  await db.query({
    name: 'note-lost-webhook-attempts',
    text: `WITH queued AS (
        UPDATE webhook_queue q SET attempts = ${withAttempt('q.attempts')} FROM ${given}
        WHERE q.id = given.id AND q.lease IS DISTINCT FROM given.lease AND NOT ${isNoted('q.attempts')}
      )
      UPDATE webhook_deliveries d SET attempts = ${withAttempt('d.attempts')}
      FROM ${given}, unnest($4::timestamptz[]) AS place (placed_at)
      WHERE d.id = given.id AND d.placed_at = place.placed_at AND NOT ${isNoted('d.attempts')}`,
    values: [
      ...valuesOf(attempts),
      [...new Set(attempts.map(({ delivery }) => delivery.placedAt.toISOString()))],
    ],
  });
};

/**
 * Writes results, each of another delivery.
 * @returns the results whose delivery this process no longer held: another process sends it again, or it no longer
 * exists
 */
export const writeResults = async (db: Queryable, results: readonly Result[]): Promise<readonly Result[]> => {
  const [retries, last] = [
    results.filter(({ outcome }) => outcome === 'retry'),
    results.filter(({ outcome }) => outcome !== 'retry'),
  ];
  const written = new Set<string>();
  if (last.length > 0) for (const { id } of await finish(db, last)) written.add(id);
  if (retries.length > 0) for (const { id } of await postpone(db, retries)) written.add(id);
  const lost = results.filter(({ delivery }) => !written.has(delivery.id));
  if (lost.length > 0) await noteLost(db, lost);
  return lost;
};

/**
 * Releases a delivery whose attempt was aborted: it is due at once. The receiver may have seen the attempt, so it is
 * logged, but it does not count towards the round.
 */
export const releaseBrokenOff = async (db: Queryable, attempt: Noted): Promise<void> => {
  const { rowCount } = await db.query({
    name: 'release-broken-off-webhook-delivery',
    text: `UPDATE webhook_queue q SET lease = NULL, due_at = now(), attempts = ${withAttempt('q.attempts')} FROM ${given}
      WHERE q.id = given.id AND q.lease = given.lease`,
    values: valuesOf([attempt]),
  });
  if (rowCount === 0) await noteLost(db, [attempt]);
};
