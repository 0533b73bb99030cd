/**
 * Begins the epochs of Redis, in which an item that it does not know is one that nobody has claimed unless PostgreSQL says so
 * (claim-scripts.ts). Any process may begin one, as often as it likes: an epoch that has begun goes on.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import type { ClaimScripts } from './claim-scripts.ts';

export interface Settlement {
  /** Settles, once for all that wait. @returns whether there is an epoch in time */
  settle(): Promise<boolean>;
  /** Epochs that this process has begun. */
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
      'claims of serialized items are settled: items that Redis does not know are as PostgreSQL says',
    );
    return true;
  };

  const guarded = async (): Promise<boolean> => {
    try {
      return await begin();
    } catch (error) {
      logger.warn({ err: error }, 'claims of serialized items cannot be settled: it is tried again');
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
