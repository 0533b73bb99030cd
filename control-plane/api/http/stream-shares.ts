/**
 * Shares the event loop's time among responses that are written while they are sent. Their pieces are done one at a
 * time, fairly by workspace, and together they get a sixth of the time: after each piece the loop has five times as
 * long for everything else. So others hardly notice how many downloads run at once, and a workspace with many downloads
 * gets the same share as a workspace with one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createFairGate, type FairGateOptions } from '../../platform/fair-queue/fair-gate.ts';

export interface StreamSharesOptions {
  /** Streams of one owner, and of this process: each waits with at most one piece. */
  ownerMax: number;
  max: number;
  /** Default: the process's monotonic clock, in ms. */
  clock?: FairGateOptions['clock'];
  /** Waits this many milliseconds. */
  pause?(ms: number): Promise<unknown>;
}

export interface StreamShares {
  /** Does a piece of work in the share of its owner. @throws the work's error @throws {ClientError} UNAVAILABLE after a minute */
  take<Done>(owner: string, work: () => Done): Promise<Done>;
}

/** The loop's time for everything else, as a multiple of the work. */
const restPerWork = 5;
/** Shorter rests accumulate: timers are no finer. */
const restMsMin = 1;
/** Far more than all waiting pieces take together. */
const waitMsMax = 60_000;
/** Assumed cost of a piece before it is measured. */
const cost = 0.1;

const messages = {
  tenantFull: 'Too many downloads at once; wait until one of yours has ended',
  busy: 'Too many downloads are under way; try again',
};

export const createStreamShares = ({
  ownerMax,
  max,
  clock = () => performance.now(),
  pause = (ms) => sleep(ms),
}: StreamSharesOptions): StreamShares => {
  const gate = createFairGate({
    runningMax: 1,
    waitingMax: max,
    waitingPerTenantMax: ownerMax,
    waitMsMax,
    messages,
    costPerMs: 1,
    clock,
  });
  let owedMs = 0;

  const rest = async (workedMs: number): Promise<void> => {
    owedMs += workedMs * restPerWork;
    if (owedMs < restMsMin) return;
    const begunAtMs = clock();
    await pause(owedMs);
    owedMs = Math.max(0, owedMs - (clock() - begunAtMs));
  };

  return {
    take(owner, work) {
      const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof work>>();
      const run = async (): Promise<void> => {
        const begunAtMs = clock();
        try {
          // Handed out before the rest, so that it is sent meanwhile.
          resolve(work());
        } catch (error) {
          reject(error);
        }
        await rest(clock() - begunAtMs);
      };
      gate.pass({ tenant: owner, cost }, run).catch(reject);
      return promise;
    },
  };
};
