/** POST /internal/hosted/views?segment=NAME takes views that redirectors have counted: see reports/route.ts. */
import Router from '@koa/router';
import { type ReportedView, reportedView } from '#schemas/page-document.ts';
import type { State } from '../../../api/http/context.ts';
import type { Feature } from '../../../framework/feature.ts';
import type { Services } from '../../../framework/services.ts';
import type { Task } from '../../../jobs/tasks.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { type LineFormat, type ReadingProblem, readingProblems, readLines } from '../../../reports/lines.ts';
import type { Rejections } from '../../../reports/rejections.ts';
import { addSegmentRoute, segmentEnds } from '../../../reports/route.ts';
import { forgetOldSegments, type SegmentTables } from '../../../reports/tables.ts';
import { addReportedViews } from './view-rows.ts';

const viewTables: SegmentTables = {
  segments: 'hosted_view_segments',
  rejectedLines: 'hosted_rejected_views',
};

const format: LineFormat<ReportedView> = { schema: reportedView, lineBytesMax: 2 ** 10 };

const takeViews = async (
  tx: Transaction,
  lines: Buffer,
  rejections: Rejections<ReadingProblem>,
): Promise<{ counted: number }> => {
  const views = new Map<string, number>();
  let counted = 0;
  for await (const some of readLines(lines, format, rejections))
    for (const { id } of some) {
      views.set(id, (views.get(id) ?? 0) + 1);
      counted++;
    }
  if (counted > 0) await addReportedViews(tx, views);
  return { counted };
};

const routerOf = ({ pool, internalToken, logger, metrics }: Services): Router<State> => {
  const router = new Router<State>();
  const onCounted = metrics.counter(
    'hosted_page_reported_views_total',
    'Views of hosted pages that redirectors have reported',
    'what',
    ['counted'],
  );
  addSegmentRoute<ReadingProblem, { counted: number }>(router, {
    path: '/internal/hosted/views',
    what: 'views of hosted pages',
    pool,
    tables: viewTables,
    internalToken,
    logger,
    take: takeViews,
    onTaken: (_, { counted }) => onCounted('counted', counted),
    onSegment: metrics.counter(
      'hosted_page_view_segments_total',
      'Segments of such views, by how they were taken',
      'how',
      segmentEnds,
    ),
    onRejected: metrics.counter(
      'hosted_page_views_rejected_total',
      'Lines of such segments that were set aside',
      'why',
      readingProblems,
    ),
  });
  return router;
};

/** Forgets processed segments of views, and rejected lines. */
const nightlyTask = (pool: Pool): Task => ({
  task: 'sweep-page-views',
  schedule: '55 3 * * *',
  run: () => forgetOldSegments(pool, viewTables),
});

export const reportedViews: Feature = {
  name: 'page-views',
  tables: Object.values(viewTables),
  open: (services) => ({ internalRoutes: [routerOf(services)], tasks: [nightlyTask(services.pool)] }),
};
