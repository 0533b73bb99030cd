/** What redirectors ask and tell this plane about serialized items. */
import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import pLimit from 'p-limit';
import { ClientError } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { quoted } from '#shared/quoted.ts';
import type { SerialSignatures } from '#shared/serial-signatures.ts';
import type { Pool } from '../../../db/pool.ts';
import type { State } from '../../../http/context.ts';
import { internalOnly } from '../../../http/internal-only.ts';
import { parseQuery } from '../../../http/query.ts';
import type { Outbox } from '../../../outbox/outbox.ts';
import { findItemStates } from './item-lookup.ts';
import { receiveSegment } from './segments/body.ts';
import { type LineProblem, readLines } from './segments/lines.ts';
import { type TakenSegment, takeSegment } from './segments/take-segment.ts';

/** As many as a request line has room for, also where commas are escaped. */
const idsMax = 1_000;

/** Segments that are taken at once. Each has up to 200 MB meanwhile, where it is as large as it may be. */
const takingMax = 2;
/** Segments that are read, or have been and wait to be taken: so one that comes slowly holds up no other. */
const readingMax = 16;
/** Those beyond are told to come again. The bodies of those that wait are not read. */
const waitingMax = 64;

const segmentName = /^[\w.-]{1,100}$/;

export const segmentEnds = ['taken', 'repeated'] as const;

export interface VerificationRoutesOptions {
  pool: Pool;
  outbox: Outbox;
  internalToken: string;
  signatures: Pick<SerialSignatures, 'fingerprints'>;
  logger: Logger;
  onSegment(how: (typeof segmentEnds)[number]): void;
  onRejected(problem: LineProblem): void;
  /** Told of each scan that was counted. */
  onCounted(times: number): void;
  onSecondClaims(times: number): void;
}

/** @throws {ClientError} INVALID_REQUEST */
const parseIds = (querystring: string): string[] => {
  const ids = String(parseQuery(querystring).ids ?? '').split(',');
  if (ids.length <= idsMax) return ids;
  throw new ClientError('INVALID_REQUEST', `ids must have at most ${idsMax} entries; given: ${ids.length}`);
};

/** @throws {ClientError} INVALID_REQUEST */
const parseName = (querystring: string): string => {
  const name = parseQuery(querystring).segment ?? '';
  if (typeof name === 'string' && segmentName.test(name)) return name;
  throw new ClientError(
    'INVALID_REQUEST',
    `segment must be given once, with 1 to 100 letters, digits, dots, dashes and underscores; given: ${quoted(name)}`,
  );
};

/** Tells the operator, and the metrics, of what a segment had. */
const createReport =
  ({ logger, onSegment, onRejected, onCounted, onSecondClaims }: VerificationRoutesOptions) =>
  (name: string, { repeated, counted, rejected, secondClaims }: TakenSegment): void => {
    onSegment(repeated ? 'repeated' : 'taken');
    onCounted(counted);
    for (const { problem } of rejected) onRejected(problem);
    const [first] = rejected;
    if (first) {
      const { line, problem } = first;
      logger.error(
        { segment: name, lines: rejected.length, line, problem },
        'lines of a segment of verifications cannot be counted: they are set aside',
      );
    }
    if (secondClaims.length > 0) {
      onSecondClaims(secondClaims.length);
      logger.error(
        { segment: name, items: secondClaims.length, item: secondClaims[0]!.itemId },
        'items that were claimed before were told to be authentic again',
      );
    }
  };

/**
 * GET /internal/serialized/keys answers a JSON array of the fingerprints of the keys of signatures, by generation.
 *
 * GET /internal/serialized/items?ids=a,b,c answers a JSON array of item states, in any order; ids that do not exist are absent
 * from it.
 *
 * POST /internal/serialized/verifications?segment=NAME takes lines of JSON, each a verification event, as they are, or
 * with Content-Encoding gzip or zstd. It answers 200 with `{repeated, counted, rejected}`: a segment that was taken before is
 * repeated, and adds nothing. Each rejected line costs itself. With 503 nothing was taken, and the segment is to be
 * sent again; with 400, 413 and 415 it never will be.
 */
export const createVerificationRouter = (options: VerificationRoutesOptions): Router<State> => {
  const { pool, outbox, internalToken } = options;
  const router = new Router<State>();
  const guard = internalOnly(internalToken, 'UNAUTHENTICATED');
  const report = createReport(options);
  const reading = pLimit(readingMax);
  const taking = pLimit(takingMax);

  const take = (name: string, request: IncomingMessage): Promise<TakenSegment> => {
    if (reading.pendingCount >= waitingMax)
      throw new ClientError('UNAVAILABLE', 'Too many segments wait; send it again');
    return reading(async () => {
      const received = await receiveSegment(request);
      return taking(async () =>
        takeSegment(pool, outbox, name, await readLines(await received.decompress())),
      );
    });
  };

  router.get('/internal/serialized/keys', guard, async (ctx) => {
    ctx.state.route = '/internal/serialized/keys';
    ctx.body = options.signatures.fingerprints();
  });
  router.get('/internal/serialized/items', guard, async (ctx) => {
    ctx.state.route = '/internal/serialized/items';
    ctx.body = await findItemStates(pool, parseIds(ctx.querystring));
  });
  router.post('/internal/serialized/verifications', guard, async (ctx) => {
    ctx.state.route = '/internal/serialized/verifications';
    const name = parseName(ctx.querystring);
    const taken = await take(name, ctx.req);
    report(name, taken);
    ctx.body = { repeated: taken.repeated, counted: taken.counted, rejected: taken.rejected.length };
  });
  return router;
};
