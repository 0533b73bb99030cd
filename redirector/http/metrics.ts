/** Requests that are passed through to the control plane, for Prometheus. */
import type { MetricDefinition } from '#shared/prometheus.ts';
import type { Passthrough } from './passthrough.ts';
import type { Server } from './server.ts';

export const httpMetrics = (server: Server, passthrough: Passthrough): MetricDefinition[] => [
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
