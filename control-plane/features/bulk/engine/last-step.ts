/** The last step of an operation whose kind has one, once all its rows are done. */
import type { Logger } from '#shared/logger.ts';
import { isDatabaseUnavailable, type Pool } from '../../../db/pool.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { keepAlive } from './keep-alive.ts';
import type { Kind } from './kind.ts';
import { enqueue, takeTurn } from './queue.ts';
import { isWaitedFor } from './row-ends.ts';
import type { Progress } from './slices.ts';
import {
  countCompletion,
  countCompletionFailure,
  finish,
  forgiveCompletion,
  lockUnfinished,
  markHeldUp,
  type StoredOperation,
} from './store/operations.ts';

/** After so many attempts that failed by themselves, the operation has failed. */
const failuresMax = 3;
/** The same for attempts in all: most ends of a process have other causes, but this one may be the cause, too. */
const completionsMax = 10;
/** Between two attempts. */
const retryDelayMs = 1_000;

const isHopeless = ({ completions, completionFailures }: StoredOperation): boolean =>
  completionFailures >= failuresMax || completions >= completionsMax;

/** @throws where the database is away: then the queue tries again */
export const runLastStep = async (
  pool: Pool,
  operation: StoredOperation,
  kind: Kind,
  logger: Logger,
): Promise<Progress> => {
  const { id, workspaceId } = operation;
  try {
    return await inTransaction(pool, async (tx) => {
      if (!(await takeTurn(tx, workspaceId))) return 'busy';
      if (!(await countCompletion(pool, id)) || !(await lockUnfinished(tx, id))) return 'nothing to do';
      const isGivenUp = isHopeless(operation);
      if (!isGivenUp) await keepAlive(tx, async () => kind.complete?.(operation));
      await finish(tx, id, isGivenUp ? 'failed' : 'completed');
      await enqueue(tx, workspaceId);
      return 'done';
    });
  } catch (error) {
    if (isDatabaseUnavailable(error)) {
      // Where the database does not hear of that either, the attempt counts.
      await forgiveCompletion(pool, id).catch((failure: unknown) => {
        logger.debug({ err: failure, bulkId: id }, 'an attempt at a last step could not be taken back');
      });
      throw error;
    }
    if (isWaitedFor(error, operation.heldUpSince)) {
      logger.warn({ err: error, bulkId: id }, 'the last step of a bulk operation waits');
      await forgiveCompletion(pool, id);
      await markHeldUp(pool, id);
      return 'later';
    }
    logger.error({ err: error, bulkId: id }, 'the last step of a bulk operation failed');
    await countCompletionFailure(pool, id);
    await enqueue(pool, workspaceId, retryDelayMs);
    return 'done';
  }
};
