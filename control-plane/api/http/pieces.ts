/**
 * Responses that are written while they are sent, in short pieces of synchronous work however large the rows are:
 * others are served between two pieces (http/stream-shares.ts).
 */
import type { Piece } from '../idempotency/reply.ts';

export type { Piece } from '../idempotency/reply.ts';

/** A piece ends with the rows during which this time elapses. */
const pieceMs = 1;
/** Rows written between two looks at the clock: few at first, since a row may be a megabyte. */
const rowsAtOnceMax = 32;

/**
 * The rows of a page as pieces. Each must be done before the next is requested.
 * @param textOf receives some rows, in their order
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

/**
 * Parts of a list of which each is read when the one before has been sent.
 * @returns ids in their order, as many together as fit in a part; one that is larger is a part of its own
 */
export const partsOf = (rows: readonly { id: string; bytes: number }[], bytesMax: number): string[][] => {
  const parts: string[][] = [];
  let left = 0;
  for (const { id, bytes } of rows) {
    if (bytes > left || parts.length === 0) {
      parts.push([]);
      left = bytesMax;
    }
    parts.at(-1)?.push(id);
    left -= bytes;
  }
  return parts;
};

/** The pieces, each done when requested: for a process that serves no requests, such as the command line. */
export async function* textsOf(pieces: AsyncIterable<Piece>): AsyncGenerator<string> {
  for await (const piece of pieces) yield piece();
}
