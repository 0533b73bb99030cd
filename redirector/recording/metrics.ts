/** The path of scans to ClickHouse, for Prometheus. */
import type { MetricDefinition } from '#shared/prometheus.ts';
import type { OrphanShipper } from './orphan-shipper.ts';
import type { Recorder } from './recorder.ts';
import type { Shipper } from './shipper.ts';
import type { Spool } from './spool.ts';

/** Segments and bytes that wait, and the disk under them. @param prefix of the names, for a spool beside that of scans */
export const spoolMetrics = (spool: Spool, prefix = ''): MetricDefinition[] =>
  ofSpool(spool).map((metric) => ({ ...metric, name: prefix + metric.name }));

const ofSpool = (spool: Spool): MetricDefinition[] => [
  { type: 'gauge', name: 'spool_bytes', help: 'Bytes in the spool', value: () => spool.statistics.bytes },
  {
    type: 'gauge',
    name: 'spool_memory_bytes',
    help: 'Bytes that the disk did not take',
    value: () => spool.statistics.memoryBytes,
  },
  {
    type: 'gauge',
    name: 'spool_segments',
    help: 'Closed segments in the spool',
    value: () => spool.statistics.segments,
  },
  {
    type: 'gauge',
    name: 'spool_sent_segments',
    help: 'Segments that are sent and not deleted yet',
    value: () => spool.statistics.sentSegments,
  },
  {
    type: 'counter',
    name: 'spool_rejected_total',
    help: 'Segments set aside for good',
    value: () => spool.statistics.rejectedSegments,
  },
  {
    type: 'gauge',
    name: 'spool_rejected_pending',
    help: 'Refused segments that the disk has not taken yet',
    value: () => spool.statistics.rejectedPending,
  },
  {
    type: 'gauge',
    name: 'spool_hanging',
    help: '1 while the disk of the spool does not answer',
    value: () => (spool.statistics.hanging ? 1 : 0),
  },
  {
    type: 'counter',
    name: 'spool_hangs_total',
    help: 'Writes that the disk did not do in time',
    value: () => spool.statistics.hangs,
  },
  {
    type: 'counter',
    name: 'spool_sync_failures_total',
    help: 'Times the spool could not be forced to the disk',
    value: () => spool.statistics.syncFailures,
  },
  {
    type: 'counter',
    name: 'spool_recovered_bytes_cut_total',
    help: 'Bytes found at the start that were no scans',
    value: () => spool.statistics.recoveredBytesCut,
  },
  {
    type: 'counter',
    name: 'spool_unreadable_files_total',
    help: 'Files found at the start that could not be read',
    value: () => spool.statistics.unreadableFiles,
  },
];

/** The fate of scans, from their recording to ClickHouse. */
export const scanDeliveryMetrics = (
  spool: Spool,
  recorder: Pick<Recorder, 'statistics'>,
  shipper: Shipper,
): MetricDefinition[] => [
  {
    type: 'counter',
    name: 'scans_spooled_total',
    help: 'Scans stored in the spool',
    value: () => spool.statistics.appended,
  },
  {
    type: 'counter',
    name: 'scans_dropped_total',
    help: 'Scans lost, by reason',
    value: () => spool.statistics.dropped,
    label: 'reason',
  },
  {
    type: 'counter',
    name: 'scans_rejected_total',
    help: 'Scans of segments set aside for good',
    value: () => spool.statistics.rejectedRows,
  },
  {
    type: 'counter',
    name: 'scans_sent_total',
    help: 'Scans that ClickHouse has taken',
    value: () => shipper.statistics.rowsSent,
  },
  {
    type: 'counter',
    name: 'scans_send_failures_total',
    help: 'Segments not taken',
    value: () => shipper.statistics.failures,
  },
  {
    type: 'counter',
    name: 'scans_withdrawn_total',
    help: 'Scans not recorded because their connection closed first',
    value: () => recorder.statistics.withdrawn,
  },
  {
    type: 'counter',
    name: 'scans_unanswered_total',
    help: 'Scans recorded whose connection closed before the answer',
    value: () => recorder.statistics.unanswered,
  },
];

/** What a metric's name begins with, and what its help says. */
export interface DeliveredRows {
  /** `verifications` */
  readonly name: string;
  /** `Verifications` */
  readonly what: string;
}

/** The path of rows to the control plane. */
export const controlPlaneDeliveryMetrics = (
  { name, what }: DeliveredRows,
  spool: Spool,
  shipper: Shipper,
): MetricDefinition[] => [
  {
    type: 'counter',
    name: `${name}_spooled_total`,
    help: `${what} stored in the spool`,
    value: () => spool.statistics.appended,
  },
  {
    type: 'counter',
    name: `${name}_rejected_total`,
    help: `${what} of segments set aside for good`,
    value: () => spool.statistics.rejectedRows,
  },
  {
    type: 'counter',
    name: `${name}_sent_total`,
    help: `${what} that the control plane has taken`,
    value: () => shipper.statistics.rowsSent,
  },
  {
    type: 'counter',
    name: `${name}_send_failures_total`,
    help: `${what}: segments not taken`,
    value: () => shipper.statistics.failures,
  },
  {
    type: 'gauge',
    name: `${name}_oldest_seconds`,
    help: `${what}: how long the oldest has waited for the control plane`,
    // What an earlier process left is of an unknown age.
    value: () => Math.min(spool.oldestAgeMs() / 1000, 86_400),
  },
];

/** Folders of processes that are gone. */
export const orphanMetrics = ({ statistics }: Pick<OrphanShipper, 'statistics'>): MetricDefinition[] => [
  {
    type: 'gauge',
    name: 'orphan_folders',
    help: 'Folders of gone processes in which something waits to be sent',
    value: () => statistics.folders,
  },
  {
    type: 'gauge',
    name: 'orphan_rows',
    help: 'Scans, verifications and scan reports that wait in them',
    value: () => statistics.rows,
  },
  { type: 'gauge', name: 'orphan_bytes', help: 'Bytes that wait in them', value: () => statistics.bytes },
  {
    type: 'gauge',
    name: 'orphan_folders_unusable',
    help: 'Folders that cannot be opened',
    value: () => statistics.unusable,
  },
  {
    type: 'counter',
    name: 'orphan_rows_sent_total',
    help: 'Scans, verifications and scan reports of gone processes sent',
    value: () => statistics.rowsSent,
  },
];
