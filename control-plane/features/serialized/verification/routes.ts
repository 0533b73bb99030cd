/** The internal endpoints for redirectors about serialized items: lookups and reports. */
import Router from '@koa/router';
import { ClientError } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import type { SerialSignatures } from '#shared/serial-signatures.ts';
import type { State } from '../../../api/http/context.ts';
import { internalOnly } from '../../../api/http/internal-only.ts';
import { parseQuery } from '../../../api/http/query.ts';
import type { Outbox } from '../../../framework/outbox.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { addSegmentRoute, type segmentEnds } from '../../../reports/route.ts';
import { findItemStates } from './item-lookup.ts';
import { verificationTables } from './nightly.ts';
import {
  type TakenVerifications,
  takeVerifications,
  type VerificationProblem,
} from './reports/take-verifications.ts';

/** As many as fit in a request line, even with escaped commas. */
const idsMax = 1_000;

export interface VerificationRoutesOptions {
  pool: Pool;
  outbox: Outbox;
  internalToken: string;
  signatures: Pick<SerialSignatures, 'fingerprints'>;
  logger: Logger;
  onSegment(how: (typeof segmentEnds)[number]): void;
  onRejected(problem: VerificationProblem, times: number): void;
  /** Called for each counted scan. */
  onCounted(times: number): void;
  onSecondClaims(times: number): void;
}

/** @throws {ClientError} INVALID_REQUEST */
const parseIds = (querystring: string): string[] => {
  const ids = String(parseQuery(querystring).ids ?? '').split(',');
  if (ids.length <= idsMax) return ids;
  throw new ClientError('INVALID_REQUEST', `ids must have at most ${idsMax} entries; given: ${ids.length}`);
};

/** Reports the result of a segment to the log and the metrics. */
const createReport =
  ({ logger, onCounted, onSecondClaims }: VerificationRoutesOptions) =>
  (name: string, { counted, secondClaims }: TakenVerifications): void => {
    onCounted(counted);
    if (secondClaims.length === 0) return;
    onSecondClaims(secondClaims.length);
    logger.error(
      { segment: name, items: secondClaims.length, item: secondClaims[0]!.itemId },
      'items claimed before were answered as authentic again',
    );
  };

/**
 * GET /internal/serialized/keys answers a JSON array of the fingerprints of the signature keys, by generation.
 *
 * GET /internal/serialized/items?ids=a,b,c answers a JSON array of item states, in any order; unknown ids are absent.
 *
 * POST /internal/serialized/verifications?segment=NAME takes verification events like other segments: see
 * reports/route.ts.
 */
export const createVerificationRouter = (options: VerificationRoutesOptions): Router<State> => {
  const { pool, outbox, internalToken } = options;
  const router = new Router<State>();
  const guard = internalOnly(internalToken, 'UNAUTHENTICATED');

  router.get('/internal/serialized/keys', guard, async (ctx) => {
    ctx.state.route = '/internal/serialized/keys';
    ctx.body = options.signatures.fingerprints();
  });
  router.get('/internal/serialized/items', guard, async (ctx) => {
    ctx.state.route = '/internal/serialized/items';
    ctx.body = await findItemStates(pool, parseIds(ctx.querystring));
  });
  addSegmentRoute<VerificationProblem, TakenVerifications>(router, {
    ...options,
    path: '/internal/serialized/verifications',
    what: 'verifications',
    tables: verificationTables,
    take: (tx, lines, rejections) => takeVerifications(tx, outbox, lines, rejections),
    onTaken: createReport(options),
  });
  return router;
};
