/**
 * Scans for webhooks: redirectors report them if a webhook of the workspace follows them. The workspace's document
 * says whether one does.
 */
import Router from '@koa/router';
import type { State } from '../../../api/http/context.ts';
import type { Feature } from '../../../framework/feature.ts';
import type { Services } from '../../../framework/services.ts';
import { documentKindsOf } from '../../../publishing/feature.ts';
import { addSegmentRoute, segmentEnds } from '../../../reports/route.ts';
import { startBatchForming } from './batch-forming.ts';
import { nightlyJob, scanTables } from './nightly.ts';
import { type ScanProblem, scanProblems, type TakenScans, takeScans } from './take-scans.ts';
import { workspaceDocumentSource } from './workspace-documents.ts';

/** POST /internal/scans?segment=NAME takes reported scans like other segments: see reports/route.ts. */
const routerOf = ({ pool, outbox, internalToken, logger, metrics }: Services): Router<State> => {
  const router = new Router<State>();
  const onCounted = metrics.counter(
    'reported_scans_total',
    'Scans that redirectors have reported for webhooks, by what they were',
    'what',
    ['counted'],
  );
  addSegmentRoute<ScanProblem, TakenScans>(router, {
    path: '/internal/scans',
    what: 'scans',
    pool,
    tables: scanTables,
    internalToken,
    logger,
    take: (tx, lines, rejections) => takeScans(tx, outbox, lines, rejections),
    onTaken: (_, { counted }) => onCounted('counted', counted),
    onSegment: metrics.counter(
      'reported_scan_segments_total',
      'Segments of such scans, by how they were taken',
      'how',
      segmentEnds,
    ),
    onRejected: metrics.counter(
      'reported_scans_rejected_total',
      'Lines of such segments that were set aside',
      'why',
      scanProblems,
    ),
  });
  return router;
};

const formBatches = ({ pool, background, metrics, onClose }: Services): void => {
  const count = metrics.counter(
    'webhook_scans_batched_total',
    'Batches of scans that were put into the queue of deliveries, and scans that wait for none any more',
    'what',
    ['batch', 'scan'],
  );
  let waited = 0;
  metrics.gauge(
    'webhook_batch_waited_seconds',
    'For how long the first scan of a batch that was due had waited, at the last look',
    () => waited,
  );
  const forming = startBatchForming({
    pool,
    background,
    onFormed({ batches, scans, waitedSeconds }) {
      waited = waitedSeconds;
      count('batch', batches);
      count('scan', scans);
    },
  });
  onClose(() => forming.close());
};

export const reportedScans: Feature = {
  name: 'scans',
  events: ['scan.created'],
  tables: [...Object.values(scanTables), 'webhook_collected_scans', 'workspace_versions'],
  open(services) {
    documentKindsOf(services).add(workspaceDocumentSource);
    formBatches(services);
    return { internalRoutes: [routerOf(services)], tasks: [nightlyJob(services.pool)] };
  },
};
