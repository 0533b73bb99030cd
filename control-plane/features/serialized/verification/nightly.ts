/** The nightly job: it forgets which segments were taken, and lines that were set aside. */
import type { Pool, Queryable } from '../../../db/pool.ts';
import type { Job } from '../../../jobs/registry.ts';

/** A segment that a redirector still has after this time, and sends again, counts again. */
export const segmentsKeptDays = 30;
/** Rows that one statement removes: far less than its time limit allows. */
const batchRows = 10_000;
const schedule = '40 3 * * *';

/** @returns how many are gone */
const forgetSegments = async (db: Queryable): Promise<number> => {
  const { rowCount } = await db.query({
    name: 'forget-segments',
    text: `DELETE FROM serialized_segments WHERE name IN (
             SELECT name FROM serialized_segments WHERE taken_at < now() - make_interval(days => $1)
             ORDER BY taken_at LIMIT $2)`,
    values: [segmentsKeptDays, batchRows],
  });
  return rowCount ?? 0;
};

/** @returns how many are gone */
const forgetRejectedLines = async (db: Queryable): Promise<number> => {
  const { rowCount } = await db.query({
    name: 'forget-rejected-lines',
    text: `DELETE FROM serialized_rejected_lines WHERE (segment, line) IN (
             SELECT segment, line FROM serialized_rejected_lines WHERE rejected_at < now() - make_interval(days => $1)
             ORDER BY rejected_at LIMIT $2)`,
    values: [segmentsKeptDays, batchRows],
  });
  return rowCount ?? 0;
};

export const forgetOld = async (pool: Pool): Promise<void> => {
  while ((await forgetSegments(pool)) > 0);
  while ((await forgetRejectedLines(pool)) > 0);
};

export const nightlyJob = (pool: Pool): Job => ({
  task: 'sweep-verifications',
  schedule,
  run: () => forgetOld(pool),
});
