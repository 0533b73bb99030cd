/**
 * Answers that are written while they are sent, in pieces of synchronous work that are short, whatever the rows are: between two of
 * them everybody else is served (http/stream-turns.ts).
 */
import type { Piece } from '../creation/reply.ts';

export type { Piece } from '../creation/reply.ts';

/** A piece ends with the rows during which this time is over. */
const pieceMs = 1;
/** Rows that are written without a look at the clock: few at first, since a row may be a megabyte. */
const rowsAtOnceMax = 32;

/**
 * The rows of a page as pieces. Each of them has to be done before the next one is asked for.
 * @param textOf is given some rows, in their order
 */
export function* inPieces<Row>(
  rows: readonly Row[],
  textOf: (some: readonly Row[]) => string,
  clock: () => number = () => performance.now(),
): Generator<Piece> {
  let at = 0;
  const write = (): string => {
    const endMs = clock() + pieceMs;
    let text = '';
    for (let some = 1; at < rows.length && clock() < endMs; some = Math.min(rowsAtOnceMax, some * 2)) {
      const next = rows.slice(at, at + some);
      at += next.length;
      text += textOf(next);
    }
    return text;
  };
  while (at < rows.length) yield write;
}

/** The pieces, each done when it is asked for: for a reader who holds nobody up. */
export async function* textsOf(pieces: AsyncIterable<Piece>): AsyncGenerator<string> {
  for await (const piece of pieces) yield piece();
}
