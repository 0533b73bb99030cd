/** Kills things while work is under way, each kill once its share of the work is done, and starts them again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#shared/errors.ts';

/** A server that is killed, or a clock that jumps. See killable.ts. */
export interface Victim {
  /** @param index of the kill, from 0 on */
  kill(index: number): Promise<void>;
  startAgain(): Promise<void>;
}

/** How long something is away at least. */
const awayMs = 300;

/** Kills one after the other, each once its share of the scans is done. */
export const createKiller = (
  name: string,
  victims: readonly Victim[],
  kills: number,
  say: (line: string) => void,
) => {
  let [killed, working] = [0, Promise.resolve()];
  let busy = false;
  /** Spread over the first nine tenths, each anywhere in its part. */
  const shares = Array.from({ length: kills }, (_, index) => (0.9 * (index + Math.random())) / kills);

  const killNext = async (): Promise<void> => {
    const index = killed++;
    const victim = victims[index % victims.length]!;
    await victim.kill(index);
    await sleep(awayMs);
    await victim.startAgain();
    busy = false;
  };
  return {
    at(share: number): void {
      if (busy || killed >= kills || share < shares[killed]!) return;
      busy = true;
      say(`kill ${killed + 1} of ${name} at ${(share * 100).toFixed(0)}%`);
      working = killNext();
      // Awaited at the end, after the work that needs it was given up.
      working.catch((error: unknown) => say(`${name} is not there again: ${messageOf(error)}`));
    },
    /** Whether there is a kill to come. */
    isDone: (): boolean => killed >= kills,
    /** Resolves once the last victim is there again. @returns how many were killed */
    async end(): Promise<number> {
      await working;
      return killed;
    },
  };
};
