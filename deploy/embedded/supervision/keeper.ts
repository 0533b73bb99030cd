/**
 * Keeps one part running: a part that dies is started again, with growing pauses. One that dies too often is given up on, as far as
 * the others go on without it, and is tried again slowly for as long as the whole runs: no part ends the others.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from '../child/part.ts';

export interface RestartPolicy {
  pauseMsMin: number;
  pauseMsMax: number;
  /** A part that lived longer than this starts with a clean record. */
  quickMs: number;
  /** So many quick deaths in a row are too many … */
  quickDeathsMax: number;
  /** … and from then on the pauses are as long as this. */
  slowPauseMs: number;
}

export const defaultPolicy: RestartPolicy = {
  pauseMsMin: 200,
  pauseMsMax: 5000,
  quickMs: 20_000,
  quickDeathsMax: 6,
  slowPauseMs: 30_000,
};

export interface Keeper {
  stop(): Promise<void>;
}

export interface KeeperOptions {
  name: string;
  /** Undefined where the first start has failed, which is told by the caller. */
  first: Part | undefined;
  /** Starts the part again, where it was before. */
  start(): Promise<Part>;
  /** What the others do without it, for the operator. */
  meanwhile: string;
  /** Tells the operator. */
  say(line: string): void;
  logFile: string;
  policy?: RestartPolicy | undefined;
}

export const keepRunning = (options: KeeperOptions): Keeper => {
  const { name, start, meanwhile, say, logFile, policy = defaultPolicy } = options;
  let part = options.first;
  let failures = part === undefined ? 1 : 0;
  let told = '';
  let starting: Promise<void> | undefined;
  const stopping = new AbortController();

  /** Waits for the end of the part. @returns how it ended */
  const death = async (running: Part): Promise<string> => {
    const sinceMs = performance.now();
    const code = await running.exited;
    if (performance.now() - sinceMs > policy.quickMs) failures = 0;
    failures++;
    // What a part that was killed wrote last is not why.
    return code === null ? 'killed' : `exit code ${code}: ${running.lastWords()}`;
  };

  const restart = async (): Promise<void> => {
    const begunMs = performance.now();
    try {
      part = await start();
      told = '';
      say(`${name} runs again (${Math.round(performance.now() - begunMs)} ms)`);
    } catch (error) {
      part = undefined;
      failures++;
      tell((error instanceof Error ? error.message : String(error)).replace(`${name} `, ''));
    }
  };

  const pauseMs = (): number =>
    failures >= policy.quickDeathsMax
      ? policy.slowPauseMs
      : Math.min(policy.pauseMsMin * 2 ** Math.max(0, failures - 1), policy.pauseMsMax);

  /** A cause that stays is told once. */
  const tell = (cause: string): void => {
    const line =
      failures >= policy.quickDeathsMax
        ? `${name} does not stay up (${cause}): ${meanwhile}; trying again every ${policy.slowPauseMs / 1000} s, read ${logFile}`
        : `${name} ${cause}, restarting in ${pauseMs()} ms`;
    if (line !== told) say(line);
    told = line;
  };

  const watch = async (): Promise<void> => {
    for (;;) {
      if (part) {
        const how = await death(part);
        if (stopping.signal.aborted) return;
        tell(failures >= policy.quickDeathsMax ? how : `stopped (${how})`);
      }
      // Rejects when the whole is stopped meanwhile.
      await sleep(pauseMs(), undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      starting = restart();
      await starting;
    }
  };

  const watching = watch();
  return {
    async stop() {
      stopping.abort();
      await starting;
      await part?.stop();
      await watching;
    },
  };
};
