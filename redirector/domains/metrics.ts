/** Prometheus metrics of domain lookups. */
import { counter, type MetricDefinition } from '#shared/prometheus.ts';
import type { Domains } from './domains.ts';

export const domainMetrics = (domains: Domains): MetricDefinition[] => [
  counter(
    'domain_lookups_total',
    'Names in Host that nothing was known of, by what became of them: looked up, not looked up (too many were), or no source could say',
    () => ({ ...domains.statistics }),
    'outcome',
  ),
];
