/** The outcomes of Digital Links, for Prometheus. */
import { counter, type MetricDefinition } from '#shared/prometheus.ts';
import type { Gs1Resolver } from './gs1-resolver.ts';

export const gs1Metrics = (resolver: Gs1Resolver): MetricDefinition[] => [
  counter('gs1_answers_total', 'Answers to GS1 Digital Links, by kind', () => resolver.statistics, 'kind'),
];
