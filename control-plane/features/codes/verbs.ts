/** Operator verbs about single codes. */
import { requireFlag, type Verb } from '../../framework/verb.ts';
import { activateCode, liftLocks, lockAgainstChanges } from './store/locks.ts';

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
