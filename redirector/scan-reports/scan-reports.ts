/**
 * Reports of scans to the control plane, for webhooks. A scan that a webhook of its workspace may follow is written to
 * a spool of its own once the spool of all scans has stored it, and answered once both have. A report that cannot be
 * stored is dropped and counted: the phone is redirected anyway.
 */
import type { CodeRecord } from '#schemas/code-record.ts';
import type { ReportedScan } from '#schemas/reported-scan.ts';
import type { ScanEvent } from '#schemas/scan-event.ts';
import type { PrefixedIds } from '#shared/ids.ts';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import type { PendingAnswer, Recorder } from '../recording/recorder.ts';
import type { IsFollowed } from './followed-workspaces.ts';
import { ReportedAnswer } from './reported-answer.ts';

/** The outcome of a scan, as the record was then. */
interface ReportedDecision {
  readonly kind: string;
  /** With `redirect`. */
  readonly location?: string;
  /** The rule and the variant that led there, or empty. */
  readonly ruleId: string;
  readonly variantId: string;
}

/** @param id of the resulting event */
const toReportedScan = (
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

export interface ScanReports {
  /**
   * Reports a scan if its workspace follows scans.
   * @returns the answer to give to the scan's recorder, in place of `answer`
   */
  report(
    event: ScanEvent,
    record: Pick<CodeRecord, 'variants'>,
    decision: ReportedDecision,
    answer: PendingAnswer,
  ): PendingAnswer;
  readonly statistics: {
    /** Reports that could not be written as a line. */
    readonly unwritable: number;
  };
}

export interface ScanReportsParts {
  isFollowed: IsFollowed;
  recorder: Pick<Recorder<ReportedScan>, 'record'>;
  /** Ids of events. */
  ids: Pick<PrefixedIds, 'create'>;
  logger: Logger;
}

export const createScanReports = ({ isFollowed, recorder, ids, logger }: ScanReportsParts): ScanReports => {
  const statistics = { unwritable: 0 };
  const warnSparsely = createSparseLog((fields, message) => logger.warn(fields, message));
  const onUnwritable = (codeId: string, error: unknown): void => {
    statistics.unwritable++;
    warnSparsely('unwritable', { err: error, id: codeId }, 'could not report a scan: no webhook gets it');
  };

  const write = (report: ReportedScan, answer: PendingAnswer): void => {
    try {
      recorder.record(report, answer);
    } catch (error) {
      onUnwritable(report.codeId, error);
      answer.release();
    }
  };

  return {
    statistics,
    report(event, record, decision, answer) {
      // Bots and previews do not count, and are not reported.
      if (event.kind !== 'scan') return answer;
      try {
        if (!isFollowed(event.workspaceId)) return answer;
        const report = toReportedScan(ids.create(), event, record, decision);
        return new ReportedAnswer(answer, (both) => write(report, both));
      } catch (error) {
        onUnwritable(event.codeId, error);
        return answer;
      }
    },
  };
};
