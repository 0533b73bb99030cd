/** What the control plane and PostgreSQL took of the machine's cores. */
import { cpuMsBetween, lookAtCpu } from '../measure/cpu-time.ts';
import { serverCore } from '../measure/pinning.ts';
import { busyMsOf, foreignShare } from '../measure/quiet.ts';

export interface PlaneUse {
  elapsedMs: number;
  planeMs: number;
  postgresMs: number;
  /** The share of the server's core that others took. */
  foreignShare: number;
}

/** @returns ends the watch */
export const watchPlane = (planePid: number, postgresPid: number): (() => PlaneUse) => {
  const look = () => ({
    atMs: performance.now(),
    plane: lookAtCpu([planePid]),
    postgres: lookAtCpu([postgresPid]),
    busyMs: busyMsOf(serverCore),
  });
  const before = look();
  return () => {
    const after = look();
    const elapsedMs = after.atMs - before.atMs;
    const planeMs = cpuMsBetween(before.plane, after.plane);
    return {
      elapsedMs,
      planeMs,
      postgresMs: cpuMsBetween(before.postgres, after.postgres),
      foreignShare: foreignShare(after.busyMs - before.busyMs, planeMs, elapsedMs),
    };
  };
};
