/** The report of a scan. */
import type { CodeRecord } from '#schemas/code-record.ts';
import type { ReportedScan } from '#schemas/reported-scan.ts';
import type { ScanEvent } from '#schemas/scan-event.ts';

/** What a scan led to, as the record was then. */
export interface ReportedDecision {
  readonly kind: string;
  /** With `redirect`. */
  readonly location?: string;
  /** Of the rule and the variant that led there, or empty. */
  readonly ruleId: string;
  readonly variantId: string;
}

/** @param id of the event that becomes of it */
export const toReportedScan = (
  id: string,
  { workspaceId, codeId, tsMs, country, device, ruleId, variantId }: ScanEvent,
  { variants }: Pick<CodeRecord, 'variants'>,
  { location }: ReportedDecision,
): ReportedScan => {
  const report: ReportedScan = { id, workspaceId, codeId, atMs: tsMs, country, device };
  if (ruleId !== '') report.routedTo = location;
  if (variantId === '') return report;
  report.variantId = variantId;
  report.variantName = variants?.find((variant) => variant.id === variantId)?.name;
  return report;
};
