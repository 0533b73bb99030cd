/** The verification of serialized items, as far as it is the control plane's: redirectors ask for items, and report their scans. */
import type { Feature } from '../../../feature.ts';
import type { Services } from '../../../services.ts';
import { nightlyJob } from './nightly.ts';
import { createVerificationRouter, segmentEnds } from './routes.ts';
import { lineProblems } from './segments/lines.ts';
import { verificationVerbs } from './verbs.ts';

const routerOf = ({ pool, outbox, internalToken, logger, metrics }: Services) => {
  const countScans = metrics.counter(
    'serialized_scans_total',
    'Scans of serialized items that redirectors have reported, by what they were',
    'what',
    ['counted', 'second_claim'],
  );
  return createVerificationRouter({
    pool,
    outbox,
    internalToken,
    logger,
    onSegment: metrics.counter(
      'serialized_segments_total',
      'Segments of verifications, by how they were taken',
      'how',
      segmentEnds,
    ),
    onRejected: metrics.counter(
      'serialized_lines_rejected_total',
      'Lines of such segments that were set aside',
      'why',
      lineProblems,
    ),
    onCounted: (times) => countScans('counted', times),
    onSecondClaims: (times) => countScans('second_claim', times),
  });
};

export const serializedVerification: Feature = {
  name: 'verification',
  tables: ['serialized_segments', 'serialized_rejected_lines'],
  events: ['serialized.first_scanned', 'serialized.duplicate_scanned'],
  verbs: verificationVerbs,
  open: (services) => ({ internalRoutes: [routerOf(services)], jobs: [nightlyJob(services.pool)] }),
};
