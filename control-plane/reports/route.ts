/** The route to which redirectors send segments of one kind. */
import type { IncomingMessage } from 'node:http';
import type Router from '@koa/router';
import pLimit from 'p-limit';
import { ClientError } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { quoted } from '#shared/quoted.ts';
import type { State } from '../api/http/context.ts';
import { internalOnly } from '../api/http/internal-only.ts';
import { parseQuery } from '../api/http/query.ts';
import type { Pool } from '../platform/db/pool.ts';
import type { Transaction } from '../platform/db/transaction.ts';
import { receiveSegment } from './body.ts';
import type { Rejections } from './rejections.ts';
import type { SegmentTables } from './tables.ts';
import { type TakenSegment, takeSegment } from './take-segment.ts';

/** Segments of a kind that are taken at once. Each needs up to 200 MB meanwhile, if it has the maximum size. */
const takingMax = 2;
/** Segments that are being read, or are read and waiting to be taken, so that a slow one delays no other. */
const readingMax = 16;
/** Segments beyond this are refused, to be sent again. The bodies of waiting ones are not read. */
const waitingMax = 64;

const segmentName = /^[\w.-]{1,100}$/;

export const segmentEnds = ['taken', 'repeated'] as const;

export interface SegmentRouteOptions<Problem extends string, Taken extends { readonly counted: number }> {
  path: string;
  /** The word for the events in the log: `verifications`. */
  what: string;
  pool: Pool;
  tables: SegmentTables;
  internalToken: string;
  logger: Logger;
  /** Takes the lines of a segment; if it throws, none of it is counted. */
  take(tx: Transaction, lines: Buffer, rejections: Rejections<Problem>): Promise<Taken>;
  /** Called with the committed result. */
  onTaken(name: string, taken: Taken): void;
  onSegment(how: (typeof segmentEnds)[number]): void;
  onRejected(problem: Problem, times: number): void;
}

/** @throws {ClientError} INVALID_REQUEST */
const parseName = (querystring: string): string => {
  const name = parseQuery(querystring).segment ?? '';
  if (typeof name === 'string' && segmentName.test(name)) return name;
  throw new ClientError(
    'INVALID_REQUEST',
    `segment must be given once, with 1 to 100 letters, digits, dots, dashes and underscores; given: ${quoted(name)}`,
  );
};

/** Reports to the operator, and the metrics, which lines were set aside. */
const reportRejected = <Problem extends string>(
  name: string,
  rejections: Rejections<Problem>,
  { what, logger, onRejected }: Pick<SegmentRouteOptions<Problem, never>, 'what' | 'logger' | 'onRejected'>,
): void => {
  for (const [problem, times] of rejections.counts) onRejected(problem, times);
  const [first] = rejections.kept();
  if (!first) return;
  const { line, problem } = first;
  logger.error(
    { segment: name, lines: rejections.total, line, problem },
    `set aside lines of a segment of ${what} that cannot be counted`,
  );
};

/** Limits the concurrent segments. */
const createPlaces = () => {
  const reading = pLimit(readingMax);
  const taking = pLimit(takingMax);
  return <Result>(request: IncomingMessage, take: (lines: Buffer) => Promise<Result>): Promise<Result> => {
    if (reading.pendingCount >= waitingMax)
      throw new ClientError('UNAVAILABLE', 'Too many segments wait; send it again');
    return reading(async () => {
      const received = await receiveSegment(request);
      return taking(async () => take(await received.decompress()));
    });
  };
};

/**
 * POST {path}?segment=NAME takes lines of JSON, each an event, plain or with Content-Encoding gzip or zstd. It answers
 * 200 with `{repeated, counted, rejected}`: a segment that was taken before is repeated, and adds nothing. A rejected
 * line affects no other line. With 503 nothing was taken, and the segment must be sent again; with 400, 413 and 415 it
 * will never be taken.
 */
export const addSegmentRoute = <Problem extends string, Taken extends { readonly counted: number }>(
  router: Router<State>,
  options: SegmentRouteOptions<Problem, Taken>,
): void => {
  const { path, pool, tables, internalToken, take, onTaken, onSegment } = options;
  const withPlace = createPlaces();

  router.post(path, internalOnly(internalToken, 'UNAUTHENTICATED'), async (ctx) => {
    ctx.state.route = path;
    const name = parseName(ctx.querystring);
    const { taken, rejections }: TakenSegment<Problem, Taken> = await withPlace(ctx.req, (lines) =>
      takeSegment(pool, tables, name, (tx, rejected) => take(tx, lines, rejected)),
    );
    onSegment(taken ? 'taken' : 'repeated');
    if (taken) onTaken(name, taken);
    reportRejected(name, rejections, options);
    ctx.body = { repeated: !taken, counted: taken?.counted ?? 0, rejected: rejections.total };
  });
};
