/**
 * Keeps one part running: a part that ends is restarted, after growing pauses. After too many failures in a row the
 * operator gets a line about the consequences, and the part is restarted slowly, until everything stops. No part ends
 * the others.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#shared/errors.ts';
import type { Part } from '../child/part.ts';
import { createFailures, defaultPolicy, type Failures, type RestartPolicy } from './restart-policy.ts';

export interface Keeper {
  stop(): Promise<void>;
}

export interface KeeperOptions {
  name: string;
  /** Undefined if the first start failed; the caller has notified the operator. */
  first: Part | undefined;
  /** Starts the part again at the same place. */
  start(): Promise<Part>;
  /** The consequences of its absence, for the operator. */
  meanwhile: string;
  /** Prints a line for the operator. */
  say(line: string): void;
  logFile: string;
  policy?: RestartPolicy | undefined;
}

/** Tells the operator why a part fails. Repeats of the last line are left out. */
const createReporter = (
  { name, meanwhile, say, logFile, policy = defaultPolicy }: KeeperOptions,
  failures: Failures,
) => {
  let said = '';
  return {
    fails(cause: string): void {
      const line = failures.areMany
        ? `${name} does not stay up (${cause}): ${meanwhile}; trying again every ${policy.slowPauseMs / 1000} s, read ${logFile}`
        : `${name} ${cause}, restarting in ${failures.pauseMs} ms`;
      if (line !== said) say(line);
      said = line;
    },
    runsAgain(startMs: number): void {
      said = '';
      say(`${name} runs again (${Math.round(startMs)} ms)`);
    },
  };
};

/** Waits for the end of a part. @returns how it ended */
const endOf = async (part: Part, failures: Failures): Promise<string> => {
  const sinceMs = performance.now();
  const code = await part.exited;
  failures.ended(performance.now() - sinceMs);
  // The last words of a killed part are not the cause.
  return code === null ? 'killed' : `exit code ${code}: ${part.lastWords()}`;
};

export const keepRunning = (options: KeeperOptions): Keeper => {
  const { name, start, policy = defaultPolicy } = options;
  const failures = createFailures(policy);
  const report = createReporter(options, failures);
  let part = options.first;
  let starting: Promise<void> | undefined;
  const stopping = new AbortController();
  if (part === undefined) failures.startFailed();

  const restart = async (): Promise<void> => {
    const begunMs = performance.now();
    try {
      part = await start();
      report.runsAgain(performance.now() - begunMs);
    } catch (error) {
      part = undefined;
      failures.startFailed();
      report.fails(messageOf(error).replace(`${name} `, ''));
    }
  };

  const watch = async (): Promise<void> => {
    for (;;) {
      if (part) {
        const how = await endOf(part, failures);
        if (stopping.signal.aborted) return;
        report.fails(failures.areMany ? how : `stopped (${how})`);
      }
      // Rejects if everything is stopped meanwhile.
      await sleep(failures.pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
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
