/**
 * The event loop's time for answers that are written while they are sent. Their pieces take turns, one at a time, fairly by
 * workspace, and all of them together get a sixth of the time: after each piece the loop has five times as long for
 * everything else. So it costs others little how many are downloaded at once, and a workspace with many downloads gets no more
 * than one that has a single one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createFairGate, type FairGateOptions } from '../fair-queue/fair-gate.ts';

export interface StreamTurnsOptions {
  /** Streams of one owner, and of this process: each waits for one turn at most. */
  ownerMax: number;
  max: number;
  /** Default: that of the process, in milliseconds. */
  clock?: FairGateOptions['clock'];
  /** Waits this many milliseconds. */
  pause?(ms: number): Promise<unknown>;
}

export interface StreamTurns {
  /** Does a piece of work when its turn comes. @throws the work's error @throws {ClientError} UNAVAILABLE after a minute */
  take<Done>(owner: string, work: () => Done): Promise<Done>;
}

/** The loop's time for everything else, in times of the work. */
const restPerWork = 5;
/** Shorter rests are saved up: timers are no finer. */
const restMsMin = 1;
/** By far more than all turns that may wait take together. */
const waitMsMax = 60_000;
/** Of a turn, before its time is known. */
const cost = 0.1;

const messages = {
  tenantFull: 'Too many downloads at once; wait until one of yours has ended',
  busy: 'Too many downloads are under way; try again',
};

export const createStreamTurns = ({
  ownerMax,
  max,
  clock = () => performance.now(),
  pause = (ms) => sleep(ms),
}: StreamTurnsOptions): StreamTurns => {
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
      const turn = async (): Promise<void> => {
        const begunAtMs = clock();
        try {
          // It is handed out before the rest, in which it is sent.
          resolve(work());
        } catch (error) {
          reject(error);
        }
        await rest(clock() - begunAtMs);
      };
      gate.pass({ tenant: owner, cost }, turn).catch(reject);
      return promise;
    },
  };
};
