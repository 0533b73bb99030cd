/**
 * The answer to a reported scan. The report is written once the scan is stored, and the answer is released once both
 * are: whenever the process ends, no webhook gets a scan that is not counted.
 */
import type { PendingAnswer } from '../recording/recorder.ts';

export class ReportedAnswer implements PendingAnswer {
  private readonly answer: PendingAnswer;
  private readonly report: (answer: PendingAnswer) => void;

  /** @param report called if the scan is stored; finally releases the answer that it gets */
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

  afterWrite(stored: boolean): void {
    // A report is not withdrawn if its connection has closed: the scan counts.
    if (stored) this.report({ aborted: false, release: () => this.release() });
    else this.release();
  }
}
