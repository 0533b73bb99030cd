/** A pause of the loop that ends early where there is something to do. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Pause {
  /** Called before the look at what there is to do: what ends a pause from then on ends the next one. */
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
