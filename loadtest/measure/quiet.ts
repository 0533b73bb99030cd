/**
 * Whether the server had its core to itself: the core's busy time (proc(5), /proc/stat) less the server's. A round in which others
 * took much of the core is worth little: it is measured again, and if that does not help, the report says so.
 */
import { readFileSync } from 'node:fs';

/** Milliseconds that a core was busy since the boot, or given to others by a hypervisor. */
export const parseBusyMs = (stat: string, core: number): number => {
  const fields = new RegExp(`^cpu${core} (.*)$`, 'm').exec(stat)?.[1]?.trim().split(/\s+/).map(Number);
  if (!fields) throw new Error(`/proc/stat has no core ${core}`);
  // user nice system idle iowait irq softirq steal
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields;
  return (user + nice + system + irq + softirq + steal) * 10;
};

export const busyMsOf = (core: number): number => parseBusyMs(readFileSync('/proc/stat', 'utf8'), core);

/**
 * The share of a core that others took, 0 to 1. Packets that the load generator sends are partly handled on the server's core
 * and accounted to no process: a few hundredths are normal on a machine without other work.
 */
export const foreignShare = (coreBusyMs: number, serverCpuMs: number, elapsedMs: number): number =>
  Math.max(0, (coreBusyMs - serverCpuMs) / elapsedMs);
