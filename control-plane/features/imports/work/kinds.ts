/** The two phases of an import: the check, which changes nothing, and the run, which makes the codes. */
import { ClientError } from '#shared/errors.ts';
import { giveBackUse } from '../../../api/idempotency/quota-reservations.ts';
import type { JobKind } from '../../../jobs/kind.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { CodeBatch } from '../../codes/batch/code-batch.ts';
import { checkJobs, runJobs, type StoredImport, seekImportOfJob } from '../store/imports.ts';
import { createPhase } from './phase.ts';
import type { PrepareRows } from './prepare-rows.ts';

const failure = 'The import could not be completed, for a reason of ours';

const giveBack = async (tx: Transaction, found: StoredImport, rows: number): Promise<void> => {
  const { subscriptionId, quota, periodStart } = found;
  if (rows === 0 || quota === null || periodStart === null) return;
  await giveBackUse(tx, { subscriptionId, capability: quota, periodStart }, rows);
};

/**
 * What a run has taken for rows that are not done: it has failed, or was cancelled. Called once, when it ends. Only its import
 * knows of which quota that was: if it is removed, the run ends without this.
 */
export const giveBackRest = async (tx: Transaction, jobId: string): Promise<void> => {
  const found = await seekImportOfJob(tx, jobId);
  if (found) await giveBack(tx, found, found.ready - found.created - found.failed);
};

export const createKinds = (
  pool: Pool,
  prepareRows: PrepareRows,
  batch: Pick<CodeBatch, 'effect'>,
): JobKind[] => [
  createPhase(pool, prepareRows, {
    ...checkJobs,
    failure,
    from: 'waiting',
    refused: 'refused',
    dryRun: true,
    giveBack: async () => undefined,
    effect: async (_tx, _job, ready) => ready.map(() => ({ status: 'ready' })),
  }),
  createPhase(pool, prepareRows, {
    ...runJobs,
    failure,
    from: 'ready',
    refused: 'failed',
    dryRun: false,
    giveBack,
    async effect(tx, job, ready, afterCommit) {
      if (ready.length === 0) return [];
      const prepared = ready.map(({ code }) => code);
      const codes = await batch.effect(tx, job.keyId, prepared, afterCommit);
      return codes.map((code) =>
        code instanceof ClientError ? code : { status: 'created', codeId: code.id },
      );
    },
    undo: (tx, job) => giveBackRest(tx, job.id),
  }),
];
