/** Results that stay until their days are over: they are streamed, as often as they are asked for. */
import { inPieces, type Piece } from '../../../api/http/pieces.ts';
import type { Reply } from '../../../api/idempotency/reply.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import { readDoneRows } from './store/results.ts';

const rowsMax = 1_000;

/** A JSON array with an entry for each row that is done, in the order of the rows. */
async function* entriesOf(db: Queryable, bulkId: string): AsyncGenerator<Piece> {
  let before = '[';
  let after = -1;
  for (;;) {
    const page = await readDoneRows(db, bulkId, { after, status: undefined, limit: rowsMax });
    yield* inPieces(page, (rows) =>
      rows
        .map(({ uid, result }) => {
          const text = `${before}${JSON.stringify({ uid, ...result })}`;
          before = ',\n';
          return text;
        })
        .join(''),
    );
    if (page.length < rowsMax) break;
    after = page.at(-1)!.position;
  }
  yield () => (before === '[' ? '[]' : ']');
}

export const keptResult = (db: Queryable, bulkId: string): Reply => ({
  headers: { 'content-type': 'application/json; charset=utf-8' },
  pieces: entriesOf(db, bulkId),
});
