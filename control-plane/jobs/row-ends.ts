/** The rows of a job, of which each ends by itself: done with a result, failed with a reason, or left for later. */
import { ClientError } from '#shared/errors.ts';
import type { Job } from './kind.ts';
import { isForLater, isOverdue } from './waiting.ts';

/** What is stored of a row that is done: `{status: "created", id, …}`. */
export type RowResult = { readonly status: string } & Readonly<Record<string, unknown>>;

export interface DoneRow {
  position: number;
  result: object;
}

/** A row that waits. */
export interface WaitingRow {
  position: number;
  /** So far. */
  attempts: number;
  bytes: number;
}

/** After so many attempts a row is given up: one with a whole slice, one with a tenth of it, two alone. */
export const attemptsMax = 4;
/** Bytes of the rows of one slice, but for one row that has more by itself. */
const sliceBytesMax = 4 * 2 ** 20;

/** The first rows that were begun equally often, as many as a slice of them may have. */
export const firstOf = (waiting: readonly WaitingRow[], rowsMax: number): WaitingRow[] => {
  const attempts = waiting[0]!.attempts;
  const countMax = [rowsMax, Math.ceil(rowsMax / 10)][attempts] ?? 1;
  const taken: WaitingRow[] = [];
  let bytes = 0;
  for (const row of waiting) {
    bytes += row.bytes;
    const isFull = taken.length >= countMax || (taken.length > 0 && bytes > sliceBytesMax);
    if (row.attempts !== attempts || isFull) break;
    taken.push(row);
  }
  return taken;
};

export const givenUp = (): ClientError =>
  new ClientError(
    'INTERNAL',
    'The row could not be done, for a reason of ours; nothing was created or changed',
  );

/** PostgreSQL takes neither halves of surrogate pairs nor NUL: a result that has one must not fail the whole slice. */
export const storable = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value;

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
