/** The held codes, and the sources that they come from, for Prometheus. */
import type { MetricDefinition } from '#shared/prometheus.ts';
import type { ChangeStream } from './change-stream.ts';
import type { Resolver } from './resolver.ts';

export const codeMetrics = (resolver: Resolver, changes: ChangeStream): MetricDefinition[] => [
  {
    type: 'counter',
    name: 'record_hits_total',
    help: 'Codes found in memory',
    value: () => resolver.statistics.hits,
  },
  {
    type: 'counter',
    name: 'record_misses_total',
    help: 'Codes not found in memory, or too old',
    value: () => resolver.statistics.misses,
  },
  {
    type: 'counter',
    name: 'record_loads_total',
    help: 'Codes asked for, by source',
    value: () => resolver.statistics.loads,
    label: 'source',
  },
  {
    type: 'counter',
    name: 'record_failures_total',
    help: 'Questions that failed',
    value: () => resolver.statistics.failures,
    label: 'source',
  },
  {
    type: 'counter',
    name: 'records_unreadable_total',
    help: 'Records that could not be read, by where they came from',
    value: () => ({ ...resolver.statistics.unreadable, stream: changes.statistics.unreadable }),
    label: 'source',
  },
  {
    type: 'gauge',
    name: 'record_timeline',
    help: 'The timeline of the database, as far as is known',
    value: () => resolver.timeline,
  },
  {
    type: 'counter',
    name: 'slow_lane_refused_total',
    help: 'Invented ids not looked up',
    value: () => resolver.statistics.slowLaneRefused,
  },
  { type: 'gauge', name: 'records', help: 'Codes held in memory', value: () => resolver.size },
  {
    type: 'counter',
    name: 'changes_applied_total',
    help: 'Changed records received',
    value: () => changes.statistics.applied,
  },
  {
    type: 'counter',
    name: 'changes_gaps_total',
    help: 'Times changes may have been missed',
    value: () => changes.statistics.gaps,
  },
  {
    type: 'gauge',
    name: 'changes_following',
    help: '1 while the stream is read',
    value: () => (changes.statistics.following ? 1 : 0),
  },
];
