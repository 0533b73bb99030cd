/** How the rows of a slice end: done with a result, failed with a reason, or left for later. */
import { ClientError } from '#shared/errors.ts';
import type { RowResult } from './kind.ts';
import type { DoneRow } from './store/rows.ts';

/** An operation of which nothing can be done is tried again for so long. Time in which it waits behind others does not count. */
export const heldUpMsMax = 60 * 60 * 1000;

export interface RowEnds {
  take(position: number, end: RowResult | ClientError): void;
  /**
   * Lets the rows fail that are left for later, where no row of the slice is done and none was for too long before it.
   * @param heldUpSince of the operation
   */
  giveUpLater(heldUpSince: Date | null): void;
  /** To be stored. */
  readonly done: readonly DoneRow[];
  /** Positions of the rows that go on waiting. */
  readonly later: readonly number[];
  /** How many of those done have failed. */
  readonly failed: number;
}

/** Whether the row itself may be right: too much was asked for at once, or something is away. */
const isForLater = ({ code }: ClientError): boolean => code === 'RATE_LIMITED' || code === 'UNAVAILABLE';

const isOverdue = (heldUpSince: Date | null): boolean =>
  heldUpSince !== null && Date.now() - heldUpSince.getTime() >= heldUpMsMax;

/** Whether something is away, which is waited for. @param heldUpSince of the operation */
export const isWaitedFor = (error: unknown, heldUpSince: Date | null): error is ClientError =>
  error instanceof ClientError && isForLater(error) && !isOverdue(heldUpSince);

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
    giveUpLater(heldUpSince) {
      if (done.length > 0 || !isOverdue(heldUpSince)) return;
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
