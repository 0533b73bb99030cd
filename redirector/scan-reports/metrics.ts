/** Delivery of scan reports to the control plane, for Prometheus. */
import { counter, type MetricDefinition } from '#shared/prometheus.ts';
import { controlPlaneDeliveryMetrics, spoolMetrics } from '../recording/metrics.ts';
import type { Shipper } from '../recording/shipper.ts';
import type { Spool } from '../recording/spool.ts';
import type { ScanReports } from './scan-reports.ts';

export const reportMetrics = (
  reports: Pick<ScanReports, 'statistics'>,
  spool: Spool,
  shipper: Shipper,
): MetricDefinition[] => [
  ...spoolMetrics(spool, 'scan_report_'),
  ...controlPlaneDeliveryMetrics({ name: 'scan_reports', what: 'Scan reports' }, spool, shipper),
  counter(
    'scan_reports_dropped_total',
    'Scans of which no webhook hears, by reason; they are counted all the same',
    () => ({ ...spool.statistics.dropped, unwritable: reports.statistics.unwritable }),
    'reason',
  ),
];
