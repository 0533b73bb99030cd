/** The round in PostgreSQL: which erasures it is of, and which process works on it. */
import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../../platform/db/pool.ts';

/** Erasures of a round: their ids, and those of their codes, are in every statement. */
export const roundMax = 200;
/** Longer than a statement may take. */
const holdSeconds = 150;

/** Scans of a code up to a moment. */
export interface Erased {
  erasureId: string;
  workspaceId: string;
  codeId: string;
  what: 'code' | 'scans';
  /** Milliseconds since 1970; null: all. */
  upToMs: number | null;
  askedMs: number;
  /** Null until it has ended. */
  erasedMs: number | null;
}

export interface Round {
  /** Of the process that works on it. */
  by: string;
  /** The scans that were staged for it; null until they are. */
  attempt: string | null;
  /** What is done of it since. */
  steps: readonly string[];
  erasures: readonly Erased[];
}

const columns = `id AS "erasureId", workspace_id AS "workspaceId", code_id AS "codeId", what,
  ceil(extract(epoch FROM asked_at) * 1000)::double precision AS "askedMs",
  floor(extract(epoch FROM erased_at) * 1000)::double precision AS "erasedMs",
  CASE WHEN up_to < 'infinity' THEN floor(extract(epoch FROM up_to) * 1000)::double precision END AS "upToMs"`;

/**
 * The next erasures, if there is no round: the first one of each workspace, then the second ones, so that a workspace does not wait
 * for all of another's.
 */
const takeWaiting = async (db: Queryable, by: string): Promise<void> => {
  await db.query({
    name: 'take-waiting-erasures',
    text: `WITH due AS (
        SELECT id FROM erasures WHERE scans = 'waiting' AND id IN (
          SELECT id FROM (
            SELECT id, seq, row_number() OVER (PARTITION BY workspace_id ORDER BY seq) AS place FROM erasures
            WHERE scans = 'waiting' AND EXISTS (SELECT FROM erasure_round WHERE held_by = $1 AND erasures = '{}')) AS placed
          ORDER BY place, seq LIMIT ${roundMax})
        FOR UPDATE SKIP LOCKED
      ), taken AS (UPDATE erasures SET scans = 'taken' WHERE id IN (SELECT id FROM due) RETURNING id)
      UPDATE erasure_round SET erasures = ARRAY(SELECT id FROM taken) WHERE held_by = $1 AND erasures = '{}'`,
    values: [by],
  });
};

/** @returns undefined if another process works on the round, or nothing waits */
export const holdRound = async (db: Queryable): Promise<Round | undefined> => {
  const by = randomUUID();
  const { rowCount } = await db.query({
    name: 'hold-erasure-round',
    text: `UPDATE erasure_round SET held_by = $1, held_until = now() + interval '${holdSeconds} seconds'
           WHERE held_until < now() AND (erasures <> '{}' OR EXISTS (SELECT FROM erasures WHERE scans = 'waiting'))`,
    values: [by],
  });
  if (rowCount === 0) return undefined;
  await takeWaiting(db, by);
  const { rows } = await db.query<Pick<Round, 'attempt' | 'steps'>>({
    name: 'read-erasure-round',
    text: `SELECT attempt, steps FROM erasure_round WHERE held_by = $1 AND erasures <> '{}'`,
    values: [by],
  });
  const taken = await db.query<Erased>({
    name: 'read-erasures-of-round',
    text: `SELECT ${columns} FROM erasures WHERE id = ANY((SELECT erasures FROM erasure_round)::text[])`,
  });
  if (rows[0]) return { by, ...rows[0], erasures: taken.rows };
  await releaseRound(db, { by });
  return undefined;
};

export const releaseRound = async (db: Queryable, { by }: Pick<Round, 'by'>): Promise<void> => {
  await db.query({
    name: 'release-erasure-round',
    text: `UPDATE erasure_round SET held_until = '-infinity', held_by = NULL WHERE held_by = $1`,
    values: [by],
  });
};

/** Before each statement, so that no other process begins while one works. @returns false if another process has it by now */
export const keepRound = async (db: Queryable, { by }: Pick<Round, 'by'>): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'keep-erasure-round',
    text: `UPDATE erasure_round SET held_until = now() + interval '${holdSeconds} seconds' WHERE held_by = $1`,
    values: [by],
  });
  return rowCount === 1;
};

/**
 * The scans of the round are staged, and counted.
 * @param staged how many of each code
 * @returns false if another process has it by now
 */
export const saveAttempt = async (
  db: Queryable,
  { by, erasures }: Round,
  attempt: string,
  staged: ReadonlyMap<string, number>,
): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'save-erasure-attempt',
    text: `WITH saved AS (
        UPDATE erasure_round SET attempt = $2 WHERE held_by = $1 AND attempt IS NULL AND held_until > now() RETURNING is_one
      ), counted AS (
        UPDATE erasures SET scans_erased = scans_erased + given.scans
        FROM unnest($3::text[], $4::bigint[]) AS given (id, scans), saved WHERE erasures.id = given.id
      )
      SELECT FROM saved`,
    values: [
      by,
      attempt,
      erasures.map(({ erasureId }) => erasureId),
      erasures.map(({ codeId }) => staged.get(codeId) ?? 0),
    ],
  });
  return rowCount === 1;
};

/** A step is done, and is not repeated. @returns false if another process has the round by now */
export const saveStep = async (db: Queryable, { by }: Round, step: string): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'save-erasure-step',
    text: 'UPDATE erasure_round SET steps = steps || $2::text WHERE held_by = $1',
    values: [by, step],
  });
  return rowCount === 1;
};

/**
 * Ends the round, if it is still this process's.
 * @param left codes with further scans: their erasures wait for another round
 */
export const endRound = async (
  db: Queryable,
  { by, erasures }: Round,
  left: ReadonlySet<string>,
): Promise<void> => {
  await db.query({
    name: 'end-erasure-round',
    text: `WITH ended AS (
        UPDATE erasure_round SET erasures = '{}', attempt = NULL, steps = '{}' WHERE held_by = $1 RETURNING is_one
      )
      UPDATE erasures SET scans = CASE WHEN given.is_left THEN 'waiting' ELSE 'gone' END
      FROM unnest($2::text[], $3::boolean[]) AS given (id, is_left), ended
      WHERE erasures.id = given.id AND erasures.scans = 'taken'`,
    values: [by, erasures.map(({ erasureId }) => erasureId), erasures.map(({ codeId }) => left.has(codeId))],
  });
};

/** Ended erasures, a page at a time. @param since null: however old */
export const pageOfEnded = async (
  db: Queryable,
  since: Date | null,
  afterSeq: string,
): Promise<(Erased & { seq: string })[]> => {
  const { rows } = await db.query<Erased & { seq: string }>({
    name: 'page-of-ended-erasures',
    text: `SELECT ${columns}, seq::text AS seq FROM erasures
           WHERE state = 'erased' AND seq > $1 AND erased_at >= coalesce($2, '-infinity'::timestamptz)
           ORDER BY erasures.seq LIMIT ${roundMax}`,
    values: [afterSeq, since],
  });
  return rows;
};

/** Scans of these codes have arrived late: their erasures wait for a round again. */
export const waitAgain = async (db: Queryable, erasureIds: readonly string[]): Promise<void> => {
  await db.query({
    name: 'erasures-wait-again',
    text: `UPDATE erasures SET scans = 'waiting' WHERE id = ANY($1) AND scans = 'gone'`,
    values: [erasureIds],
  });
};
