/**
 * Rows of a job on their way into PostgreSQL. Their bodies go as one value of bytes, and PostgreSQL cuts it: in a list of
 * values each byte would take four characters, and each text would be searched for characters to escape, in one step.
 */

export interface NewRow {
  position: number;
  body: Buffer;
}

/** Bytes of bodies in one statement. */
const insertBytesMax = 4 * 2 ** 20;
/** Rows in one statement: some 40 ms. */
const insertRowsMax = 5_000;

/** The rows of one statement after the other. */
export function* insertsOf<Row extends NewRow>(rows: readonly Row[]): Generator<Row[]> {
  let some: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const isFull = bytes + row.body.length > insertBytesMax || some.length === insertRowsMax;
    if (some.length > 0 && isFull) {
      yield some;
      some = [];
      bytes = 0;
    }
    some.push(row);
    bytes += row.body.length;
  }
  yield some;
}

/** The values from $2 of a statement with {@link bodyOfRow}: the bodies, the positions, the lengths of the bodies. */
export const valuesOf = (rows: readonly NewRow[]): [Buffer, number[], number[]] => [
  Buffer.concat(rows.map(({ body }) => body)),
  rows.map(({ position }) => position),
  rows.map(({ body }) => body.length),
];

/** SQL: the body of a row of `unnest($3::integer[], $4::integer[]) AS n (position, bytes)`. Positions ascend. */
export const bodyOfRow =
  'substring($2::bytea FROM (1 + sum(bytes) OVER (ORDER BY position) - bytes)::integer FOR bytes)';
