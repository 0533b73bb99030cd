/** Redirectors ask this plane for the records of codes that neither they nor Redis hold. */
import Router from '@koa/router';
import { serializeRecord, serializeUnreadable } from '#schemas/code-record.ts';
import { ClientError } from '#shared/errors.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { Pool } from '../../../db/pool.ts';
import type { State } from '../../../http/context.ts';
import { internalOnly } from '../../../http/internal-only.ts';
import { parseQuery } from '../../../http/query.ts';
import type { Background } from '../../../jobs/background.ts';
import { findCodesForRedirect } from '../store/find.ts';
import { type RecordPublisher, readRecord } from './records.ts';

/** As many as a request line has room for. A redirector asks once a turn for all ids that it misses. */
const idsMax = 1_000;

export interface LookupOptions {
  pool: Pool;
  publisher: RecordPublisher;
  background: Background;
  internalToken: string;
}

/**
 * GET /internal/codes?ids=a,b,c answers a JSON array of serialized records, in any order; ids that do not exist are
 * absent from it. The records are also put into Redis, where the next redirector finds them. A code whose record cannot be
 * made costs the others nothing: the answer has its id alone, so that no redirector takes it for absent.
 *
 * `format` names the latest format that can be read there. This release knows only the first.
 */
export const createLookupRouter = ({
  pool,
  publisher,
  background,
  internalToken,
}: LookupOptions): Router<State> => {
  const router = new Router<State>();
  router.get('/internal/codes', internalOnly(internalToken, 'UNAUTHENTICATED'), async (ctx) => {
    ctx.state.route = '/internal/codes';
    const asked = String(parseQuery(ctx.querystring).ids ?? '').split(',');
    if (asked.length > idsMax) {
      throw new ClientError(
        'INVALID_REQUEST',
        `ids must have at most ${idsMax} entries; given: ${asked.length}`,
      );
    }
    const ids = asked.filter(isCodeIdShaped);
    const codes = ids.length > 0 ? await findCodesForRedirect(pool, ids) : [];
    const read = codes.map((code) => ({ ...code, ...readRecord(code) }));
    const records = read.flatMap((one) => ('record' in one ? [one.record] : []));
    background.start('putting looked-up records into Redis', publisher.fill(records));
    ctx.body = read.map((one) =>
      'record' in one ? serializeRecord(one.record) : serializeUnreadable(one.id, one.recordVersion),
    );
  });
  return router;
};
