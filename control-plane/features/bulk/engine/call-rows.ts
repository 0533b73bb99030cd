/**
 * The rows of a call, as far as the whole call depends on them: that they are rows, how many they are, and that each has a name of
 * its own. What else is wrong in a row is that row's failure.
 */
import { bulkRowsMax, uid, uidLengthMax } from '#schemas/api/bulk.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';

/** A row of the body, as it was sent. */
export interface CallRow {
  uid: string;
  row: Readonly<Record<string, unknown>>;
}

/** What was sent for a row beside its name. */
export const withoutUid = ({ uid: _, ...rest }: CallRow['row']): Record<string, unknown> => rest;

const refuse = (message: string): never => {
  throw new ClientError('INVALID_REQUEST', message);
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readUid = (at: number, given: unknown): string => {
  const checked = uid.safeParse(given);
  if (checked.success) return checked.data;
  if (given === undefined) return refuse(`rows[${at}].uid is required`);
  const size = typeof given === 'string' && given.length > uidLengthMax ? given.length : quoted(given);
  return refuse(
    `rows[${at}].uid must be a string of 1 to ${uidLengthMax} characters without control characters; given: ${size}`,
  );
};

/**
 * @param body JSON of any shape
 * @param uidOf what names a row; by default its field `uid`
 * @throws {ClientError} INVALID_REQUEST naming the row
 */
export const readCallRows = (
  body: unknown,
  uidOf: (row: Readonly<Record<string, unknown>>, at: number) => unknown = (row) => row.uid,
): CallRow[] => {
  if (!Array.isArray(body)) return refuse(`The body must be an array of rows; given: ${quoted(body)}`);
  if (body.length === 0) return refuse('The body must have at least 1 row; given: 0');
  if (body.length > bulkRowsMax)
    return refuse(`The body must have at most ${bulkRowsMax} rows; given: ${body.length}`);
  const places = new Map<string, number>();
  return body.map((row: unknown, at) => {
    if (!isObject(row)) return refuse(`rows[${at}] must be an object; given: ${quoted(row)}`);
    const name = readUid(at, uidOf(row, at));
    const before = places.get(name);
    if (before !== undefined)
      return refuse(
        `rows[${at}].uid must be unique in the call; ${quoted(name)} is the uid of rows[${before}]`,
      );
    places.set(name, at);
    return { uid: name, row };
  });
};
