/**
 * The redirector processes that are alive, and up to when the scans of each state folder are delivered. The holder of a
 * folder writes its line into one hash twice a second and reads all lines (membership-script.ts). Times are Redis's own, so that
 * clocks need not agree.
 *
 * A line whose writer is gone says that the folder may hold scans that are not delivered. It is waited for until another
 * process writes the line again: the next one in the folder, or the one that sends its scans (recording/orphan-shipper.ts).
 *
 * The lines of folders whose process is gone are nowhere but in Redis and in the memory of living processes: each remembers the
 * lines that it read in its last beat. The hash is begun anew when Redis was emptied, was started again or has another primary,
 * whose copy may be older. A process that sees it writes those that it remembers, with their old times, over earlier ones and where
 * there are none, in the same step in which it reads them. Only if no process that has read a line is left is it lost with Redis.
 *
 * A memory may be old: that of a process which holds no folder and does not beat, or which Redis did not answer for a while. So
 * a line that is removed leaves its time, which is remembered and written back as lines are: what was there before does not come back.
 *
 * An older copy of Redis (a backup, a replica that lagged) brings older lines. A folder that was emptied meanwhile is waited
 * for again only if no process that has read its removal is left, until its line is five minutes old.
 */

import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import { createBeatScript } from './membership-script.ts';

/** Default times of {@link MembershipOptions}. */
const defaultEveryMs = 500;
const defaultCompleteAfterMs = 3000;
const defaultSilentAfterMs = 5000;
/** The process of an older line is gone. */
const goneAfterMs = 5000;
/** How long a folder whose process is gone is waited for. Then its disk is taken to be lost, and its scans with it. */
const waitedForMs = 5 * 60_000;

export interface MembershipOptions {
  /** The hash in Redis. */
  key: string;
  /** How long a folder is waited for in which scans were waiting when its line was last written. */
  waitedForMs: number;
  /** How often a process writes its lines. Default: twice a second. */
  everyMs?: number;
  /** Within this time after Redis has lost its data every living process has written its line again. Default: 3 seconds. */
  completeAfterMs?: number;
  /** For how long a process that holds no folder any more still beats, so that others have read that. Default: 5 seconds. */
  silentAfterMs?: number;
  /** Told of each beat whether Redis has answered it. */
  onBeat?(answered: boolean): void;
}

/** Of scans: those of a disk that is away for longer are missing in the caps that are rebuilt meanwhile. */
const ofScans: MembershipOptions = { key: 'redirectors', waitedForMs };

/** The state of a folder. */
export interface FolderLine {
  /** The folder's id. */
  id: string;
  /** Whether a process that redirects holds it; false for a folder that such a process has left. */
  living: boolean;
  /** How long its oldest scan that is not delivered has waited; 0 without one. */
  waitedMs: number;
}

export interface MembershipState {
  /** Redis's time. */
  nowMs: number;
  /** Redirector processes that are alive. */
  processes: number;
  /** Every scan answered before this moment, by any process whose folder is not lost, is in ClickHouse. */
  deliveredUntilMs: number;
  /** Whether every living process has had time to write its line. */
  complete: boolean;
}

export interface Membership {
  /** Living redirector processes, as of the last beat; 1 before the first. A process that holds no folder soon beats no longer. */
  readonly processes: number;
  /** As of the last beat: how long a scan has waited that is not delivered, of any process. 0 before the first. */
  readonly waitedMs: number;
  /** Writes the lines of the folders that this process holds, and reads all. @throws when Redis is away */
  beat(): Promise<MembershipState>;
  /** Removes the lines of folders where no scan waits; the others are waited for. */
  close(): Promise<void>;
}

/** The hash as it was read last. */
interface Memory {
  /** When it was begun, and in which history. */
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
  let sinceMs = nowMs;
  let deliveredUntilMs = nowMs;
  let processes = 0;
  for (let i = 0; i < lines.length; i += 2) {
    const [atMs = 0, untilMs = 0, living] = lines[i + 1]!.split(' ').map(Number);
    if (lines[i] === 'since') sinceMs = atMs;
    else {
      if (living === 1 && atMs >= nowMs - goneAfterMs) processes++;
      deliveredUntilMs = Math.min(deliveredUntilMs, untilMs);
    }
  }
  return { nowMs, processes, deliveredUntilMs, complete: nowMs - sinceMs >= completeAfterMs };
};

/** @param lines of the folders that this process holds, as they are now */
export const joinMembership = (
  redis: Redis,
  lines: () => FolderLine[],
  logger: Logger,
  options: MembershipOptions = ofScans,
): Membership => {
  const { key, onBeat, everyMs = defaultEveryMs, completeAfterMs = defaultCompleteAfterMs } = options;
  const { silentAfterMs = defaultSilentAfterMs } = options;
  let processes = 1;
  let waitedMs = 0;
  /** Folders whose lines this process may have written, and when it held them last. */
  const heldAtMs = new Map<string, number>();
  let lastLeftMs = Number.NEGATIVE_INFINITY;
  let memory: Memory = { since: '', lines: new Map() };
  const send = createBeatScript(redis, key);

  /** @param leaving whether the process holds only folders where scans wait */
  const exchange = async (leaving: boolean): Promise<[string, string[]]> => {
    const nowMs = performance.now();
    const all = lines();
    for (const { id } of all) heldAtMs.set(id, nowMs);
    const held = leaving ? all.filter(({ waitedMs }) => waitedMs > 0) : all;
    const heldIds = new Set(held.map(({ id }) => id));
    const left = [...heldAtMs].filter(([id]) => !heldIds.has(id));
    const read = await send({
      forgottenAfterMs: waitedForMs,
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

  /** Beats are most of what an idle process does: one that has nothing to say does not ask either. */
  const isSilent = (): boolean =>
    heldAtMs.size === 0 && lines().length === 0 && performance.now() - lastLeftMs > silentAfterMs;

  let beating: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    if (isSilent()) return;
    beating = beat().then(
      () => onBeat?.(true),
      (error) => {
        onBeat?.(false);
        logger.debug({ err: error }, 'redis did not take the heartbeat');
      },
    );
  }, everyMs);
  timer.unref();

  return {
    get processes() {
      return processes;
    },
    get waitedMs() {
      return waitedMs;
    },
    beat: () => beat(),
    async close() {
      clearInterval(timer);
      await beating;
      await beat(true).catch((error) =>
        logger.debug({ err: error }, 'Redis did not remove this process from the membership'),
      );
    },
  };
};
