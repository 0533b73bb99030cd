/** The held codes, and the sources that they come from, for Prometheus. */
import { counter, gauge, type MetricDefinition } from '#shared/prometheus.ts';
import type { ChangeStream } from '../held/change-stream.ts';
import type { Resolver } from './resolver.ts';
import type { Sweep } from './sweep.ts';

export const codeMetrics = (resolver: Resolver, changes: ChangeStream, sweep: Sweep): MetricDefinition[] => [
  ...resolverMetrics(resolver, changes),
  ...changeMetrics(changes),
  ...sweepMetrics(sweep),
];

const resolverMetrics = (resolver: Resolver, changes: ChangeStream): MetricDefinition[] => [
  counter('record_hits_total', 'Codes found in memory', () => resolver.statistics.hits),
  counter('record_misses_total', 'Codes not found in memory, or too old', () => resolver.statistics.misses),
  counter('record_loads_total', 'Codes asked for, by source', () => resolver.statistics.loads, 'source'),
  counter('record_failures_total', 'Questions that failed', () => resolver.statistics.failures, 'source'),
  gauge(
    'record_truth_away',
    '1 from a lookup that the control plane did not answer until it answers one: no scan of a held code waits for it',
    () => (resolver.statistics.truthAway ? 1 : 0),
  ),
  counter(
    'records_unreadable_total',
    'Records that could not be read, by where they came from',
    () => ({ ...resolver.statistics.unreadable, stream: changes.statistics.unreadable }),
    'source',
  ),
  gauge('record_timeline', 'The timeline of the database, as far as is known', () => resolver.timeline),
  counter('slow_lane_refused_total', 'Invented ids not looked up', () => resolver.statistics.slowLaneRefused),
  gauge('records_loading', 'Codes that wait for a source', () => resolver.loading),
  gauge('records', 'Codes held in memory', () => resolver.size),
  gauge(
    'record_object_bytes',
    'Heap of held codes with rules or long texts, as estimated',
    () => resolver.objectBytes,
  ),
];

const changeMetrics = (changes: ChangeStream): MetricDefinition[] => [
  counter('changes_applied_total', 'Changed records received', () => changes.statistics.applied),
  counter('changes_gaps_total', 'Times changes may have been missed', () => changes.statistics.gaps),
  gauge('changes_following', '1 while the stream is read', () => (changes.statistics.following ? 1 : 0)),
];

const sweepMetrics = ({ statistics }: Sweep): MetricDefinition[] => [
  counter(
    'record_checks_total',
    'Held records whose version was compared with the database',
    () => statistics.checked,
  ),
  counter(
    'record_mismatches_total',
    'Held records of which the database had a later version, none (absent), or an earlier one',
    () => ({ ...statistics.mismatches }),
    'database',
  ),
  counter(
    'record_check_failures_total',
    'Comparisons that failed, and were tried again later',
    () => statistics.failures,
  ),
  counter(
    'record_checks_refused_total',
    'Failed comparisons of some codes that the control plane refused: the sweep went on with others',
    () => statistics.refused,
  ),
  gauge(
    'record_check_late_seconds',
    'By how much the sweep is late; 0 while every held record is checked within the bound',
    () => statistics.lateMs / 1000,
  ),
];
