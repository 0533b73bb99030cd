/** The preparation of rows, each of which ends for itself. */
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises';
import { ClientError } from '#shared/errors.ts';
import { OvertakenError } from '../../../db/overtaken.ts';
import { RenderTimeout } from '../../../rendering/index.ts';
import { TurnMissed, type Turns } from './turns.ts';

/**
 * What became of a row: prepared, or an error. With the code UNAVAILABLE the error says that the turn of the row did not come in
 * time, since the rows before it, or others, took it all: a later call may prepare it. Any other error is the row's own, and
 * no other try would change it.
 */
export type RowOutcome<Prepared> = { readonly value: Prepared } | { readonly error: ClientError };

const tooMuchToDraw =
  'The picture takes too long to draw: give a simpler style, or a smaller width and height';
/** The time after which other work of the process gets its turn, in milliseconds. */
const stretchMs = 10;

/** The turn of the row has not come. */
export const later = new ClientError('UNAVAILABLE', 'The turn of this row has not come yet');

/** The row's own refusal; undefined for what is no row's fault. */
export const refusalOf = (error: unknown): ClientError | undefined => {
  if (error instanceof TurnMissed || error instanceof OvertakenError) return later;
  // A busy machine may refuse a picture that it can draw; one that is too much to draw must not be tried for ever.
  if (error instanceof RenderTimeout)
    return new ClientError('UNPROCESSABLE', tooMuchToDraw, { cause: error });
  return error instanceof ClientError ? error : undefined;
};

/** What is no row's fault. It is thrown when no row is under way any more. */
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

/** Lets other work of the process run, where none has for {@link stretchMs}. */
const createBreather = () => {
  let sinceMs = performance.now();
  return async (): Promise<void> => {
    if (performance.now() - sinceMs < stretchMs) return;
    await nextTurnOfLoop();
    sinceMs = performance.now();
  };
};

/**
 * Prepares rows side by side. The first one is always begun.
 * @returns an entry for each row, in their order
 * @throws what is no row's fault, when no row is under way any more
 */
export const prepareRows = async <Row, Prepared>(
  rows: readonly Row[],
  turns: Turns,
  prepare: (row: Row) => Promise<Prepared>,
): Promise<RowOutcome<Prepared>[]> => {
  const breathe = createBreather();
  const underWay: Promise<RowOutcome<Prepared> | Fault>[] = [];
  for (const row of rows) {
    await breathe();
    const isLate = underWay.length > 0 && turns.isOver();
    underWay.push(isLate ? Promise.resolve({ error: later }) : outcomeOf(prepare(row)));
  }
  return (await Promise.all(underWay)).map(unlessFault);
};
