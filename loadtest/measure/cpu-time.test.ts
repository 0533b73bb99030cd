import { expect, test } from 'vitest';
import { type CpuReading, cpuMsBetween, parseSchedstat, readCpu } from './cpu-time.ts';

const reading = (threads: Record<string, number>, ticksMs: number): CpuReading => ({
  threadsNs: new Map(Object.entries(threads)),
  ticksMs,
  processes: 1,
});

test('the time on a core is the first figure of a schedstat, in nanoseconds', () => {
  expect(parseSchedstat('123456789 42 7\n')).toBe(123_456_789);
  expect(() => parseSchedstat('4242 (node) S 1')).toThrow('not the schedstat of a thread');
});

test('threads add up to the nanosecond, and one that began meanwhile counts in full', () => {
  const before = reading({ 1: 1_000_000, 2: 5_000_000 }, 0);
  const after = reading({ 1: 3_500_000, 2: 5_000_000, 3: 250_000 }, 0);
  expect(cpuMsBetween(before, after)).toBe(2.75);
});

test('the ticks count if a thread has ended, and not if they are only rounded', () => {
  const before = reading({ 1: 0, 2: 0 }, 0);
  const after = reading({ 1: 1_000_000 }, 500);
  expect(cpuMsBetween(before, after)).toBe(500);
  expect(cpuMsBetween(before, { ...after, ticksMs: 20 })).toBe(1);
});

test('the time of a process grows while it works', () => {
  const before = readCpu([process.pid]);
  const { user, system } = process.cpuUsage();
  // Counted in CPU time, not in time: others may have the core.
  for (let used = 0; used < 50_000; ) {
    const now = process.cpuUsage();
    used = now.user + now.system - user - system;
  }
  expect(cpuMsBetween(before, readCpu([process.pid]))).toBeGreaterThan(40);
});
