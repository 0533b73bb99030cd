/** Prometheus metrics of aliases. */
import { counter, type MetricDefinition } from '#shared/prometheus.ts';
import type { Aliases } from './aliases.ts';

export const aliasMetrics = (aliases: Aliases): MetricDefinition[] => [
  counter(
    'alias_lookups_total',
    'Aliases that nothing was known of, by what became of them: looked up, not looked up (too many from their address, or in all), or no source could say',
    () => ({ ...aliases.statistics }),
    'outcome',
  ),
];
