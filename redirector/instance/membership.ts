/**
 * The redirector processes that are alive, and up to when the scans of each state folder are delivered. The holder of a
 * folder writes its line into one hash twice a second and reads all lines. Times are Redis's own, so that clocks need
 * not agree.
 *
 * A line whose writer is gone says that the folder may hold scans that are not delivered. It is waited for until another
 * process writes the line again: the next one in the folder, or the one that sends its scans (recording/orphan-shipper.ts).
 *
 * The lines of folders whose process is gone are nowhere but in Redis and in the memory of living processes: each remembers the
 * lines that it read in its last beat. The hash is begun anew when Redis was emptied, was started again or has another primary,
 * whose copy may be older. A process that sees it writes the remembered lines that are absent back, with their old times, before
 * it believes what it reads. A line that its owner removes meanwhile from a hash that goes on is removed from the memory as well.
 * Only where no process that has read a line is left is it lost with Redis.
 *
 * An older copy of Redis (a backup, a replica that lagged) brings older lines. A folder that was emptied meanwhile is waited
 * for again, until its line is five minutes old.
 */

import type { Result } from 'ioredis';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';

/** Default times of {@link MembershipOptions}. */
const defaultEveryMs = 500;
const defaultCompleteAfterMs = 3000;
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

// KEYS: the hash. ARGV: ms after which a line is forgotten, and one of a folder where scans waited; the number of folders that were left and are empty now, and
// their ids; then for each folder its id, whether a process lives in it (1 or 0), and the ms its oldest scan has waited.
// The field `since` is when the hash was begun, and the history of Redis (its replication id) in which it was. It is begun anew in
// another history, and where it is later than now: the clock was set back. So are then the lines that are later than now.
// Returns the time and every line: when, delivered until, living.
const beatScript = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local history = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)') or ''
local since, of = string.match(redis.call('HGET', KEYS[1], 'since') or '', '^(%d+) #(%w*)$')
if of ~= history or tonumber(since) > now then redis.call('HSET', KEYS[1], 'since', now .. ' #' .. history) end
local done = tonumber(ARGV[3])
for i = 4, 3 + done do
  local line = redis.call('HGET', KEYS[1], ARGV[i])
  if line and string.sub(line, -2) == ' 0' then redis.call('HDEL', KEYS[1], ARGV[i]) end
end
for i = 4 + done, #ARGV, 3 do
  redis.call('HSET', KEYS[1], ARGV[i], now .. ' ' .. (now - ARGV[i + 2]) .. ' ' .. ARGV[i + 1])
end
local lines = redis.call('HGETALL', KEYS[1])
local kept = {}
for i = 1, #lines, 2 do
  local at, untilMs, living = string.match(lines[i + 1], '^(%d+) (%d+) (%d)$')
  at, untilMs = tonumber(at or now), tonumber(untilMs or now)
  if at > now then
    at, untilMs = now, untilMs - (at - now)
    lines[i + 1] = at .. ' ' .. untilMs .. ' ' .. living
    redis.call('HSET', KEYS[1], lines[i], lines[i + 1])
  end
  if at < now - (untilMs < at and ARGV[2] or ARGV[1]) then redis.call('HDEL', KEYS[1], lines[i])
  else
    kept[#kept + 1] = lines[i]
    kept[#kept + 1] = lines[i + 1]
  end
end
return {tostring(now), kept}`;

// KEYS: the hash. ARGV: the fields of lines and the lines.
const writeBackScript = `
for i = 1, #ARGV, 2 do redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[i + 1]) end`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    beatMembership(
      keyCount: number,
      key: string,
      forgottenAfterMs: number,
      waitedForMs: number,
      ...foldersAndLines: (string | number)[]
    ): Result<[string, string[]], Context>;
    writeBackMembership(keyCount: number, key: string, ...fieldsAndLines: string[]): Result<null, Context>;
  }
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
  /** Living redirector processes, as of the last beat; 1 before the first. A process that holds no folder does not beat. */
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
  let processes = 1;
  let waitedMs = 0;
  /** Folders that this process wrote lines for and that may still have one. */
  let announced = new Set<string>();
  /** Undefined before the first beat. */
  let memory: Memory | undefined;
  redis.defineCommand('beatMembership', { lua: beatScript });
  redis.defineCommand('writeBackMembership', { lua: writeBackScript });

  /** Writes the own lines, and reads all. */
  const exchange = async (): Promise<[string, string[]]> => {
    const now = lines();
    const held = new Set(now.map(({ id }) => id));
    const done = [...announced].filter((id) => !held.has(id));
    announced = new Set([...announced, ...held]);
    const fields = now.flatMap(({ id, living, waitedMs }) => [id, living ? 1 : 0, Math.ceil(waitedMs)]);
    const read = await redis.beatMembership(
      1,
      key,
      waitedForMs,
      options.waitedForMs,
      done.length,
      ...done,
      ...fields,
    );
    announced = held;
    return read;
  };

  const beat = async (): Promise<MembershipState> => {
    const known = memory;
    const others = [...(known?.lines ?? [])].filter(([id]) => !announced.has(id)).flat();
    let since = known?.since;
    let read = await exchange();
    let now = remember(read[1]);
    // Again where Redis has lost the lines once more in between.
    while (since !== undefined && since !== now.since) {
      since = now.since;
      if (others.length > 0) await redis.writeBackMembership(1, key, ...others);
      read = await exchange();
      now = remember(read[1]);
    }
    memory = now;
    const state = parse(read, completeAfterMs);
    processes = state.processes;
    waitedMs = state.nowMs - state.deliveredUntilMs;
    return state;
  };

  const leave = async (): Promise<void> => {
    await beat();
    const delivered = lines().filter(({ waitedMs }) => waitedMs === 0);
    if (delivered.length > 0) await redis.hdel(key, ...delivered.map(({ id }) => id));
  };

  let beating: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // Beats are most of what an idle process does: one that has nothing to say does not ask either.
    if (announced.size === 0 && lines().length === 0) return;
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
    beat,
    async close() {
      clearInterval(timer);
      await beating;
      await leave().catch((error) =>
        logger.debug({ err: error }, 'Redis did not remove this process from the membership'),
      );
    },
  };
};
