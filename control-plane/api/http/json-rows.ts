/**
 * Parses a large array in batches of rows: parsing 25 MB at once blocks the event loop for 35 to 400 ms. A thread would
 * not help: its result comes back as a copy, and building that copy on the loop takes as long as parsing.
 */
import { ClientError } from '#shared/errors.ts';
import { afterBlanks, type JsonShape } from './json-shape.ts';

/** Limits of a batch. Many empty rows cost more than their bytes suggest. */
const togetherBytes = 64 * 1024;
const togetherRows = 1_000;
/** If all names differ, parsing this many takes some milliseconds. A single row may have more. */
const togetherFields = 500;

const opening = 0x5b;
const closing = 0x5d;

export interface RowsOptions {
  /** Of one row. */
  rowBytesMax: number;
  /** Of a row, in words. */
  rowSizeText: string;
  /** Parses a part of the body. @param place where it is, for an error */
  parse(bytes: Buffer, place: string): unknown;
}

const invalid = (place: string): ClientError =>
  new ClientError('INVALID_REQUEST', `The body is not valid JSON (${place})`);

/** @throws {ClientError} INVALID_REQUEST if the array does not end, or something follows it */
function* requireWhole(bytes: Buffer, { end }: JsonShape): Generator<void, number> {
  if (end === undefined) throw invalid('it ends before its array does');
  if (bytes[end] !== closing || (yield* afterBlanks(bytes, end + 1)) < bytes.length)
    throw invalid(`at byte offset ${end}, where its array should end`);
  return end;
}

/**
 * @param bytes for which `beginsAsRows` is true
 * @returns the array
 * @throws {ClientError} INVALID_REQUEST for invalid JSON; BODY_TOO_LARGE if a row is too large
 */
export function* rowSteps(
  bytes: Buffer,
  shape: JsonShape,
  { rowBytesMax, rowSizeText, parse }: RowsOptions,
): Generator<void, unknown[]> {
  const end = yield* requireWhole(bytes, shape);
  const { begin, cuts, fieldsBefore } = shape;
  if (cuts.length === 0 && (yield* afterBlanks(bytes, begin + 1)) === end) return [];
  const rows: unknown[] = [];
  for (let row = 0, from = begin + 1; row <= cuts.length; ) {
    const first = row;
    let to = from - 1;
    do {
      const next = cuts[row] ?? end;
      if (next - to > rowBytesMax)
        throw new ClientError('BODY_TOO_LARGE', `rows[${row}] must not be larger than ${rowSizeText}`);
      const fields = (fieldsBefore[row] ?? shape.fields) - (fieldsBefore[first - 1] ?? 0);
      if (
        row > first &&
        (next - from > togetherBytes || row - first === togetherRows || fields > togetherFields)
      )
        break;
      to = next;
      row++;
    } while (row <= cuts.length);
    // In their own brackets: an empty row, or a row with a bracket too many, stays invalid JSON.
    const some = Buffer.concat([Buffer.of(opening), bytes.subarray(from, to), Buffer.of(closing)]);
    const place = row - first === 1 ? `in rows[${first}]` : `in rows[${first}] to rows[${row - 1}]`;
    for (const each of parse(some, place) as unknown[]) rows.push(each);
    from = to + 1;
    yield;
  }
  return rows;
}
