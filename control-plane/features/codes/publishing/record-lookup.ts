/**
 * Redirectors ask this plane for the records of codes that neither they nor Redis hold, and whether the versions that they
 * hold are the latest.
 */
import Router from '@koa/router';
import { z } from 'zod';
import { boundedText } from '#schemas/api/text.ts';
import { serializeRecord, serializeUnreadable } from '#schemas/code-record.ts';
import { ClientError } from '#shared/errors.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { Pool } from '../../../db/pool.ts';
import { type BodyLimit, readJsonBody } from '../../../http/body.ts';
import type { State } from '../../../http/context.ts';
import { internalOnly } from '../../../http/internal-only.ts';
import { parseQuery } from '../../../http/query.ts';
import { validateBody } from '../../../http/validation.ts';
import type { Background } from '../../../jobs/background.ts';
import { findCodesForRedirect, findCodeVersions } from '../store/find.ts';
import { type RecordPublisher, readRecord } from './records.ts';

/** As many as a request line has room for. A redirector asks once a turn for all ids that it misses. */
const idsMax = 1_000;

/** Ids whose versions are asked for at once: one statement of some milliseconds. */
const versionsMax = 2_000;
/** A comma or quote for each id, and room for the name of the field. */
const versionsBodyLimit: BodyLimit = { bytesMax: 32 * 2 ** 10, partsMax: 10, fieldsMax: 10 };
const versionsBody = z.strictObject({ ids: boundedText(versionsBodyLimit.bytesMax) });

/** @throws {ClientError} INVALID_REQUEST */
const splitIds = (text: string, max: number): string[] => {
  const ids = text.split(',');
  if (ids.length <= max) return ids;
  throw new ClientError('INVALID_REQUEST', `ids must have at most ${max} entries; given: ${ids.length}`);
};

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
 *
 * POST /internal/codes/versions with `{"ids": "a,b,c"}` answers `{timeline, versions}`: for each id, in the order of the
 * question, its version on that timeline, or 0 where there is no such code.
 */
export const createLookupRouter = ({
  pool,
  publisher,
  background,
  internalToken,
}: LookupOptions): Router<State> => {
  const router = new Router<State>();
  const guard = internalOnly(internalToken, 'UNAUTHENTICATED');
  router.get('/internal/codes', guard, async (ctx) => {
    ctx.state.route = '/internal/codes';
    const asked = splitIds(String(parseQuery(ctx.querystring).ids ?? ''), idsMax);
    const ids = asked.filter(isCodeIdShaped);
    const codes = ids.length > 0 ? await findCodesForRedirect(pool, ids) : [];
    const read = codes.map((code) => ({ ...code, ...readRecord(code) }));
    const records = read.flatMap((one) => ('record' in one ? [one.record] : []));
    background.start('putting looked-up records into Redis', publisher.fill(records));
    ctx.body = read.map((one) =>
      'record' in one ? serializeRecord(one.record) : serializeUnreadable(one.id, one.recordVersion),
    );
  });
  router.post('/internal/codes/versions', guard, async (ctx) => {
    ctx.state.route = '/internal/codes/versions';
    const { ids } = validateBody(versionsBody, await readJsonBody(ctx.req, versionsBodyLimit));
    const asked = splitIds(ids, versionsMax);
    // No code has an id of another form; the database refuses some of them as text.
    ctx.body = await findCodeVersions(
      pool,
      asked.map((id) => (isCodeIdShaped(id) ? id : '')),
    );
  });
  return router;
};
