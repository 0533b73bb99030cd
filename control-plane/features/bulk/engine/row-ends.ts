/** How the rows of a slice end: done with a result, failed with a reason, or left for later. */
import { ClientError } from '#shared/errors.ts';
import type { RowResult } from './kind.ts';
import type { DoneRow } from './store/rows.ts';

/** A row that is to be tried again later is tried for so long after its submission, and no longer. */
export const laterForMs = 60 * 60 * 1000;

export interface RowEnds {
  take(position: number, end: RowResult | ClientError): void;
  /** To be stored. */
  readonly done: readonly DoneRow[];
  /** Positions of the rows that go on waiting. */
  readonly later: readonly number[];
  /** How many of those done have failed. */
  readonly failed: number;
}

/** Whether the row itself may be right: too much was asked for at once, or something is away. */
const isForLater = ({ code }: ClientError): boolean => code === 'RATE_LIMITED' || code === 'UNAVAILABLE';

const isWithinTime = (submittedAt: Date): boolean => Date.now() - submittedAt.getTime() < laterForMs;

/** Whether something is away, which is waited for. @param submittedAt of the operation */
export const isWaitedFor = (error: unknown, submittedAt: Date): error is ClientError =>
  error instanceof ClientError && isForLater(error) && isWithinTime(submittedAt);

/** @param submittedAt of the operation */
export const createRowEnds = (submittedAt: Date): RowEnds => {
  const done: DoneRow[] = [];
  const later: number[] = [];
  const mayWait = isWithinTime(submittedAt);
  let failed = 0;
  return {
    take(position, end) {
      if (!(end instanceof ClientError)) done.push({ position, result: end });
      else if (isForLater(end) && mayWait) later.push(position);
      else {
        failed++;
        done.push({ position, result: { status: 'failed', message: end.message, code: end.code } });
      }
    },
    done,
    later,
    get failed() {
      return failed;
    },
  };
};
