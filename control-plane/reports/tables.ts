/** The taken segments, and the lines that were set aside: each kind of segment has its own two tables for them. */
import type { Pool, Queryable } from '../platform/db/pool.ts';
import type { Transaction } from '../platform/db/transaction.ts';
import type { RejectedLine } from './rejections.ts';

/** Names in PostgreSQL. */
export interface SegmentTables {
  /** Columns: name, taken_at. */
  readonly segments: string;
  /** Columns: segment, line, problem, content, rejected_at. */
  readonly rejectedLines: string;
}

/** @returns false if the segment was taken before; waits if another transaction is taking it */
export const noteSegment = async (
  tx: Transaction,
  { segments }: SegmentTables,
  name: string,
): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: `note-segment-${segments}`,
    text: `INSERT INTO ${segments} (name) VALUES ($1) ON CONFLICT DO NOTHING`,
    values: [name],
  });
  return rowCount === 1;
};

/** Sets lines aside. @param lines of a segment that was not taken before */
export const insertRejectedLines = async (
  tx: Transaction,
  { rejectedLines }: SegmentTables,
  segment: string,
  lines: readonly RejectedLine[],
): Promise<void> => {
  await tx.query({
    name: `insert-rejected-lines-${rejectedLines}`,
    text: `INSERT INTO ${rejectedLines} (segment, line, problem, content)
           SELECT $1, * FROM unnest($2::integer[], $3::text[], $4::text[])`,
    values: [
      segment,
      lines.map(({ line }) => line),
      lines.map(({ problem }) => problem),
      lines.map(({ content }) => content),
    ],
  });
};

/** If a redirector still holds a segment after this time and sends it again, it counts again. */
export const segmentsKeptDays = 30;
/** Rows removed per statement: far fewer than its time limit allows. */
const batchRows = 10_000;

/** @returns how many were removed */
const forgetSegments = async (db: Queryable, { segments }: SegmentTables): Promise<number> => {
  const { rowCount } = await db.query({
    name: `forget-segments-${segments}`,
    text: `DELETE FROM ${segments} WHERE name IN (
             SELECT name FROM ${segments} WHERE taken_at < now() - make_interval(days => $1)
             ORDER BY taken_at LIMIT $2)`,
    values: [segmentsKeptDays, batchRows],
  });
  return rowCount ?? 0;
};

/** @returns how many were removed */
const forgetRejectedLines = async (db: Queryable, { rejectedLines }: SegmentTables): Promise<number> => {
  const { rowCount } = await db.query({
    name: `forget-rejected-lines-${rejectedLines}`,
    text: `DELETE FROM ${rejectedLines} WHERE (segment, line) IN (
             SELECT segment, line FROM ${rejectedLines} WHERE rejected_at < now() - make_interval(days => $1)
             ORDER BY rejected_at LIMIT $2)`,
    values: [segmentsKeptDays, batchRows],
  });
  return rowCount ?? 0;
};

/** Removes old records of taken segments and of lines that were set aside: for a nightly job. */
export const forgetOldSegments = async (pool: Pool, tables: SegmentTables): Promise<void> => {
  while ((await forgetSegments(pool, tables)) > 0);
  while ((await forgetRejectedLines(pool, tables)) > 0);
};
