/** Verifications of serialized items, for Prometheus. */
import { counter, gauge, type MetricDefinition } from '#shared/prometheus.ts';
import { controlPlaneDeliveryMetrics } from '../recording/metrics.ts';
import type { Shipper } from '../recording/shipper.ts';
import type { Spool } from '../recording/spool.ts';
import type { Claims } from './claims/claims.ts';
import type { Verifier } from './verifier.ts';

export const verificationMetrics = (verifier: Verifier, claims: Claims): MetricDefinition[] => [
  counter(
    'verifications_total',
    'Verifications of serialized items, by outcome',
    () => verifier.statistics,
    'outcome',
  ),
  gauge(
    'verifications_waiting',
    'Verifications that wait for Redis, the control plane or the disk',
    () => verifier.waiting,
  ),
  gauge('claimed_items', 'Claimed items in memory', () => claims.statistics.items),
  counter(
    'claims_returned_total',
    'Items given back, since nobody was told that they are authentic',
    () => claims.statistics.returned,
  ),
  counter(
    'claims_settled_total',
    'Times that this process found everything delivered after Redis may have lost claims',
    () => claims.statistics.epochs,
  ),
];

/** Delivery of recorded verifications to the control plane. */
export const verificationDeliveryMetrics = (spool: Spool, shipper: Shipper): MetricDefinition[] => [
  ...controlPlaneDeliveryMetrics({ name: 'verifications', what: 'Verifications' }, spool, shipper),
  counter(
    'verifications_refused_total',
    'Verifications that got no verdict since the spool did not take them, by reason',
    () => ({
      spool_full: spool.statistics.dropped.spool_full,
      disk_error: spool.statistics.dropped.disk_error,
    }),
    'reason',
  ),
];
