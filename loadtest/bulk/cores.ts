/** What the control plane, everything behind it, and others took of the machine's cores. */
import os from 'node:os';
import { cpuMsBetween, lookAtCpu } from '../measure/cpu-time.ts';
import { busyMsOf, foreignShare } from '../measure/quiet.ts';

export interface CoreUse {
  elapsedMs: number;
  /** CPU of the control plane and its children. */
  planeMs: number;
  /** CPU of PostgreSQL, Redis, ClickHouse and this command. */
  behindMs: number;
  /** The share of all cores that others took. */
  foreignShare: number;
}

const busyMs = (): number => os.cpus().reduce((sum, _, core) => sum + busyMsOf(core), 0);

/** @param pid of the control plane. @returns ends the watch */
export const watchCores = (pid: number): (() => CoreUse) => {
  const look = () => ({
    atMs: performance.now(),
    plane: lookAtCpu([pid]),
    all: lookAtCpu([process.pid]),
    busyMs: busyMs(),
  });
  const before = look();
  return () => {
    const after = look();
    const elapsedMs = after.atMs - before.atMs;
    const planeMs = cpuMsBetween(before.plane, after.plane);
    const allMs = cpuMsBetween(before.all, after.all);
    return {
      elapsedMs,
      planeMs,
      behindMs: allMs - planeMs,
      foreignShare: foreignShare(after.busyMs - before.busyMs, allMs, elapsedMs * os.cpus().length),
    };
  };
};
