/** Begins erasures: in the transaction of the call the code is replaced by what is left of it. */
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { Outbox } from '../../framework/outbox.ts';
import { countUnfinished } from '../../jobs/store.ts';
import { isNoChange, noteSubject } from '../../platform/db/actions.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';
import type { Precondition } from '../codes/preconditions.ts';
import type { WholeCode } from '../codes/store/code.ts';
import { type ErasedCode, forgetScanCounts, replaceByErased } from '../codes/store/erased.ts';
import { aboutCode } from '../codes/store/events.ts';
import { lockCode } from '../codes/store/find.ts';
import { createErasureJob, erasureJobs } from './kind.ts';
import { type Erasure, erasureIds, extendAsked, findErasureOfCode, insertErasure } from './store.ts';

export interface AskParts {
  pool: Pool;
  outbox: Outbox;
}

/**
 * Unfinished erasures of a workspace with which no other begins. A code is erased once, and its scans may be again and again.
 * Concurrent calls may exceed it by a few.
 */
const unfinishedMax = { code: 200, scans: 20 } as const;
const retryAfterSeconds = 10;

/** @throws {ClientError} RATE_LIMITED */
const requirePlace = async (tx: Transaction, workspaceId: string, what: Erasure['what']): Promise<void> => {
  if ((await countUnfinished(tx, workspaceId, erasureJobs)) < unfinishedMax[what]) return;
  throw new ClientError(
    'RATE_LIMITED',
    `${unfinishedMax[what]} erasures or more are unfinished; wait for one`,
    {
      retryAfterSeconds,
    },
  );
};

const lockOf = (code: WholeCode): string | undefined => {
  if (code.legalHold) return 'in legal hold';
  if (code.complianceLocked) return 'locked for compliance';
  // What the operator decides by must be there until then.
  return code.suspendedAt ? `suspended by the operator (${quoted(code.suspensionReason)})` : undefined;
};

/** @throws {ClientError} CONFLICT */
const requireUnlocked = (code: WholeCode, what: string): void => {
  const lock = lockOf(code);
  if (lock !== undefined)
    throw new ClientError('CONFLICT', `This code is ${lock}, and ${what} cannot be erased`);
};

const begin = async (
  tx: Transaction,
  given: Pick<Erasure, 'workspaceId' | 'codeId' | 'what'>,
): Promise<Erasure> => {
  const erasure = await insertErasure(tx, { ...given, id: erasureIds.create() });
  await createErasureJob(tx, erasure);
  noteSubject({ resourceId: given.codeId });
  return erasure;
};

/** What was begun; the erased code, unless it was erased before. */
export interface BegunErasure {
  erasure: Erasure;
  code?: ErasedCode;
}

/**
 * Erases a code. A repeated call finds the erasure.
 * @throws {ClientError} NOT_FOUND, FORBIDDEN, PRECONDITION_FAILED, CONFLICT for a locked or suspended code, RATE_LIMITED
 */
export const eraseCode = async (
  { pool, outbox }: AskParts,
  workspaceId: string,
  codeId: string,
  expect: Precondition,
): Promise<BegunErasure> => {
  const known = await findErasureOfCode(pool, workspaceId, codeId);
  if (known) return { erasure: known };
  return inTransaction(pool, async (tx) => {
    const code = await lockCode(tx, workspaceId, codeId);
    requireUnlocked(code, 'it');
    expect(code);
    await requirePlace(tx, workspaceId, 'code');
    const erased = await replaceByErased(tx, codeId);
    await outbox.emit(tx, [
      {
        type: 'qr.deleted',
        ...aboutCode({ ...code, version: erased.version, updatedAt: new Date() }),
        data: { erased: true },
      },
    ]);
    return { erasure: await begin(tx, { workspaceId, codeId, what: 'code' }), code: erased };
  });
};

/**
 * Erases the scans of a code up to now. A call before the work on an earlier one has begun moves that one's moment.
 * @throws {ClientError} NOT_FOUND, FORBIDDEN, CONFLICT for a locked or suspended code, RATE_LIMITED
 */
export const eraseScans = ({ pool }: AskParts, workspaceId: string, codeId: string): Promise<Erasure> =>
  inTransaction(pool, async (tx) => {
    requireUnlocked(await lockCode(tx, workspaceId, codeId), 'its scans');
    const asked = await extendAsked(tx, codeId);
    noteSubject({ resourceId: codeId });
    if (asked) {
      isNoChange(tx);
      return asked;
    }
    await requirePlace(tx, workspaceId, 'scans');
    await forgetScanCounts(tx, codeId);
    return begin(tx, { workspaceId, codeId, what: 'scans' });
  });
