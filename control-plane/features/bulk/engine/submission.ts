/**
 * How every bulk call is submitted: the quotas, the operation, its rows and the first job are written in one transaction, so that
 * an operation that is answered will be processed, and a refused one has left nothing.
 */
import type { QuotaName } from '#schemas/api/plans.ts';
import type { Principal } from '../../../api/access/authentication.ts';
import { periodStart, planLimitReached, quotas } from '../../../api/access/plans.ts';
import { inSteps } from '../../../api/http/steps.ts';
import type { Reply } from '../../../api/idempotency/reply.ts';
import type { ConsumeQuota, Create } from '../../../api/idempotency/request.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { KindName } from './kind.ts';
import { progressOf } from './progress.ts';
import type { SealedBodies } from './sealed-body.ts';
import { bulkIds, insertOperation, type RowQuota } from './store/operations.ts';
import { insertRows, type NewRow } from './store/rows.ts';

export interface SubmittedRow {
  /** Unique in the call. */
  uid: string;
  /**
   * JSON; the kind's `prepare` gets it as it is. It is made where the row is sealed, row by row: to copy a thousand takes long.
   * Absent if the uid says everything.
   */
  bodyOf?(): unknown;
}

export interface Submission {
  principal: Principal;
  /** Of the operation's request, so that quotas and idempotency keys are as in every create call. */
  create: Create;
  kind: KindName;
  /** At least one. */
  rows: readonly SubmittedRow[];
  /** Options for all rows together; they are not sealed. */
  options?: object;
  /** Each row uses one of it; a row that fails gives it back. */
  quota?: QuotaName;
  /** Whether the quota only must have room for the rows, which use none of it. */
  isDryRun?: boolean;
  /**
   * Looks at what time may have changed.
   * @throws {ClientError} what refuses the whole call
   */
  check?(): Promise<void>;
  /** Where the operation is read, by its id. */
  locationOf(bulkId: string): string;
  /** Further fields of the answer. */
  fields?: object;
}

/**
 * @returns 202 with the progress of the new operation
 * @throws {ClientError} PLAN_LIMIT_REACHED where the rows do not all fit; what the check throws; and what every create call throws
 */
export type Submit = (submission: Submission) => Promise<Reply>;

const noBody = Buffer.alloc(0);

export interface SubmissionOptions {
  bodies: SealedBodies;
  consumeQuota: ConsumeQuota;
}

export const createSubmission = ({ bodies, consumeQuota }: SubmissionOptions): Submit => {
  function* sealSteps(id: string, rows: readonly SubmittedRow[]): Generator<void, NewRow[]> {
    const sealed: NewRow[] = [];
    for (const [position, { uid, bodyOf }] of rows.entries()) {
      sealed.push({ position, uid, body: bodyOf ? bodies.seal(id, position, bodyOf()) : noBody });
      yield;
    }
    return sealed;
  }

  const useQuota = async (
    tx: Transaction,
    { principal: { subscriptionId, terms }, quota, rows }: Submission,
  ): Promise<RowQuota | undefined> => {
    const limit = quota && terms.quotas[quota];
    if (quota === undefined || limit === null || limit === undefined) return undefined;
    const now = new Date();
    const period = { subscriptionId, capability: quota, periodStart: periodStart(quotas[quota].period, now) };
    const used = await consumeQuota(tx, period, rows.length, limit);
    if (used !== undefined)
      throw planLimitReached(quota, limit, used, now, { ...terms, amount: rows.length });
    return { name: quota, periodStart: period.periodStart };
  };

  const checkQuota = async (tx: Transaction, submission: Submission): Promise<undefined> => {
    await tx.query('SAVEPOINT before_quota');
    await useQuota(tx, submission);
    await tx.query('ROLLBACK TO before_quota');
  };

  return (submission) => {
    const { principal, create, kind, rows, options = {}, check, locationOf, fields } = submission;
    const { workspaceId, subscriptionId } = principal;
    const id = bulkIds.create();
    return create({
      isLong: true,
      async prepare() {
        await check?.();
        return inSteps(sealSteps(id, rows));
      },
      async effect(tx, sealed) {
        const quota = submission.isDryRun ? await checkQuota(tx, submission) : await useQuota(tx, submission);
        const total = rows.length;
        const operation = await insertOperation(tx, {
          id,
          workspaceId,
          subscriptionId,
          kind,
          total,
          options: { ...options, createdBy: principal.keyId },
          quota,
        });
        await insertRows(tx, id, sealed);
        return {
          status: 202,
          headers: { location: locationOf(id) },
          body: { ...progressOf(operation), ...fields },
        };
      },
    });
  };
};
