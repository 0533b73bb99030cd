/** A pause of the loop that ends early if there is something to do. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Pause {
  /** Call this before checking for work: an `end` after it also ends the next pause. */
  begin(): void;
  end(): void;
  take(ms: number): Promise<void>;
}

export const createPause = (): Pause => {
  let ended = false;
  let endSleep: () => void = () => {};
  return {
    begin() {
      ended = false;
    },
    end() {
      ended = true;
      endSleep();
    },
    async take(ms) {
      if (ended) return;
      const ending = new AbortController();
      endSleep = () => ending.abort();
      await sleep(ms, undefined, { signal: ending.signal }).catch(() => undefined);
      endSleep = () => {};
    },
  };
};
