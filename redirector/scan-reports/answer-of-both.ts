/** The answer to a scan that two recorders store: the second one that has stored it releases the answer. */
import type { PendingAnswer } from '../recording/recorder.ts';

export class AnswerOfBoth implements PendingAnswer {
  private readonly answer: PendingAnswer;
  private storing = 2;

  constructor(answer: PendingAnswer) {
    this.answer = answer;
  }

  get aborted(): boolean {
    return this.answer.aborted;
  }

  release(): void {
    this.storing--;
    if (this.storing === 0) this.answer.release();
  }
}
