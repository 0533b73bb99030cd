/** Takes a segment: once, with everything that follows from its events, in one transaction. */
import type { Pool } from '../db/pool.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import { createRejections, type Rejections } from './rejections.ts';
import { insertRejectedLines, noteSegment, type SegmentTables } from './tables.ts';

export interface TakenSegment<Problem extends string, Taken> {
  /** What was made of it; undefined for one that was taken before: then it adds nothing. */
  readonly taken: Taken | undefined;
  readonly rejections: Rejections<Problem>;
}

/**
 * @param name of the segment: one that was taken before adds nothing, also where it is being taken by another process now
 * @param work with the events; tells the rejections which lines are set aside
 * @throws what `work` throws, or what PostgreSQL says: then nothing is taken
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
