/** Delivery of scans to ClickHouse, for Prometheus. */
import { counter, gauge, type MetricDefinition } from '#shared/prometheus.ts';
import type { OrphanShipper } from './orphan-shipper.ts';
import type { Shipper } from './shipper.ts';
import type { Spool } from './spool.ts';

/**
 * Segments and bytes that wait, and the disk under them.
 * @param prefix of the names, for a spool other than the scans'
 */
export const spoolMetrics = (spool: Spool, prefix = ''): MetricDefinition[] =>
  ofSpool(spool).map((metric) => ({ ...metric, name: prefix + metric.name }));

const ofSpool = (spool: Spool): MetricDefinition[] => [
  gauge('spool_bytes', 'Bytes in the spool', () => spool.statistics.bytes),
  gauge('spool_memory_bytes', 'Bytes that the disk did not take', () => spool.statistics.memoryBytes),
  gauge('journal_bytes', 'Bytes of answered scans in RUNTIME_DIR', () => spool.statistics.journalBytes),
  counter(
    'journal_refusals_total',
    'Times that RUNTIME_DIR did not take scans, which were answered once they were on disk',
    () => spool.statistics.journalRefusals,
  ),
  gauge('spool_segments', 'Closed segments in the spool', () => spool.statistics.segments),
  gauge(
    'spool_sent_segments',
    'Segments that are sent and not deleted yet',
    () => spool.statistics.sentSegments,
  ),
  counter('spool_rejected_total', 'Segments set aside for good', () => spool.statistics.rejectedSegments),
  gauge(
    'spool_rejected_pending',
    'Refused segments that the disk has not taken yet',
    () => spool.statistics.rejectedPending,
  ),
  gauge('spool_hanging', '1 while the disk of the spool does not answer', () =>
    spool.statistics.hanging ? 1 : 0,
  ),
  counter('spool_hangs_total', 'Writes that the disk did not do in time', () => spool.statistics.hangs),
  counter(
    'spool_sync_failures_total',
    'Times the spool could not be forced to the disk',
    () => spool.statistics.syncFailures,
  ),
  counter(
    'spool_recovered_bytes_cut_total',
    'Bytes found at the start that were no scans',
    () => spool.statistics.recoveredBytesCut,
  ),
  counter(
    'spool_unreadable_files_total',
    'Files found at the start that could not be read',
    () => spool.statistics.unreadableFiles,
  ),
];

/** Scans from their recording to ClickHouse. */
export const scanDeliveryMetrics = (spool: Spool, shipper: Shipper): MetricDefinition[] => [
  counter('scans_spooled_total', 'Scans stored in the spool', () => spool.statistics.appended),
  counter('scans_dropped_total', 'Scans lost, by reason', () => spool.statistics.dropped, 'reason'),
  counter(
    'scans_rejected_total',
    'Scans of segments set aside for good',
    () => spool.statistics.rejectedRows,
  ),
  counter('scans_sent_total', 'Scans that ClickHouse has taken', () => shipper.statistics.rowsSent),
  counter('scans_send_failures_total', 'Segments not taken', () => shipper.statistics.failures),
];

/** The first words of the names and the help of the metrics. */
export interface DeliveredRows {
  /** `verifications` */
  readonly name: string;
  /** `Verifications` */
  readonly what: string;
}

/** Delivery of rows to the control plane. */
export const controlPlaneDeliveryMetrics = (
  { name, what }: DeliveredRows,
  spool: Spool,
  shipper: Shipper,
): MetricDefinition[] => [
  counter(`${name}_spooled_total`, `${what} stored in the spool`, () => spool.statistics.appended),
  counter(
    `${name}_rejected_total`,
    `${what} of segments set aside for good`,
    () => spool.statistics.rejectedRows,
  ),
  counter(
    `${name}_sent_total`,
    `${what} that the control plane has taken`,
    () => shipper.statistics.rowsSent,
  ),
  counter(`${name}_send_failures_total`, `${what}: segments not taken`, () => shipper.statistics.failures),
  {
    type: 'gauge',
    name: `${name}_oldest_seconds`,
    help: `${what}: how long the oldest has waited for the control plane`,
    // The age of rows left by an earlier process is unknown.
    value: () => Math.min(spool.oldestAgeMs() / 1000, 86_400),
  },
];

/** Folders of dead processes. */
export const orphanMetrics = ({ statistics }: Pick<OrphanShipper, 'statistics'>): MetricDefinition[] => [
  gauge(
    'orphan_folders',
    'Folders of gone processes in which something waits to be sent',
    () => statistics.folders,
  ),
  gauge('orphan_rows', 'Scans, verifications and scan reports that wait in them', () => statistics.rows),
  gauge('orphan_bytes', 'Bytes that wait in them', () => statistics.bytes),
  gauge('orphan_folders_unusable', 'Folders that cannot be opened', () => statistics.unusable),
  counter(
    'orphan_rows_sent_total',
    'Scans, verifications and scan reports of gone processes sent',
    () => statistics.rowsSent,
  ),
];
