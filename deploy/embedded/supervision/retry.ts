/** Retries work until it succeeds once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#shared/errors.ts';

export interface Retrying {
  /** Resolves after the first try, even if it failed. */
  readonly firstTry: Promise<void>;
  /** Gives up: aborts a try under way, and waits for its end. */
  stop(): Promise<void>;
}

/** @param options.say gets the reason of a failure, unless it repeats the last one */
export const retryUntilDone = (options: {
  action(signal: AbortSignal): Promise<void>;
  pauseMs: number;
  say(line: string): void;
}): Retrying => {
  const { action, pauseMs, say } = options;
  const stopping = new AbortController();
  let said = '';

  const tryOnce = async (): Promise<boolean> => {
    try {
      await action(stopping.signal);
      return true;
    } catch (error) {
      const reason = messageOf(error);
      if (reason !== said && !stopping.signal.aborted)
        say(`${reason}; trying again every ${pauseMs / 1000} s`);
      said = reason;
      return false;
    }
  };

  const first = tryOnce();
  const goOn = async (): Promise<void> => {
    for (let done = await first; !done && !stopping.signal.aborted; done = await tryOnce()) {
      // Rejects if `stop` is called meanwhile.
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
    }
  };
  const going = goOn();
  return {
    firstTry: first.then(() => undefined),
    async stop() {
      stopping.abort();
      await going;
    },
  };
};
