/**
 * Reports scans of claimed items to Redis, and learns their totals. All scans since the last answer go in one script,
 * one script at a time. An unanswered script may have counted, so it is not retried: after an outage of Redis the
 * number on the page may be a few too low. PostgreSQL's number is exact.
 */
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { ClaimScripts } from './claim-scripts.ts';
import type { ClaimedItem } from './claimed-items.ts';

/** Per script, which runs for a millisecond. */
const batchMax = 250;

export interface BackgroundCounts {
  /** Counts a scan of a claimed item. */
  add(item: ClaimedItem): void;
  /** Whether Redis answered last time. While it does not, there are no verdicts. */
  readonly redisAnswers: boolean;
  /** Reports whether Redis answered some other request. */
  heard(answered: boolean): void;
  readonly waiting: number;
}

export const createBackgroundCounts = (
  redis: Redis,
  scripts: Pick<ClaimScripts, 'count'>,
  logger: Logger,
): BackgroundCounts => {
  /** Items with scans not yet reported to Redis; at most the items held. */
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
        logger.debug({ err: error }, 'Redis did not count scans of serialized items');
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
