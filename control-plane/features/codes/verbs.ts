/** Operator verbs about single codes. */
import { requireFlag, UsageError, type Verb } from '../../framework/verb.ts';
import { activateCode, liftLocks, lockAgainstChanges } from './store/locks.ts';
import { liftSuspension, suspendCode } from './store/suspensions.ts';

/** The owner reads it. */
const reasonLengthMax = 500;

export const codeVerbs: Readonly<Record<string, Verb>> = {
  'lock-code': {
    synopsis: '--code <id> [--legal-hold]',
    help: [
      'the API refuses to change the code from now on (PUT is 409); it redirects as before, and DELETE deactivates it',
      'with --legal-hold the API refuses DELETE, too (409); locking it again without does not end the hold',
    ],
    flags: ['code'],
    switches: ['legal-hold'],
    async run(flags, { pool }) {
      const id = requireFlag(flags, 'code');
      return [{ id, ...(await lockAgainstChanges(pool, id, flags['legal-hold'] === 'true')) }];
    },
  },
  'unlock-code': {
    synopsis: '--code <id>',
    help: ['lifts the lock, and the legal hold'],
    flags: ['code'],
    async run(flags, { pool }) {
      const id = requireFlag(flags, 'code');
      return [{ id, ...(await liftLocks(pool, id)) }];
    },
  },
  'suspend-code': {
    synopsis: '--code <id> --reason <text>',
    help: [
      'the code leads nowhere: scans get a page that says so, and 403; its owner sees the reason, and cannot lift it',
      'in effect within three seconds while a control plane and Redis run',
    ],
    flags: ['code', 'reason'],
    async run(flags, { pool, outbox }) {
      const id = requireFlag(flags, 'code');
      const reason = requireFlag(flags, 'reason');
      if (reason.length > reasonLengthMax)
        throw new UsageError(`--reason must have at most ${reasonLengthMax} characters`);
      const { suspendedAt } = await suspendCode(pool, outbox, id, reason);
      return [{ id, suspension: { reason, since: suspendedAt!.toISOString() } }];
    },
  },
  'lift-suspension': {
    synopsis: '--code <id>',
    help: ['lets a suspended code lead on as it did before'],
    flags: ['code'],
    async run(flags, { pool, outbox }) {
      const id = requireFlag(flags, 'code');
      await liftSuspension(pool, outbox, id);
      return [{ id, suspension: null }];
    },
  },
  'activate-code': {
    synopsis: '--code <id>',
    help: [
      'makes an inactive code redirect again, also one that PUT cannot bring back: encrypted or locked; locks stay',
      'in effect within three seconds while a control plane and Redis run',
    ],
    flags: ['code'],
    async run(flags, { pool, outbox }) {
      const id = requireFlag(flags, 'code');
      await activateCode(pool, outbox, id);
      return [{ id, status: 'active' }];
    },
  },
};
