/**
 * Answers the POST of a password: the control plane checks it, and a scan with the right one continues like any other.
 */
import type { CodeRecord } from '#schemas/code-record.ts';
import type { Decision } from '#shared/decide/decide.ts';
import type { Caps } from '../limits/caps.ts';
import { answers, pageOf } from '../pages/index.ts';
import type { ScanAnswers } from './answers.ts';
import { type Completion, isCapped } from './completion.ts';
import type { FindOwner } from './find-owner.ts';
import { leadsSomewhere } from './outcome.ts';
import type { ScanRequest } from './request.ts';
import type { VerifyPassword } from './verify-password.ts';
import type { Waiting } from './waiting.ts';

export interface PasswordCheckParts {
  caps: Pick<Caps, 'isSpent'>;
  verifyPassword: VerifyPassword;
  scanAnswers: ScanAnswers;
  completion: Completion;
  findOwner: FindOwner;
  waiting: Waiting;
  /** @param unlocked whether the right password was given */
  decideFor(record: CodeRecord, request: ScanRequest, unlocked: boolean): Decision;
}

/** @returns answers the POST of a password for a code; the request must be detached */
export const createPasswordCheck = ({
  caps,
  verifyPassword,
  scanAnswers,
  completion,
  findOwner,
  waiting,
  decideFor,
}: PasswordCheckParts): ((request: ScanRequest, record: CodeRecord, password: string) => Promise<void>) => {
  const respondToRight = async (request: ScanRequest, record: CodeRecord): Promise<void> => {
    const decision = decideFor(record, request, true);
    if (decision.kind !== 'redirect') await findOwner(request, record);
    if (!leadsSomewhere(decision)) scanAnswers.turnAway(request, decision);
    else if (isCapped(record)) await completion.completeCapped(request, record, decision, '303 See Other');
    else completion.complete(request, record, decision, '303 See Other');
  };

  const check = async (request: ScanRequest, record: CodeRecord, password: string): Promise<void> => {
    // A check is expensive for the control plane: skip it once the cap is reached.
    if (isCapped(record) && caps.isSpent(record)) {
      await findOwner(request, record);
      return scanAnswers.sendCapped(request, record);
    }
    const { id, visit } = request;
    const verdict = await waiting.during(() => verifyPassword(id, password, visit.address.text));
    if (verdict.answer === 'right') return respondToRight(request, record);
    await findOwner(request, record);
    if (verdict.answer === 'wrong') return scanAnswers.askPassword(request, true);
    if (verdict.answer === 'unavailable')
      return scanAnswers.send(request, 'unavailable', answers.unavailable);
    scanAnswers.send(request, 'wrong_password', answers.tooManyAttempts, [
      ['Retry-After', String(verdict.retryAfterS)],
    ]);
  };

  return async (request, record, password) => {
    const decision = decideFor(record, request, false);
    if (decision.kind === 'password') return check(request, record, password);
    await findOwner(request, record);
    if (leadsSomewhere(decision))
      request.reply.send(
        pageOf(answers.methodNotAllowed, request.reader(), {
          brand: request.brand,
          host: request.site?.domain,
        }),
      );
    else scanAnswers.turnAway(request, decision);
  };
};
