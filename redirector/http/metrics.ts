/** Prometheus metrics of connections and of requests passed through to the control plane. */
import { counter, gauge, type MetricDefinition } from '#shared/prometheus.ts';
import { durationMetrics } from './durations.ts';
import type { Passthrough } from './passthrough.ts';
import type { Server } from './server.ts';

export const httpMetrics = (server: Server, passthrough: Passthrough): MetricDefinition[] => [
  ...durationMetrics(),
  gauge('connections', 'Connections to the public port that are open', () => server.connections.open),
  counter(
    'connections_refused_total',
    'Connections closed when they opened, since there were too many for the files of the process',
    () => server.connections.refused,
  ),
  counter('passed_through_total', 'Requests passed through', () => server.passedThrough),
  counter(
    'passthrough_refused_total',
    'Requests not passed on, by reason',
    () => passthrough.refused,
    'reason',
  ),
  gauge('passthrough_under_way', 'Requests being passed on', () => passthrough.underWay),
];
