/**
 * The live redirector processes, and the time up to which the scans of each state folder are delivered. The holder of a
 * folder writes its line into one hash twice a second and reads all lines (membership-script.ts). Times are Redis's
 * own, so clocks need not agree.
 *
 * A line whose writer is gone says that the folder may hold undelivered scans. It is waited for until another process
 * writes the line again: the next process in the folder, or the one that sends its scans (recording/orphan-shipper.ts).
 *
 * The lines of dead processes' folders exist only in Redis and in the memory of live processes: each remembers the
 * lines of its last beat. The hash begins again after Redis was emptied, restarted or got another primary, whose copy
 * may be older. A process that sees a new hash writes its remembered lines, with their old times, if the hash has
 * older ones or none, in the same step in which it reads the lines. A line is lost with Redis only if every process
 * that has read it is gone.
 *
 * A memory may be old: the process may hold no folder and so not beat, or Redis may not have answered it for a while.
 * So a removed line leaves its time, which is remembered and written back like a line: older lines do not come back.
 *
 * An older copy of Redis (a backup, a lagging replica) brings older lines. A folder that was emptied meanwhile is then
 * waited for again, until its line is five minutes old, but only if every process that has read its removal is gone.
 */

import { alignedInterval } from '#shared/aligned-interval.ts';
import {
  foldersCompleteAfterMs,
  folderWaitedForMs,
  readFolders,
  scanFoldersKey,
} from '#shared/delivered-scans.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import { createBeatScript } from './membership-script.ts';

/** Default times of {@link MembershipOptions}. */
const defaultEveryMs = 500;
const defaultSilentAfterMs = 5000;
/** The process of an older line is dead. */
const goneAfterMs = 5000;

export interface MembershipOptions {
  /** The hash in Redis. */
  key: string;
  /** How long a folder is waited for if scans were waiting when its line was last written. */
  waitedForMs: number;
  /** How often a process writes its lines. Default: twice a second. */
  everyMs?: number;
  /** How long after a data loss of Redis every live process has written its line again. Default: 3 seconds. */
  completeAfterMs?: number;
  /** How long a process that no longer holds a folder keeps beating, so that others read that. Default: 5 seconds. */
  silentAfterMs?: number;
  /** Called after each beat: whether Redis answered it. */
  onBeat?(answered: boolean): void;
}

/** For scans. If a disk is gone for longer, its scans are missing in caps that are rebuilt meanwhile. */
const ofScans: MembershipOptions = { key: scanFoldersKey, waitedForMs: folderWaitedForMs };

/** The state of a folder. */
export interface FolderLine {
  /** The folder's id. */
  id: string;
  /** Whether a redirecting process holds it; false for a folder that such a process has left. */
  living: boolean;
  /** How long its oldest undelivered scan has waited; 0 if all are delivered. */
  waitedMs: number;
  /**
   * Whether its line stays as it was last written, neither written nor removed: this process no longer holds the folder, and scans
   * wait in it. Another process may hold it by now. Default: false.
   */
  stays?: boolean;
}

export interface MembershipState {
  /** Redis's time. */
  nowMs: number;
  /** Live redirector processes. */
  processes: number;
  /** Every scan answered before this moment, by any process whose folder is not lost, is in ClickHouse. */
  deliveredUntilMs: number;
  /** Whether every live process has had time to write its line. */
  complete: boolean;
}

export interface Membership {
  /**
   * Live redirector processes, as of the last beat; 1 before the first. A process without a folder soon stops beating.
   */
  readonly processes: number;
  /** How long the oldest undelivered scan of any process has waited, as of the last beat. 0 before the first. */
  readonly waitedMs: number;
  /** Writes the lines of this process's folders, and reads all lines. @throws if Redis is down */
  beat(): Promise<MembershipState>;
  /** Removes the lines of folders without waiting scans; the others are waited for. */
  close(): Promise<void>;
}

/** The hash as last read. */
interface Memory {
  /** When it began, and in which history. */
  since: string;
  lines: Map<string, string>;
}

const remember = (fieldsAndLines: string[]): Memory => {
  const lines = new Map<string, string>();
  for (let i = 0; i < fieldsAndLines.length; i += 2) lines.set(fieldsAndLines[i]!, fieldsAndLines[i + 1]!);
  const since = lines.get('since') ?? '';
  lines.delete('since');
  return { since, lines };
};

const parse = ([now, lines]: [string, string[]], completeAfterMs: number): MembershipState => {
  const nowMs = Number(now);
  const { sinceMs = nowMs, deliveredUntilMs, living } = readFolders(lines, nowMs);
  const processes = living.filter(({ atMs }) => atMs >= nowMs - goneAfterMs).length;
  return { nowMs, processes, deliveredUntilMs, complete: nowMs - sinceMs >= completeAfterMs };
};

/** @param lines the current lines of this process's folders */
export const joinMembership = (
  redis: Redis,
  lines: () => FolderLine[],
  logger: Logger,
  options: MembershipOptions = ofScans,
): Membership => {
  const { key, onBeat, everyMs = defaultEveryMs, completeAfterMs = foldersCompleteAfterMs } = options;
  const { silentAfterMs = defaultSilentAfterMs } = options;
  let processes = 1;
  let waitedMs = 0;
  /** Folders whose lines this process may have written, and when it last held them. */
  const heldAtMs = new Map<string, number>();
  let lastLeftMs = Number.NEGATIVE_INFINITY;
  let memory: Memory = { since: '', lines: new Map() };
  const send = createBeatScript(redis, key);

  /** @param leaving whether to count only folders with waiting scans as held */
  const exchange = async (leaving: boolean): Promise<[string, string[]]> => {
    const nowMs = performance.now();
    const all = lines();
    const own = all.filter(({ stays }) => !stays);
    for (const { id } of own) heldAtMs.set(id, nowMs);
    const held = leaving ? own.filter(({ waitedMs }) => waitedMs > 0) : own;
    const kept = new Set([...held, ...all.filter(({ stays }) => stays)].map(({ id }) => id));
    const left = [...heldAtMs].filter(([id]) => !kept.has(id));
    const read = await send({
      forgottenAfterMs: folderWaitedForMs,
      waitedForMs: options.waitedForMs,
      since: memory.since,
      remembered: memory.lines,
      left: left.map(([id, atMs]) => [id, nowMs - atMs]),
      held,
    });
    for (const [id, atMs] of left) if (heldAtMs.get(id) === atMs) heldAtMs.delete(id);
    if (left.length > 0) lastLeftMs = performance.now();
    return read;
  };

  const beat = async (leaving = false): Promise<MembershipState> => {
    const read = await exchange(leaving);
    memory = remember(read[1]);
    const state = parse(read, completeAfterMs);
    processes = state.processes;
    waitedMs = state.nowMs - state.deliveredUntilMs;
    return state;
  };

  /** Beats are most of an idle process's work, so a process with nothing to report does not beat. */
  const isSilent = (): boolean =>
    heldAtMs.size === 0 && lines().length === 0 && performance.now() - lastLeftMs > silentAfterMs;

  let beating: Promise<unknown> = Promise.resolve();
  const stop = alignedInterval(() => {
    if (isSilent()) return;
    beating = beat().then(
      () => onBeat?.(true),
      (error) => {
        onBeat?.(false);
        logger.debug({ err: error }, 'Redis did not take the heartbeat');
      },
    );
  }, everyMs);

  return {
    get processes() {
      return processes;
    },
    get waitedMs() {
      return waitedMs;
    },
    beat: () => beat(),
    async close() {
      stop();
      await beating;
      await beat(true).catch((error) =>
        logger.debug({ err: error }, 'Redis did not remove this process from the membership'),
      );
    },
  };
};
