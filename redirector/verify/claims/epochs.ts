/**
 * Begins the epochs of Redis. Within an epoch, an item that Redis does not know is unclaimed unless PostgreSQL says
 * otherwise (claim-scripts.ts). Any process may begin one, as often as it likes: a current epoch continues.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import type { ClaimScripts } from './claim-scripts.ts';

export interface Epochs {
  /** Begins one, once for all callers that wait. @returns whether an epoch began in time */
  begin(): Promise<boolean>;
  /** Epochs begun by this process. */
  readonly statistics: { epochs: number };
}

/** @param waitMs how long a visitor waits for it */
export const createEpochs = (
  waitMs: number,
  scripts: Pick<ClaimScripts, 'prepareEpoch' | 'completeEpoch'>,
  untilDelivered: () => Promise<void>,
  logger: Logger,
): Epochs => {
  const statistics = { epochs: 0 };
  let underWay: Promise<boolean> | undefined;

  const beginNext = async (): Promise<boolean> => {
    const name = randomUUID();
    const history = await scripts.prepareEpoch(name);
    if (history === undefined) return true;
    await untilDelivered();
    if (!(await scripts.completeEpoch(name, history))) throw new Error('Redis may have lost keys meanwhile');
    statistics.epochs++;
    logger.info(
      'claims of serialized items are settled: PostgreSQL decides for items that Redis does not know',
    );
    return true;
  };

  const guarded = async (): Promise<boolean> => {
    try {
      return await beginNext();
    } catch (error) {
      logger.warn({ err: error }, 'could not settle claims of serialized items; the next scan retries');
      return false;
    } finally {
      underWay = undefined;
    }
  };

  return {
    begin() {
      underWay ??= guarded();
      return Promise.race([underWay, sleep(waitMs, false, { ref: false })]);
    },
    statistics,
  };
};
