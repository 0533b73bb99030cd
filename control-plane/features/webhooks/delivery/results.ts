/** What became of attempts, as it is written: several with one statement. Whoever has lost the lease decides nothing any more. */
import type { Queryable } from '../../../db/pool.ts';
import type { Claimed } from './claim.ts';
import type { Attempted } from './send.ts';

/** An attempt that has ended. */
export interface Result {
  readonly delivery: Claimed;
  readonly at: Date;
  readonly attempted: Attempted;
  /** `retry`: it failed, and is tried again. */
  readonly outcome: 'succeeded' | 'failed' | 'retry';
  /** Of a retry. */
  readonly delaySeconds: number;
}

/** Attempts that are kept of one delivery, the latest ones. A round has six. */
const attemptsMax = 30;

/** As the log shows it. */
const attemptOf = ({ at, attempted: { status, durationMs, error, response } }: Result): string =>
  JSON.stringify({ at: at.toISOString(), status, durationMs, error, response });

/** The attempts with one more. */
const withAttempt = (attempts: string): string =>
  `CASE WHEN jsonb_array_length(${attempts}) >= ${attemptsMax} THEN ${attempts} - 0 ELSE ${attempts} END || given.attempt::jsonb`;

const isNoted = (attempts: string): string => `${attempts} @> jsonb_build_array(given.attempt::jsonb)`;

const given = `unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) AS given (id, lease, attempt, outcome)`;

const valuesOf = (results: readonly Result[]) => [
  results.map(({ delivery }) => delivery.id),
  results.map(({ delivery }) => delivery.lease),
  results.map(attemptOf),
  results.map(({ outcome }) => outcome),
];

type Ids = { id: string };

/** Moves deliveries from the queue to the log. @returns the ids of those that this process had */
const finish = async (db: Queryable, results: readonly Result[]): Promise<readonly Ids[]> => {
  const { rows } = await db.query<Ids>({
    name: 'finish-webhook-deliveries',
    // A delivery whose event was placed elsewhere before may be in the log already.
    text: `WITH finished AS (
        DELETE FROM webhook_queue q USING ${given} WHERE q.id = given.id AND q.lease = given.lease
        RETURNING q.id, q.placed_at, q.webhook_id, q.event_id, q.type, q.batch, given.outcome,
          ${withAttempt('q.attempts')} AS attempts, q.created_at
      )
      INSERT INTO webhook_deliveries (id, placed_at, webhook_id, event_id, type, batch, status, attempts, created_at)
      SELECT id, placed_at, webhook_id, event_id, type, batch, outcome, attempts, created_at FROM finished
      ON CONFLICT (id, placed_at) DO UPDATE
        SET status = excluded.status, attempts = excluded.attempts, finished_at = excluded.finished_at
      RETURNING id`,
    values: valuesOf(results),
  });
  return rows;
};

/** Has deliveries wait for their next attempt. @returns the ids of those that this process had */
const postpone = async (db: Queryable, results: readonly Result[]): Promise<readonly Ids[]> => {
  const { rows } = await db.query<Ids>({
    name: 'postpone-webhook-deliveries',
    text: `UPDATE webhook_queue q SET lease = NULL, due_at = now() + make_interval(secs => given.delay),
        round_attempts = q.round_attempts + 1, attempts = ${withAttempt('q.attempts')}
      FROM unnest($1::text[], $2::uuid[], $3::text[], $4::float8[]) AS given (id, lease, attempt, delay)
      WHERE q.id = given.id AND q.lease = given.lease RETURNING q.id`,
    values: [...valuesOf(results).slice(0, 3), results.map(({ delaySeconds }) => delaySeconds)],
  });
  return rows;
};

/** Notes attempts whose lease was lost, wherever their deliveries are now; each once, as what was written may be written again. */
const noteLost = async (db: Queryable, results: readonly Result[]): Promise<void> => {
  await db.query({
    name: 'note-lost-webhook-attempts',
    text: `WITH queued AS (
        UPDATE webhook_queue q SET attempts = ${withAttempt('q.attempts')} FROM ${given}
        WHERE q.id = given.id AND q.lease IS DISTINCT FROM given.lease AND NOT ${isNoted('q.attempts')}
      )
      UPDATE webhook_deliveries d SET attempts = ${withAttempt('d.attempts')}
      FROM ${given}, unnest($5::timestamptz[]) AS place (placed_at)
      WHERE d.id = given.id AND d.placed_at = place.placed_at AND NOT ${isNoted('d.attempts')}`,
    values: [
      ...valuesOf(results),
      [...new Set(results.map(({ delivery }) => delivery.placedAt.toISOString()))],
    ],
  });
};

/**
 * Writes results, each of another delivery.
 * @returns those whose delivery this process no longer had: another one sends it again, or nobody
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
