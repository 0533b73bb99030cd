/** Whether the control plane's memory stays flat over many batches. */
import { residentBytesOf } from '../measure/processes.ts';
import { timeBatch } from './batch.ts';
import type { Context } from './context.ts';
import { type KindOfRows, newRows } from './rows.ts';

export interface MemoryFigures {
  batches: number;
  /** Megabytes after a plain and a styled batch … */
  beforeMb: number;
  /** … the most since the start of the process … */
  peakMb: number;
  /** … after half of the batches … */
  halfMb: number;
  /** … and after all. */
  afterMb: number;
}

/** Not a style each: the first 5,000 of those fill what is remembered of styles, and no more is. */
const kinds: readonly KindOfRows[] = ['plain', 'styled'];

export const measureMemory = async ({
  pid,
  first,
  rowsOfBatch,
  quick,
  say,
}: Context): Promise<MemoryFigures> => {
  const residentMb = (field?: 'VmHWM') => residentBytesOf(pid, field) / 2 ** 20;
  const batches = quick ? 4 : 40;
  const run = async (from: number, to: number): Promise<number> => {
    for (let n = from; n < to; n++) await timeBatch(first, newRows(kinds[n % kinds.length]!, rowsOfBatch));
    say(JSON.stringify({ batches: to, residentMb: residentMb() }));
    return residentMb();
  };
  const beforeMb = await run(0, kinds.length);
  const halfMb = await run(0, batches / 2);
  const afterMb = await run(batches / 2, batches);
  return { batches, beforeMb, halfMb, afterMb, peakMb: residentMb('VmHWM') };
};
