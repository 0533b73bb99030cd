/** Takes a segment: once, with all effects of its events, in one transaction. */
import type { Pool } from '../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../platform/db/transaction.ts';
import { createRejections, type Rejections } from './rejections.ts';
import { insertRejectedLines, noteSegment, type SegmentTables } from './tables.ts';

export interface TakenSegment<Problem extends string, Taken> {
  /** The result; undefined if the segment was taken before, and so adds nothing. */
  readonly taken: Taken | undefined;
  readonly rejections: Rejections<Problem>;
}

/**
 * @param name of the segment: if it was taken before it adds nothing, even if another process is taking it right now
 * @param work with the events; reports the lines to set aside to the rejections
 * @throws the error of `work`, or PostgreSQL's: then nothing is taken
 */
export const takeSegment = <Problem extends string, Taken>(
  pool: Pool,
  tables: SegmentTables,
  name: string,
  work: (tx: Transaction, rejections: Rejections<Problem>) => Promise<Taken>,
): Promise<TakenSegment<Problem, Taken>> =>
  inTransaction(pool, async (tx) => {
    const rejections = createRejections<Problem>();
    if (!(await noteSegment(tx, tables, name))) return { taken: undefined, rejections };
    const taken = await work(tx, rejections);
    if (rejections.total > 0) await insertRejectedLines(tx, tables, name, rejections.kept());
    return { taken, rejections };
  });
