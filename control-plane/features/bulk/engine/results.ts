/**
 * Results are given out once, except the kept ones (kept-results.ts). A fetch claims the result, and keeps the claim until it is known whether the client has got it: then
 * the result is removed, or free again. The claim of a process that has ended, ends by itself.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '#shared/errors.ts';
import type { Reply } from '../../../api/idempotency/reply.ts';
import type { Background } from '../../../jobs/background.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { keptResult } from './kept-results.ts';
import type { KindName } from './kind.ts';
import { findOperation, type StoredOperation } from './store/operations.ts';
import { claimResult, readResult, releaseResult, removeFetched } from './store/results.ts';

/** Longer than any answer takes to be sent and settled (http/delivery.ts). */
const claimSeconds = 60;
/** How long a second fetch waits for the end of the first one. */
const waitMsMax = 3_000;
const waitStepMs = 100;
const retryAfterSeconds = 5;

export type FetchResult = (workspaceId: string, bulkId: string, kinds: readonly KindName[]) => Promise<Reply>;

/** Whose results are too large to be sent at once, and stay when they are fetched. */
const keptKinds: readonly KindName[] = ['change'];

const removed = ({ id, kind, removedAt, removedBecause }: StoredOperation): ClientError => {
  const at = removedAt?.toISOString();
  if (keptKinds.includes(kind))
    return new ClientError('NOT_FOUND', `The result of ${id} was kept for 7 days, until ${at}`);
  return new ClientError(
    'NOT_FOUND',
    removedBecause === 'fetched'
      ? `The result of ${id} was fetched before, at ${at}; it is given out once`
      : `The result of ${id} was removed at ${at}, since nobody had fetched it for 7 days`,
  );
};

const requireCompleted = ({ id, kind, status, total, succeeded, failed }: StoredOperation): void => {
  // Codes that were changed before a change was cancelled stay changed.
  if (status === 'completed' || (status === 'failed' && keptKinds.includes(kind))) return;
  if (status === 'failed') throw new ClientError('CONFLICT', `${id} has failed: it has no result`);
  throw new ClientError(
    'CONFLICT',
    `${id} is not completed: ${succeeded + failed} of ${total} rows are done`,
    {
      retryAfterSeconds: 1,
    },
  );
};

/**
 * @returns a function that answers with the entries of all rows, in the order of the call
 * @throws {ClientError} NOT_FOUND for an operation of another kind, and where the result was removed; FORBIDDEN for another
 *   workspace's; CONFLICT if it is not completed, or is being fetched
 */
export const createResults = (pool: Pool, background: Background): FetchResult => {
  const find = async (
    workspaceId: string,
    bulkId: string,
    kinds: readonly KindName[],
  ): Promise<StoredOperation> => {
    const operation = await findOperation(pool, workspaceId, bulkId, kinds);
    requireCompleted(operation);
    if (operation.removedAt) throw removed(operation);
    return operation;
  };

  const claim = async (workspaceId: string, bulkId: string, kinds: readonly KindName[]): Promise<string> => {
    const claimId = randomUUID();
    const givesUpAtMs = performance.now() + waitMsMax;
    for (;;) {
      await find(workspaceId, bulkId, kinds);
      if (await claimResult(pool, bulkId, claimId, claimSeconds)) return claimId;
      if (performance.now() > givesUpAtMs) break;
      await sleep(waitStepMs);
    }
    throw new ClientError(
      'CONFLICT',
      `The result of ${bulkId} is being fetched by another request; try again`,
      {
        retryAfterSeconds,
      },
    );
  };

  return async (workspaceId, bulkId, kinds) => {
    const { kind } = await find(workspaceId, bulkId, kinds);
    if (keptKinds.includes(kind)) return keptResult(pool, bulkId);
    const claimId = await claim(workspaceId, bulkId, kinds);
    try {
      return {
        body: await readResult(pool, bulkId),
        onEnd(end) {
          const settled = (end === 'delivered' ? removeFetched : releaseResult)(pool, bulkId, claimId);
          background.start('settling the fetch of a result', settled);
        },
      };
    } catch (error) {
      await releaseResult(pool, bulkId, claimId);
      throw error;
    }
  };
};
