/** The redirector processes that are alive, for Prometheus. */
import type { MetricDefinition } from '#shared/prometheus.ts';
import type { Membership } from './membership.ts';

export const membershipMetrics = (membership: Membership): MetricDefinition[] => [
  {
    type: 'gauge',
    name: 'known_processes',
    help: 'Redirector processes alive, summed over those that say so',
    value: () => membership.processes,
  },
];
