/** Caps and the address limit, for Prometheus. */
import { counter, gauge, type MetricDefinition } from '#shared/prometheus.ts';
import type { AddressLimit } from './address-limit.ts';
import type { Caps } from './caps.ts';

export const limitMetrics = (caps: Caps, addressLimit: AddressLimit): MetricDefinition[] => [
  counter('cap_takes_total', 'Scans of capped codes, by answer', () => caps.statistics, 'answer'),
  gauge('rate_limit_networks', 'Networks counted in this minute', () => addressLimit.statistics.networks),
  counter(
    'rate_limit_settled_total',
    'Networks settled through Redis',
    () => addressLimit.statistics.settled,
  ),
];
