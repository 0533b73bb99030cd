/** Verifications of serialized items, for Prometheus. */
import type { MetricDefinition } from '#shared/prometheus.ts';
import { controlPlaneDeliveryMetrics } from '../recording/metrics.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Shipper } from '../recording/shipper.ts';
import type { Spool } from '../recording/spool.ts';
import type { Claims } from './claims/claims.ts';
import type { Verifier } from './verifier.ts';

export const verificationMetrics = (
  verifier: Verifier,
  claims: Claims,
  recorder: Pick<Recorder, 'statistics'>,
): MetricDefinition[] => [
  {
    type: 'counter',
    name: 'verifications_total',
    help: 'Verifications of serialized items, by outcome',
    value: () => verifier.statistics,
    label: 'outcome',
  },
  {
    type: 'gauge',
    name: 'verifications_waiting',
    help: 'Verifications that wait for Redis, the control plane or the disk',
    value: () => verifier.waiting,
  },
  {
    type: 'gauge',
    name: 'claimed_items',
    help: 'Claimed items in memory',
    value: () => claims.statistics.items,
  },
  {
    type: 'counter',
    name: 'claims_returned_total',
    help: 'Items given back, since nobody was told that they are authentic',
    value: () => claims.statistics.returned,
  },
  {
    type: 'counter',
    name: 'claims_settled_total',
    help: 'Times that this process found everything delivered after Redis may have lost claims',
    value: () => claims.statistics.settled,
  },
  {
    type: 'counter',
    name: 'verifications_unanswered_total',
    help: 'Verifications recorded whose connection closed before the answer',
    value: () => recorder.statistics.unanswered,
  },
];

/** The path of recorded verifications to the control plane. */
export const verificationDeliveryMetrics = (spool: Spool, shipper: Shipper): MetricDefinition[] => [
  ...controlPlaneDeliveryMetrics({ name: 'verifications', what: 'Verifications' }, spool, shipper),
  {
    type: 'counter',
    name: 'verifications_refused_total',
    help: 'Verifications that got no verdict since the spool did not take them, by reason',
    value: () => ({
      spool_full: spool.statistics.dropped.spool_full,
      disk_error: spool.statistics.dropped.disk_error,
    }),
    label: 'reason',
  },
];
