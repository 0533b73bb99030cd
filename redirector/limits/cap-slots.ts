/**
 * Takes a slot of a cap: reserve, then confirm, see cap-scripts.ts. All reservations of an event-loop iteration go in one
 * script, and so do all confirmations.
 *
 * If Redis does not answer in time, the slot may or may not be reserved: the same take is sent again, with the same
 * token, for as long as a phone may wait.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CodeRecord } from '#schemas/code-record.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { Rebuilds } from './cap-rebuilds.ts';
import { absent, busy, type CapScripts, capped, type SlotReservation } from './cap-scripts.ts';
import { createLoopBatch } from './loop-batch.ts';

export type CapAnswer = 'taken' | 'capped' | 'unknown';

/** Between two attempts for the same slot. */
const askAgainMs = 50;
/**
 * A confirmation whose answer takes longer is sent again. A rebuild waits longer than this before it counts the
 * recorded scans, so a lost counter lets no scan through after its scans were counted.
 */
const actWithinMs = 500;
/** Per script, which runs for a millisecond. */
const batchMax = 250;

/**
 * @param takeWaitMs how long a scan waits for an unresponsive Redis, or for slots that others may give back
 * @returns takes a slot; `unknown` if the count cannot be known at the moment
 */
export const createSlots = (
  takeWaitMs: number,
  redis: Redis,
  scripts: CapScripts,
  rebuilds: Rebuilds,
  logger: Logger,
): ((record: CodeRecord, reservation: SlotReservation) => Promise<CapAnswer>) => {
  const reserve = createLoopBatch(scripts.reserve, batchMax);
  const confirm = createLoopBatch(scripts.confirm, batchMax);

  /** @returns undefined if Redis did not answer in time */
  const ask = async (question: Promise<number>, code: string): Promise<number | undefined> => {
    try {
      return await question;
    } catch (error) {
      logger.debug({ err: error, code }, 'the scan counter did not answer');
      return undefined;
    }
  };

  /** Whether the reservation is confirmed, as of a moment ago. */
  const isConfirmed = async (reservation: SlotReservation, code: string): Promise<boolean> => {
    const askedAtMs = performance.now();
    const answer = await ask(confirm(reservation), code);
    return answer === 1 && performance.now() - askedAtMs <= actWithinMs;
  };

  return async (record, reservation) => {
    let untilMs = performance.now() + takeWaitMs;
    for (;;) {
      const answer = await ask(reserve(reservation), record.id);
      if (answer === capped) return 'capped';
      if (answer === absent) {
        if (!(await rebuilds.rebuild(record, reservation.key))) return 'unknown';
        untilMs = performance.now() + takeWaitMs;
      } else if (answer !== undefined && answer !== busy) {
        if (!reservation.counts || (await isConfirmed(reservation, record.id))) return 'taken';
      }
      if (redis.status !== 'ready' || performance.now() + askAgainMs > untilMs) return 'unknown';
      await sleep(askAgainMs);
    }
  };
};
