/** Metrics of scans of codes that do not exist. */
import { counter, type MetricDefinition } from '#shared/prometheus.ts';
import type { UnknownCodes } from './unknown-codes.ts';

export const unknownCodeMetrics = ({ statistics }: UnknownCodes): MetricDefinition[] => [
  counter(
    'unknown_codes_total',
    'Scans of unknown codes at domains, by whether they were counted for the domain’s workspace',
    () => ({ counted: statistics.counted, uncounted: statistics.uncounted }),
    'how',
  ),
  counter(
    'unknown_code_reports_failed_total',
    'Reports of unknown codes that the control plane did not take',
    () => statistics.reportsFailed,
  ),
];
