/** The cores' time while something runs: the server's, that of what works behind it, and that of others. */
import os from 'node:os';
import { cpuMsBetween, readCpu } from './cpu-time.ts';
import { serverCore } from './pinning.ts';
import { busyMsOf, foreignShare } from './quiet.ts';

export interface CoreUse {
  elapsedMs: number;
  /** CPU of the server and its children. */
  serverMs: number;
  /** CPU of what works behind it. */
  behindMs: number;
  /** The share of the watched cores that others took, 0 to 1. */
  foreignShare: number;
}

const allCores = os.cpus().map((_, core) => core);

interface Watched {
  serverPid: number;
  /** The processes whose time is not that of others, the server's aside. */
  ownPids: readonly number[];
  cores: readonly number[];
}

const watch = ({ serverPid, ownPids, cores }: Watched) => {
  const read = () => ({
    atMs: performance.now(),
    server: readCpu([serverPid]),
    own: readCpu(ownPids),
    busyMs: cores.reduce((sum, core) => sum + busyMsOf(core), 0),
  });
  const before = read();
  return () => {
    const after = read();
    return {
      elapsedMs: after.atMs - before.atMs,
      serverMs: cpuMsBetween(before.server, after.server),
      ownMs: cpuMsBetween(before.own, after.own),
      busyMs: after.busyMs - before.busyMs,
    };
  };
};

/**
 * Watches a server that has all cores. Everything behind it is a child of this command: PostgreSQL, Redis, ClickHouse, and this
 * command itself.
 * @returns a function that ends the watch
 */
export const watchAllCores = (serverPid: number): (() => CoreUse) => {
  const end = watch({ serverPid, ownPids: [process.pid], cores: allCores });
  return () => {
    const { elapsedMs, serverMs, ownMs, busyMs } = end();
    const foreign = foreignShare(busyMs, ownMs, elapsedMs * allCores.length);
    return { elapsedMs, serverMs, behindMs: ownMs - serverMs, foreignShare: foreign };
  };
};

/**
 * Watches a server that has the server's core for itself, and the process behind it on another core.
 * @returns a function that ends the watch
 */
export const watchServerCore = (serverPid: number, behindPid: number): (() => CoreUse) => {
  const end = watch({ serverPid, ownPids: [behindPid], cores: [serverCore] });
  return () => {
    const { elapsedMs, serverMs, ownMs, busyMs } = end();
    return { elapsedMs, serverMs, behindMs: ownMs, foreignShare: foreignShare(busyMs, serverMs, elapsedMs) };
  };
};
