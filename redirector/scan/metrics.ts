/** The outcomes of scans, for Prometheus. */
import { counter, type MetricDefinition } from '#shared/prometheus.ts';
import type { ScanHandler } from './handler.ts';

export const scanMetrics = (handler: ScanHandler): MetricDefinition[] => [
  counter('answers_total', 'Answers by kind', () => handler.statistics, 'kind'),
];
