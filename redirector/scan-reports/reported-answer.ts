/**
 * The answer to a scan that is reported. The report is written once the scan is stored, and the answer is released once both are:
 * whenever the process ends, no webhook hears of a scan that is not counted.
 */
import type { PendingAnswer } from '../recording/recorder.ts';

export class ReportedAnswer implements PendingAnswer {
  private readonly answer: PendingAnswer;
  private readonly report: (answer: PendingAnswer) => void;

  /** @param report called where the scan is stored; releases the answer that it gets, in the end */
  constructor(answer: PendingAnswer, report: (answer: PendingAnswer) => void) {
    this.answer = answer;
    this.report = report;
  }

  get aborted(): boolean {
    return this.answer.aborted;
  }

  release(): void {
    if (!this.answer.aborted) this.answer.release();
  }

  settle(stored: boolean): void {
    // A report is withdrawn for no connection that has closed: the scan counts.
    if (stored) this.report({ aborted: false, release: () => this.release() });
    else this.release();
  }
}
