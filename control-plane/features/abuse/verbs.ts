/** The operator's verbs about reports and the screening. */
import { NothingFound, oneOf, requireFlag, type Verb } from '../../framework/verb.ts';
import { noteSubject } from '../../platform/db/actions.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { suspendIn } from '../codes/store/suspensions.ts';
import { screenAgain } from './nightly.ts';
import { decideReports, listOpenReports, lockReport, type Report } from './store.ts';

const readAtOnce = 500;
const decisions = ['suspend', 'dismiss'] as const;

const shown = ({ seq: _, details, contact, createdAt, ...report }: Report) => ({
  ...report,
  ...(details !== null && { details }),
  ...(contact !== null && { contact }),
  createdAt: createdAt.toISOString(),
});

async function* openReports(pool: Pool): AsyncGenerator<string> {
  let after = '0';
  for (;;) {
    const page = await listOpenReports(pool, after, readAtOnce);
    for (const report of page) yield `${JSON.stringify(shown(report))}\n`;
    if (page.length < readAtOnce) return;
    after = page.at(-1)!.seq;
  }
}

const decideVerb: Verb = {
  synopsis: `--report <id> --decision <${decisions.join('|')}> [--reason <text>]`,
  help: [
    'decides all open reports of a code: suspends the code (its owner reads --reason), or dismisses them',
    'the screening does not report again what was dismissed',
  ],
  flags: ['report', 'decision', 'reason'],
  async run(flags, { pool, outbox }) {
    const id = requireFlag(flags, 'report');
    const decision = oneOf(decisions, 'decision', flags.decision);
    const reason = decision === 'suspend' ? requireFlag(flags, 'reason') : '';
    return inTransaction(pool, async (tx) => {
      const report = await lockReport(tx, id);
      if (!report) throw new NothingFound(`There is no open report ${id}`);
      const { codeId, workspaceId } = report;
      if (decision === 'suspend') await suspendIn(tx, outbox, codeId, reason);
      noteSubject({ workspaceId, resourceId: codeId });
      const decided = await decideReports(tx, codeId, decision === 'suspend' ? 'suspended' : 'dismissed');
      return [{ code: codeId, decision, reports: decided }];
    });
  },
};

export const abuseVerbs: Readonly<Record<string, Verb>> = {
  'list-abuse-reports': {
    synopsis: '',
    help: ['lists the open reports, the oldest first: of visitors, and of the nightly screening'],
    flags: [],
    async run(_, { pool, send }) {
      await send(openReports(pool));
      return [];
    },
  },
  'decide-abuse-report': decideVerb,
  'screen-codes': {
    synopsis: '',
    help: ['screens the destinations of all codes once more, from now on, where a control plane runs'],
    flags: [],
    async run(_, { pool }) {
      await screenAgain(pool);
      return [{ screening: 'begins within a minute' }];
    },
  },
};
