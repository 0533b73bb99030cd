/** POST /internal/unknown-codes?segment=NAME takes scans of unknown codes that redirectors have counted: see reports/route.ts. */
import Router from '@koa/router';
import { type ReportedUnknownCode, reportedUnknownCode } from '#schemas/reported-unknown-code.ts';
import type { State } from '../../../api/http/context.ts';
import type { Services } from '../../../framework/services.ts';
import type { Task } from '../../../jobs/tasks.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { type LineFormat, type ReadingProblem, readingProblems, readLines } from '../../../reports/lines.ts';
import type { Rejections } from '../../../reports/rejections.ts';
import { addSegmentRoute, segmentEnds } from '../../../reports/route.ts';
import { forgetOldSegments, type SegmentTables } from '../../../reports/tables.ts';
import { addUnknownCodes, forgetUnknownCodes, trimUnknownCodes } from './store.ts';

export const unknownCodeTables: SegmentTables = {
  segments: 'unknown_code_segments',
  rejectedLines: 'unknown_code_rejected_lines',
};

const format: LineFormat<ReportedUnknownCode> = { schema: reportedUnknownCode, lineBytesMax: 2 ** 11 };

const take = async (
  tx: Transaction,
  lines: Buffer,
  rejections: Rejections<ReadingProblem>,
): Promise<{ counted: number }> => {
  const places = new Map<string, ReportedUnknownCode>();
  let counted = 0;
  for await (const some of readLines(lines, format, rejections)) {
    await addUnknownCodes(tx, some);
    for (const each of some) places.set(`${each.workspaceId} ${each.domain} ${each.day}`, each);
    counted += some.length;
  }
  if (places.size > 0) await trimUnknownCodes(tx, [...places.values()]);
  return { counted };
};

export const unknownCodesRouter = ({ pool, internalToken, logger, metrics }: Services): Router<State> => {
  const router = new Router<State>();
  const onCounted = metrics.counter(
    'unknown_codes_reported_total',
    'Paths of unknown codes that redirectors have reported',
    'what',
    ['counted'],
  );
  addSegmentRoute<ReadingProblem, { counted: number }>(router, {
    path: '/internal/unknown-codes',
    what: 'scans of unknown codes',
    pool,
    tables: unknownCodeTables,
    internalToken,
    logger,
    take,
    onTaken: (_, { counted }) => onCounted('counted', counted),
    onSegment: metrics.counter(
      'unknown_code_segments_total',
      'Reports of unknown codes, by how they were taken',
      'how',
      segmentEnds,
    ),
    onRejected: metrics.counter(
      'unknown_codes_rejected_total',
      'Lines of such reports that were set aside',
      'why',
      readingProblems,
    ),
  });
  return router;
};

export const unknownCodesTask = (pool: Pool): Task => ({
  task: 'sweep-unknown-codes',
  schedule: '50 3 * * *',
  async run() {
    await forgetUnknownCodes(pool);
    await forgetOldSegments(pool, unknownCodeTables);
  },
});
