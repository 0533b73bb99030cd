/** Connections, and requests that are passed through to the control plane, for Prometheus. */
import type { MetricDefinition } from '#shared/prometheus.ts';
import type { Passthrough } from './passthrough.ts';
import type { Server } from './server.ts';

export const httpMetrics = (server: Server, passthrough: Passthrough): MetricDefinition[] => [
  {
    type: 'gauge',
    name: 'connections',
    help: 'Connections to the public port that are open',
    value: () => server.connections.open,
  },
  {
    type: 'counter',
    name: 'connections_refused_total',
    help: 'Connections closed when they opened, since there were too many for the files of the process',
    value: () => server.connections.refused,
  },
  {
    type: 'counter',
    name: 'passed_through_total',
    help: 'Requests passed through',
    value: () => server.passedThrough,
  },
  {
    type: 'counter',
    name: 'passthrough_refused_total',
    help: 'Requests not passed on, by reason',
    value: () => passthrough.refused,
    label: 'reason',
  },
  {
    type: 'gauge',
    name: 'passthrough_under_way',
    help: 'Requests being passed on',
    value: () => passthrough.underWay,
  },
];
