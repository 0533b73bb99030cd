/**
 * Tells Redis of the scans of claimed items, and learns their totals: all that came since the last answer together, one script at
 * a time. A script that is not answered may have counted: it is not sent again, so that the number on the page may be a few too low
 * after Redis was away. PostgreSQL's is exact.
 */
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { ClaimScripts } from './claim-scripts.ts';
import type { ClaimedItem } from './claimed-items.ts';

/** In one script: it runs for a millisecond. */
const batchMax = 250;

export interface BackgroundCounts {
  /** Counts a scan of a claimed item. */
  add(item: ClaimedItem): void;
  /** Whether Redis answers, as of the last question. While it does not, nobody is given a verdict. */
  readonly redisAnswers: boolean;
  /** Tells whether Redis has answered another question. */
  heard(answered: boolean): void;
  readonly waiting: number;
}

export const createBackgroundCounts = (
  redis: Redis,
  scripts: Pick<ClaimScripts, 'count'>,
  logger: Logger,
): BackgroundCounts => {
  /** Items with scans that Redis has not been told of; as many as are held, at most. */
  const waiting = new Set<ClaimedItem>();
  let answered = true;
  let sending = false;

  const send = async (): Promise<void> => {
    const batch = [...waiting].slice(0, batchMax);
    for (const item of batch) waiting.delete(item);
    const sent = batch.map((claim) => ({ itemId: claim.itemId, claim, add: claim.uncounted }));
    for (const item of batch) item.uncounted = 0;
    for (const { claim, add } of sent) claim.scanCount += add;
    const totals = await scripts.count(
      sent.map(({ itemId, claim, add }) => ({
        itemId,
        claim: { ...claim, scanCount: claim.scanCount - add },
        add,
      })),
    );
    for (const [index, { claim }] of sent.entries())
      claim.scanCount = Math.max(claim.scanCount, totals[index]!);
  };

  const run = async (): Promise<void> => {
    while (waiting.size > 0 && redis.status === 'ready') {
      try {
        await send();
        answered = true;
      } catch (error) {
        answered = false;
        logger.debug({ err: error }, 'redis did not count scans of serialized items');
      }
    }
    sending = false;
  };

  return {
    add(item) {
      item.uncounted++;
      waiting.add(item);
      if (sending) return;
      sending = true;
      setImmediate(() => void run());
    },
    get redisAnswers() {
      return redis.status === 'ready' && answered;
    },
    heard(has) {
      answered = has;
    },
    get waiting() {
      return waiting.size;
    },
  };
};
