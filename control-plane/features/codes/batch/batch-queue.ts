/**
 * A batch in the queues that all requests share. It has little in a queue at a time, and retries if a queue is full: a
 * busy machine is no fault of a row. Its time is limited; work that gets no place by then is left for later.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { ClientError } from '#shared/errors.ts';
import { RenderTimeout } from '../../../rendering/index.ts';

/** The batch ran out of time before a piece of work got its place. */
export class NoPlaceInTime extends Error {
  override name = 'NoPlaceInTime';
}

/** The default time of a batch, in milliseconds. */
const timeMsMaxDefault = 3_000;
/** The pause before a retry, if the refusal names none. */
const pauseMs = 1_000;

/** Whether a queue was full, rather than the work at fault. A picture that takes too long is itself at fault. */
const isCrowded = (error: unknown): error is ClientError =>
  error instanceof ClientError &&
  (error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE') &&
  !(error instanceof RenderTimeout);

/** Does a piece of work when it gets a place. @throws {NoPlaceInTime} */
export type Enqueue = <T>(work: () => Promise<T>) => Promise<T>;

export interface BatchQueue {
  isOver(): boolean;
  /** @param atOnceMax pieces of work in the shared queue at once */
  line(atOnceMax: number): Enqueue;
}

export const createBatchQueue = (timeMsMax = timeMsMaxDefault): BatchQueue => {
  const endsAtMs = performance.now() + timeMsMax;
  const leftMs = () => endsAtMs - performance.now();

  const doPatiently: Enqueue = async (work) => {
    while (leftMs() > 0) {
      try {
        return await work();
      } catch (error) {
        if (!isCrowded(error)) throw error;
        const waitMs = (error.retryAfterSeconds ?? 0) * 1_000 || pauseMs;
        await sleep(Math.max(0, Math.min(waitMs, leftMs())));
      }
    }
    throw new NoPlaceInTime('the time of the batch is over');
  };

  return {
    isOver: () => leftMs() <= 0,
    line(atOnceMax) {
      const limit = pLimit(atOnceMax);
      return (work) => limit(() => doPatiently(work));
    },
  };
};
