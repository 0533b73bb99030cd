/**
 * CPU time of processes in nanoseconds, from /proc/{pid}/task/{thread}/schedstat. /proc/{pid}/stat counts in ticks of 10 ms, which
 * is too coarse for a round of a few hundred scans. Threads that end take their schedstat with them: if the ticks, which
 * include them, say more than rounding explains, the ticks count.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { hasCode } from '#shared/errors.ts';
import { cpuMsOf, treeOf } from './processes.ts';

/** The CPU time of some processes up to a moment, with their children. */
export interface CpuReading {
  /** Nanoseconds of each thread, by its id. */
  threadsNs: ReadonlyMap<string, number>;
  ticksMs: number;
  processes: number;
}

/** User and system time of a process are each rounded down to a tick. */
const roundingMs = 20;

/** @param text of a schedstat: nanoseconds on a core, nanoseconds in the queue, time slices. @throws {Error} for any other text */
export const parseSchedstat = (text: string): number => {
  const match = /^(\d+) \d+ \d+\s*$/.exec(text);
  if (!match) throw new Error(`not the schedstat of a thread: ${text.slice(0, 80)}`);
  return Number(match[1]);
};

const threadsOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return [];
    throw error;
  }
};

const threadNs = (pid: number, thread: string): number | undefined => {
  try {
    return parseSchedstat(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
};

export const readCpu = (pids: readonly number[]): CpuReading => {
  const all = pids.flatMap(treeOf);
  const threadsNs = new Map<string, number>();
  for (const pid of all) {
    for (const thread of threadsOf(pid)) {
      const ns = threadNs(pid, thread);
      if (ns !== undefined) threadsNs.set(thread, ns);
    }
  }
  const ticksMs = pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  return { threadsNs, ticksMs, processes: all.length };
};

/** Milliseconds of CPU between two looks at the same processes. */
export const cpuMsBetween = (before: CpuReading, after: CpuReading): number => {
  let ns = 0;
  for (const [thread, now] of after.threadsNs) ns += now - (before.threadsNs.get(thread) ?? 0);
  const exactMs = ns / 1e6;
  const ticksMs = after.ticksMs - before.ticksMs;
  return ticksMs > exactMs + roundingMs * after.processes ? ticksMs : exactMs;
};
