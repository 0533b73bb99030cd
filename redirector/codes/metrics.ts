/** The held codes, and the sources that they come from, for Prometheus. */
import type { MetricDefinition } from '#shared/prometheus.ts';
import type { ChangeStream } from './change-stream.ts';
import type { Resolver } from './resolver.ts';
import type { Sweep } from './sweep.ts';

export const codeMetrics = (resolver: Resolver, changes: ChangeStream, sweep: Sweep): MetricDefinition[] => [
  ...resolverMetrics(resolver, changes),
  ...changeMetrics(changes),
  ...sweepMetrics(sweep),
];

const resolverMetrics = (resolver: Resolver, changes: ChangeStream): MetricDefinition[] => [
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
    type: 'gauge',
    name: 'record_truth_away',
    help: '1 from a lookup that the control plane did not answer until it answers one: no scan of a held code waits for it',
    value: () => (resolver.statistics.truthAway ? 1 : 0),
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
    type: 'gauge',
    name: 'record_object_bytes',
    help: 'Heap of held codes with rules or long texts, as estimated',
    value: () => resolver.objectBytes,
  },
];

const changeMetrics = (changes: ChangeStream): MetricDefinition[] => [
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

const sweepMetrics = ({ statistics }: Sweep): MetricDefinition[] => [
  {
    type: 'counter',
    name: 'record_checks_total',
    help: 'Held records whose version was compared with the database',
    value: () => statistics.checked,
  },
  {
    type: 'counter',
    name: 'record_mismatches_total',
    help: 'Held records of which the database had a later version, none (absent), or an earlier one',
    value: () => ({ ...statistics.mismatches }),
    label: 'database',
  },
  {
    type: 'counter',
    name: 'record_check_failures_total',
    help: 'Comparisons that failed, and were tried again later',
    value: () => statistics.failures,
  },
  {
    type: 'counter',
    name: 'record_checks_refused_total',
    help: 'Failed comparisons of some codes that the control plane refused: the sweep went on with others',
    value: () => statistics.refused,
  },
  {
    type: 'gauge',
    name: 'record_check_late_seconds',
    help: 'By how much the sweep is late; 0 while every held record is checked within the bound',
    value: () => statistics.lateMs / 1000,
  },
];
