/**
 * Begins the epochs of Redis. Within an epoch, an item that Redis does not know is unclaimed unless PostgreSQL says
 * otherwise (claim-scripts.ts). Any process may begin one, as often as it likes: a current epoch continues.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import type { ClaimScripts } from './claim-scripts.ts';

export interface Settlement {
  /** Settles, once for all callers that wait. @returns whether an epoch began in time */
  settle(): Promise<boolean>;
  /** Epochs begun by this process. */
  readonly statistics: { settled: number };
}

/** @param waitMs how long a visitor waits for it */
export const createSettlement = (
  waitMs: number,
  scripts: Pick<ClaimScripts, 'beginSettling' | 'settle'>,
  untilDelivered: () => Promise<void>,
  logger: Logger,
): Settlement => {
  const statistics = { settled: 0 };
  let underWay: Promise<boolean> | undefined;

  const begin = async (): Promise<boolean> => {
    const name = randomUUID();
    const history = await scripts.beginSettling(name);
    if (history === undefined) return true;
    await untilDelivered();
    if (!(await scripts.settle(name, history))) throw new Error('Redis may have lost keys meanwhile');
    statistics.settled++;
    logger.info(
      'claims of serialized items are settled: PostgreSQL decides for items that Redis does not know',
    );
    return true;
  };

  const guarded = async (): Promise<boolean> => {
    try {
      return await begin();
    } catch (error) {
      logger.warn({ err: error }, 'could not settle claims of serialized items; the next scan retries');
      return false;
    } finally {
      underWay = undefined;
    }
  };

  return {
    settle() {
      underWay ??= guarded();
      return Promise.race([underWay, sleep(waitMs, false, { ref: false })]);
    },
    statistics,
  };
};
