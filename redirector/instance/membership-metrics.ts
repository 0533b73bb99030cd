/** The live redirector processes, for Prometheus. */
import { gauge, type MetricDefinition } from '#shared/prometheus.ts';
import type { Membership } from './membership.ts';

export const membershipMetrics = (membership: Membership): MetricDefinition[] => [
  gauge(
    'known_processes',
    'Redirector processes alive, summed over those that say so',
    () => membership.processes,
  ),
];
