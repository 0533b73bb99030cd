/** What a redirector process counts, as Prometheus metrics, read from the parts when they are asked for. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Invalidation } from './codes/change-stream.ts';
import type { Resolver } from './codes/resolve.ts';
import type { Passthrough } from './http/passthrough.ts';
import type { Server } from './http/server.ts';
import type { Registry as ProcessRegistry } from './instance/membership.ts';
import type { RateLimiter } from './limits/address-limit.ts';
import type { Counters } from './limits/caps.ts';
import type { Recorder } from './recording/recorder.ts';
import type { Shipper } from './recording/shipper.ts';
import type { Spool } from './recording/spool.ts';
import type { Scans } from './scan/scan-handler.ts';

export interface MetricSources {
  server: Server;
  scans: Scans;
  counters: Counters;
  limiter: RateLimiter;
  resolver: Resolver;
  spool: Spool;
  recorder: Pick<Recorder, 'statistics'>;
  shipper: Shipper;
  changes: Invalidation;
  passthrough: Passthrough;
  registry: ProcessRegistry;
}

type Value = () => number | Record<string, number>;

export const createMetrics = (sources: MetricSources): Registry => {
  const { server, scans, counters, limiter, resolver, spool, recorder, shipper, changes, passthrough } =
    sources;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });

  /** A metric whose value is read when it is scraped; with a label, one value for each of its values. */
  const define = (
    Metric: typeof Counter | typeof Gauge,
    name: string,
    help: string,
    value: Value,
    label?: string,
  ) => {
    new Metric({
      name: `waymark_redirector_${name}`,
      help,
      labelNames: label ? [label] : [],
      registers: [registry],
      collect() {
        this.reset();
        const now = value();
        if (typeof now === 'number') this.inc(now);
        else for (const [key, number] of Object.entries(now)) this.inc({ [label!]: key }, number);
      },
    });
  };

  define(Counter, 'answers_total', 'Answers by kind', () => scans.statistics, 'kind');
  define(Counter, 'passed_through_total', 'Requests passed through', () => server.passedThrough);
  define(Counter, 'cap_takes_total', 'Scans of capped codes, by answer', () => counters.statistics, 'answer');
  define(Gauge, 'rate_limit_networks', 'Clients counted in this minute', () => limiter.statistics.networks);
  define(
    Counter,
    'rate_limit_settled_total',
    'Addresses settled through Redis',
    () => limiter.statistics.settled,
  );
  define(Counter, 'record_hits_total', 'Codes found in memory', () => resolver.statistics.hits);
  define(
    Counter,
    'record_misses_total',
    'Codes not found in memory, or too old',
    () => resolver.statistics.misses,
  );
  define(
    Counter,
    'record_loads_total',
    'Codes asked for, by source',
    () => resolver.statistics.loads,
    'source',
  );
  define(
    Counter,
    'record_failures_total',
    'Questions that failed',
    () => resolver.statistics.failures,
    'source',
  );
  define(
    Counter,
    'records_unreadable_total',
    'Records that could not be read, by where they came from',
    () => ({ ...resolver.statistics.unreadable, stream: changes.statistics.unreadable }),
    'source',
  );
  define(
    Gauge,
    'record_timeline',
    'The timeline of the database, as far as is known',
    () => resolver.timeline,
  );
  define(
    Counter,
    'slow_lane_refused_total',
    'Invented ids not looked up',
    () => resolver.statistics.slowLaneRefused,
  );
  define(Gauge, 'records', 'Codes held in memory', () => resolver.size);
  define(Counter, 'scans_spooled_total', 'Scans stored in the spool', () => spool.statistics.appended);
  define(Counter, 'scans_dropped_total', 'Scans lost, by reason', () => spool.statistics.dropped, 'reason');
  define(Counter, 'scans_sent_total', 'Scans that ClickHouse has taken', () => shipper.statistics.rowsSent);
  define(Counter, 'scans_send_failures_total', 'Segments not taken', () => shipper.statistics.failures);
  define(Gauge, 'spool_bytes', 'Bytes in the spool', () => spool.statistics.bytes);
  define(Gauge, 'spool_memory_bytes', 'Bytes that the disk did not take', () => spool.statistics.memoryBytes);
  define(Gauge, 'spool_segments', 'Closed segments in the spool', () => spool.statistics.segments);
  define(
    Gauge,
    'spool_sent_segments',
    'Segments that are sent and not deleted yet',
    () => spool.statistics.sentSegments,
  );
  define(
    Counter,
    'spool_rejected_total',
    'Segments set aside for good',
    () => spool.statistics.rejectedSegments,
  );
  define(
    Counter,
    'scans_rejected_total',
    'Scans of segments set aside for good',
    () => spool.statistics.rejectedRows,
  );
  define(
    Gauge,
    'spool_rejected_pending',
    'Refused segments that the disk has not taken yet',
    () => spool.statistics.rejectedPending,
  );
  define(Gauge, 'spool_hanging', '1 while the disk of the spool does not answer', () =>
    spool.statistics.hanging ? 1 : 0,
  );
  define(
    Counter,
    'spool_hangs_total',
    'Writes that the disk did not do in time',
    () => spool.statistics.hangs,
  );
  define(
    Counter,
    'spool_sync_failures_total',
    'Times the spool could not be forced to the disk',
    () => spool.statistics.syncFailures,
  );
  define(
    Counter,
    'spool_recovered_bytes_cut_total',
    'Bytes found at the start that were no scans',
    () => spool.statistics.recoveredBytesCut,
  );
  define(
    Counter,
    'spool_unreadable_files_total',
    'Files found at the start that could not be read',
    () => spool.statistics.unreadableFiles,
  );
  define(
    Counter,
    'scans_withdrawn_total',
    'Scans not recorded, since their connection closed before',
    () => recorder.statistics.withdrawn,
  );
  define(
    Counter,
    'scans_unanswered_total',
    'Scans recorded whose connection closed before the answer',
    () => recorder.statistics.unanswered,
  );
  define(Counter, 'changes_applied_total', 'Changed records received', () => changes.statistics.applied);
  define(Counter, 'changes_gaps_total', 'Times changes may have been missed', () => changes.statistics.gaps);
  define(Gauge, 'changes_following', '1 while the stream is read', () =>
    changes.statistics.following ? 1 : 0,
  );
  define(
    Gauge,
    'known_processes',
    'Redirector processes alive, summed over those that say so',
    () => sources.registry.processes,
  );
  define(
    Counter,
    'passthrough_refused_total',
    'Requests not passed on, by reason',
    () => passthrough.refused,
    'reason',
  );
  define(Gauge, 'passthrough_under_way', 'Requests being passed on', () => passthrough.underWay);

  return registry;
};
