/** Keeps one part running: a part that dies is started again, with growing pauses, until it dies too often. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Part, StartError } from './part.ts';

export interface RestartPolicy {
  pauseMsMin: number;
  pauseMsMax: number;
  /** A part that lived longer than this starts with a clean record. */
  quickMs: number;
  /** So many quick deaths in a row are too many. */
  quickDeathsMax: number;
}

export const defaultPolicy: RestartPolicy = {
  pauseMsMin: 200,
  pauseMsMax: 5000,
  quickMs: 20_000,
  quickDeathsMax: 6,
};

export interface Keeper {
  /** The part as it runs now, or as it last ran. */
  readonly part: Part;
  /** Rejects when the part died too often; never resolves. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

export interface KeeperOptions {
  first: Part;
  /** Starts the part again, where it was before. */
  start(): Promise<Part>;
  /** Tells the operator. */
  say(line: string): void;
  logFile: string;
  policy?: RestartPolicy | undefined;
}

export const keepRunning = ({
  first,
  start,
  say,
  logFile,
  policy = defaultPolicy,
}: KeeperOptions): Keeper => {
  let part = first;
  let starting: Promise<unknown> | undefined;
  const stopping = new AbortController();

  const restart = async (): Promise<void> => {
    const begunMs = performance.now();
    try {
      part = await start();
      say(`${part.name} runs again (${Math.round(performance.now() - begunMs)} ms)`);
    } catch (error) {
      // It counts as one more death: `part.exited` of the old one is settled.
      say(error instanceof Error ? error.message : String(error));
    }
  };

  const watch = async (): Promise<never> => {
    for (let quickDeaths = 1; ; quickDeaths++) {
      const sinceMs = performance.now();
      const code = await part.exited;
      if (stopping.signal.aborted) return new Promise(() => undefined);
      if (performance.now() - sinceMs > policy.quickMs) quickDeaths = 1;
      const death = `${part.name} stopped (${code === null ? 'killed' : `exit code ${code}`})`;
      if (quickDeaths >= policy.quickDeathsMax)
        throw new StartError(`${death} ${quickDeaths} times in a row: read ${logFile}`);
      const pauseMs = Math.min(policy.pauseMsMin * 2 ** (quickDeaths - 1), policy.pauseMsMax);
      say(`${death}, restarting in ${pauseMs} ms`);
      // Rejects when the whole is stopped meanwhile.
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return new Promise(() => undefined);
      starting = restart();
      await starting;
    }
  };

  return {
    get part() {
      return part;
    },
    failed: watch(),
    async stop() {
      stopping.abort();
      await starting;
      await part.stop();
    },
  };
};
