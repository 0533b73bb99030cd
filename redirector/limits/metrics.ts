/** Caps and the address limit, for Prometheus. */
import type { MetricDefinition } from '#shared/prometheus.ts';
import type { AddressLimit } from './address-limit.ts';
import type { Caps } from './caps.ts';

export const limitMetrics = (caps: Caps, addressLimit: AddressLimit): MetricDefinition[] => [
  {
    type: 'counter',
    name: 'cap_takes_total',
    help: 'Scans of capped codes, by answer',
    value: () => caps.statistics,
    label: 'answer',
  },
  {
    type: 'gauge',
    name: 'rate_limit_networks',
    help: 'Networks counted in this minute',
    value: () => addressLimit.statistics.networks,
  },
  {
    type: 'counter',
    name: 'rate_limit_settled_total',
    help: 'Networks settled through Redis',
    value: () => addressLimit.statistics.settled,
  },
];
