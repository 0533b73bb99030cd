/** The outcomes of scans, for Prometheus. */
import type { MetricDefinition } from '#shared/prometheus.ts';
import type { ScanHandler } from './handler.ts';

export const scanMetrics = (handler: ScanHandler): MetricDefinition[] => [
  {
    type: 'counter',
    name: 'answers_total',
    help: 'Answers by kind',
    value: () => handler.statistics,
    label: 'kind',
  },
];
