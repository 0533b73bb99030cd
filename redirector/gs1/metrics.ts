/** The outcomes of Digital Links, for Prometheus. */
import type { MetricDefinition } from '#shared/prometheus.ts';
import type { Gs1Resolver } from './gs1-resolver.ts';

export const gs1Metrics = (resolver: Gs1Resolver): MetricDefinition[] => [
  {
    type: 'counter',
    name: 'gs1_answers_total',
    help: 'Answers to GS1 Digital Links, by kind',
    value: () => resolver.statistics,
    label: 'kind',
  },
];
