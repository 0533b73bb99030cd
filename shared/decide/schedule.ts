/** Changes of a destination at moments that were set in advance. */
import type { CodeRecord } from '#schemas/code-record.ts';

/** The destination of the last entry whose time has come, or else the record's own. */
export const destinationAt = (
  { destination, schedule }: Pick<CodeRecord, 'destination' | 'schedule'>,
  nowMs: number,
): string => schedule?.findLast(({ atMs }) => atMs <= nowMs)?.destination ?? destination;
