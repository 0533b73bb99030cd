/** How the rows of a slice end: done with a result, failed with a reason, or left for later. */
import { ClientError } from '#shared/errors.ts';
import type { Job } from '../../../jobs/kind.ts';
import { isForLater, isOverdue } from '../../../jobs/waiting.ts';
import type { RowResult } from './kind.ts';
import type { DoneRow } from './store/rows.ts';

export interface RowEnds {
  take(position: number, end: RowResult | ClientError): void;
  /**
   * Lets the rows fail that are left for later, where no row of the slice is done and none was for too long before it.
   * @param job of the operation
   */
  giveUpLater(job: Pick<Job, 'heldUpSince'>): void;
  /** To be stored. */
  readonly done: readonly DoneRow[];
  /** Positions of the rows that go on waiting. */
  readonly later: readonly number[];
  /** How many of those done have failed. */
  readonly failed: number;
}

export const createRowEnds = (): RowEnds => {
  const done: DoneRow[] = [];
  const later = new Map<number, ClientError>();
  let failed = 0;
  const fail = (position: number, { message, code }: ClientError): void => {
    failed++;
    done.push({ position, result: { status: 'failed', message, code } });
  };
  return {
    take(position, end) {
      if (!(end instanceof ClientError)) done.push({ position, result: end });
      else if (isForLater(end)) later.set(position, end);
      else fail(position, end);
    },
    giveUpLater(job) {
      if (done.length > 0 || !isOverdue(job)) return;
      for (const [position, error] of later) fail(position, error);
      later.clear();
    },
    done,
    get later() {
      return [...later.keys()];
    },
    get failed() {
      return failed;
    },
  };
};
