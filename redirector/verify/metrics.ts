/** Verifications of serialized items, for Prometheus. */
import type { MetricDefinition } from '#shared/prometheus.ts';
import type { Verifier } from './verifier.ts';

export const verificationMetrics = (verifier: Verifier): MetricDefinition[] => [
  {
    type: 'counter',
    name: 'verifications_total',
    help: 'Verifications of serialized items, by outcome',
    value: () => verifier.statistics,
    label: 'outcome',
  },
];
