/**
 * The longest time for which work occupies its event loop: the thread's CPU time between two iterations of the loop, since
 * on a busy machine wall-clock time includes other processes.
 */
import { existsSync, readFileSync } from 'node:fs';
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';
import vm from 'node:vm';

/** Linux: nanoseconds of CPU time of this thread. */
const schedstat = '/proc/thread-self/schedstat';

const cpuMs = existsSync(schedstat)
  ? (): number => Number(readFileSync(schedstat, 'latin1').split(' ')[0]) / 1e6
  : (): number => performance.now();

v8.setFlagsFromString('--expose-gc');
/** Garbage of earlier steps is collected before the measurement, not during it. */
const collect: () => void = vm.runInNewContext('gc');

/** The CPU time of a synchronous step. */
export const cpuOf = (step: () => unknown): number => {
  collect();
  const begun = cpuMs();
  step();
  return cpuMs() - begun;
};

interface Span {
  /** By the clock of `performance.now`. */
  fromMs: number;
  toMs: number;
}

interface Step extends Span {
  cpuMs: number;
}

/** How much of a step the collector may have had: its pauses are those of the whole test process, whatever the step does. */
const collectedMs = ({ fromMs, toMs }: Span, pauses: readonly Span[]): number =>
  pauses.reduce((sum, pause) => {
    const overlapMs = Math.min(toMs, pause.toMs) - Math.max(fromMs, pause.fromMs);
    return sum + Math.max(0, overlapMs);
  }, 0);

const watchPauses = () => {
  const pauses: Span[] = [];
  const note = (entries: readonly PerformanceEntry[]): void => {
    for (const { startTime, duration } of entries)
      pauses.push({ fromMs: startTime, toMs: startTime + duration });
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  return {
    async end(): Promise<readonly Span[]> {
      // The entries of the last pause come with the next iteration.
      await new Promise((resolve) => setTimeout(resolve, 20));
      note(observer.takeRecords());
      observer.disconnect();
      return pauses;
    },
  };
};

/** @returns in milliseconds, without pauses of the garbage collector, with the result of the work */
export const longestStep = async <Made>(
  work: () => Promise<Made>,
): Promise<{ made: Made; stepMs: number }> => {
  collect();
  const pauses = watchPauses();
  const steps: Step[] = [];
  let [cpuAt, at] = [cpuMs(), performance.now()];
  let isOver = false;
  const note = (): void => {
    const [cpuNow, now] = [cpuMs(), performance.now()];
    steps.push({ fromMs: at, toMs: now, cpuMs: cpuNow - cpuAt });
    [cpuAt, at] = [cpuNow, now];
  };
  const watch = (): void => {
    note();
    if (!isOver) setTimeout(watch, 1);
  };
  setTimeout(watch, 1);
  try {
    const made = await work();
    // The iteration in which the work ends.
    note();
    isOver = true;
    const spans = await pauses.end();
    const stepMs = steps.reduce((most, step) => Math.max(most, step.cpuMs - collectedMs(step, spans)), 0);
    return { made, stepMs };
  } finally {
    isOver = true;
  }
};
