/** The last steps of a scan that leads somewhere: take from the cap → report, record → answer, once it is stored. */
import type { CodeRecord } from '#schemas/code-record.ts';
import type { ScanEvent } from '#schemas/scan-event.ts';
import type { CappedRecord, Caps } from '../limits/caps.ts';
import { answers } from '../pages/index.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { ScanReports } from '../scan-reports/scan-reports.ts';
import { createAddParameters } from './added-parameters.ts';
import type { ScanAnswers } from './answers.ts';
import type { ToScanEvent } from './event.ts';
import type { FindOwner } from './find-owner.ts';
import type { Leading } from './outcome.ts';
import type { ScanRequest } from './request.ts';
import type { Waiting } from './waiting.ts';

export interface Completion {
  /** Records the scan and answers it once it is stored. @param redirectStatus such as `302 Found` */
  complete(request: ScanRequest, record: CodeRecord, decision: Leading, redirectStatus: string): void;
  /** The same for a code with a cap, if the cap is not reached. The request must be detached. */
  completeCapped(
    request: ScanRequest,
    record: CappedRecord,
    decision: Leading,
    redirectStatus: string,
  ): Promise<void>;
}

export interface ScanRecorder extends Pick<Recorder, 'record'> {
  /** The id of the scan that is recorded next, as destinations get it. */
  nextScanId(scan: Pick<ScanEvent, 'codeId' | 'tsMs'>): string;
}

export interface CompletionParts {
  caps: Caps;
  recorder: ScanRecorder;
  reports: Pick<ScanReports, 'report'>;
  toScanEvent: ToScanEvent;
  scanAnswers: ScanAnswers;
  findOwner: FindOwner;
  waiting: Waiting;
}

export const isCapped = (record: CodeRecord): record is CappedRecord => record.cap !== undefined;

/** The source named by the scan, if the code has it; otherwise empty. */
const sourceOf = (request: ScanRequest, { sources }: CodeRecord): string => {
  if (sources === undefined) return '';
  const source = request.source();
  return sources.includes(source) ? source : '';
};

export const createCompletion = (parts: CompletionParts): Completion => {
  const { caps, recorder, reports, toScanEvent, scanAnswers, findOwner, waiting } = parts;
  const addParameters = createAddParameters((scan) => recorder.nextScanId(scan));

  /** Leaves no trace: no row, no report, no id, and not even the hash of the visitor is made. */
  const completeUnrecorded: Completion['complete'] = (request, record, decision, redirectStatus) => {
    const { scanId: _, ...added } = record.parameters ?? {};
    const { country, userAgent, atMs } = request.visit;
    const facts = {
      country,
      device: userAgent.device,
      os: userAgent.os,
      source: sourceOf(request, record),
      variantId: decision.variantId,
      codeId: record.id,
      tsMs: atMs,
    };
    const leading = record.parameters ? addParameters(request, decision, added, facts) : decision;
    scanAnswers.prepare(request, leading, redirectStatus);
    request.reply.release();
  };

  const complete: Completion['complete'] = (request, record, decision, redirectStatus) => {
    if (record.analytics === 'none') return completeUnrecorded(request, record, decision, redirectStatus);
    const event = toScanEvent(request.visit, record, decision, sourceOf(request, record));
    const { parameters } = record;
    const leading = parameters ? addParameters(request, decision, parameters, event) : decision;
    scanAnswers.prepare(request, leading, redirectStatus);
    recorder.record(event, reports.report(event, record, decision, request.reply));
  };

  return {
    complete,
    async completeCapped(request, record, decision, redirectStatus) {
      const answer = caps.isSpent(record)
        ? 'capped'
        : await waiting.during(() => caps.take(record, request.visit.counts));
      if (answer === 'taken') return complete(request, record, decision, redirectStatus);
      await findOwner(request, record);
      if (answer === 'capped') scanAnswers.sendCapped(request, record);
      else scanAnswers.send(request, 'cap_unavailable', answers.capUnavailable);
    },
  };
};
