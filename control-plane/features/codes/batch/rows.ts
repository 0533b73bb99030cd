/** Prepares rows, each with its own outcome. */
import { setImmediate as nextIteration } from 'node:timers/promises';
import { ClientError } from '#shared/errors.ts';
import { OvertakenError } from '../../../platform/db/overtaken.ts';
import { RenderTimeout } from '../../../rendering/index.ts';
import { type BatchQueue, NoPlaceInTime } from './batch-queue.ts';

/**
 * The outcome of a row: prepared, or an error. UNAVAILABLE means that the row got no place in time, because earlier rows
 * or other requests took it all: a later call may prepare it. Any other error is the row's own, and a retry would not
 * change it.
 */
export type RowOutcome<Prepared> = { readonly value: Prepared } | { readonly error: ClientError };

const tooMuchToDraw =
  'The picture takes too long to draw: give a simpler style, or a smaller width and height';
/** After this many milliseconds, the loop serves others. */
const stretchMs = 10;

/** The row has not been begun. */
export const later = new ClientError('UNAVAILABLE', 'The turn of this row has not come yet');

/** The row's own refusal; undefined if the error is no row's fault. */
export const refusalOf = (error: unknown): ClientError | undefined => {
  if (error instanceof NoPlaceInTime || error instanceof OvertakenError) return later;
  // A busy machine may refuse a picture that it could draw, but one that is too large must not be retried for ever.
  if (error instanceof RenderTimeout)
    return new ClientError('UNPROCESSABLE', tooMuchToDraw, { cause: error });
  return error instanceof ClientError ? error : undefined;
};

/** An error that is no row's fault. It is thrown once no row is in progress. */
interface Fault {
  readonly fault: unknown;
}

const outcomeOf = async <Prepared>(preparing: Promise<Prepared>): Promise<RowOutcome<Prepared> | Fault> => {
  try {
    return { value: await preparing };
  } catch (error) {
    const refusal = refusalOf(error);
    return refusal ? { error: refusal } : { fault: error };
  }
};

const unlessFault = <Prepared>(outcome: RowOutcome<Prepared> | Fault): RowOutcome<Prepared> => {
  if ('fault' in outcome) throw outcome.fault;
  return outcome;
};

/** Lets other work of the process run, if none has for {@link stretchMs}. */
const createBreather = () => {
  let sinceMs = performance.now();
  return async (): Promise<void> => {
    if (performance.now() - sinceMs < stretchMs) return;
    await nextIteration();
    sinceMs = performance.now();
  };
};

/**
 * Prepares rows concurrently. The first one is always begun.
 * @returns an entry for each row, in their order
 * @throws errors that are no row's fault, once no row is in progress
 */
export const prepareRows = async <Row, Prepared>(
  rows: readonly Row[],
  queue: BatchQueue,
  prepare: (row: Row) => Promise<Prepared>,
): Promise<RowOutcome<Prepared>[]> => {
  const breathe = createBreather();
  const underWay: Promise<RowOutcome<Prepared> | Fault>[] = [];
  for (const row of rows) {
    await breathe();
    const isLate = underWay.length > 0 && queue.isOver();
    underWay.push(isLate ? Promise.resolve({ error: later }) : outcomeOf(prepare(row)));
  }
  return (await Promise.all(underWay)).map(unlessFault);
};
