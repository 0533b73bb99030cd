import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { afterFile, redisUrl, startTestRedis } from '../../deploy/testing/index.ts';
import { eventually } from '../testing/eventually.ts';
import { logger } from '../testing/redirector.ts';
import { type FolderLine, joinMembership, type Membership } from './membership.ts';

const connect = async (url = redisUrl()): Promise<Redis> => {
  const redis = createRedis(url, { name: 'test', commandTimeoutMs: 30_000 }, logger);
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  return redis;
};

let redis: Redis;
beforeEach(async () => {
  redis ??= await connect();
  await redis.flushdb();
});

const joined: Membership[] = [];
afterEach(async () => {
  await Promise.all(joined.splice(0).map((membership) => membership.close()));
});

const join = async (...lines: FolderLine[]) => {
  const own = await connect();
  const membership = joinMembership(own, () => lines, logger);
  joined.push(membership);
  return { membership, lines, kill: () => own.disconnect(), status: () => own.status };
};

const living = (id: string, waitedMs = 0): FolderLine => ({ id, living: true, waitedMs });
const left = (id: string, waitedMs: number): FolderLine => ({ id, living: false, waitedMs });

/** Sets a line back in time, as if the process had been killed then. */
const setBack = async (id: string, byMs: number): Promise<void> => {
  const [atMs = 0, untilMs = 0, alive] = (await redis.hget('redirectors', id))!.split(' ').map(Number);
  await redis.hset('redirectors', id, `${atMs - byMs} ${untilMs - byMs} ${alive}`);
};

/**
 * The folders that are waited for, or whose processes are alive. A removed line counts as delivered until after its
 * time.
 */
const folders = async (from: Redis = redis): Promise<string[]> => {
  const { since: _, ...lines } = await from.hgetall('redirectors');
  const delivered = (line: string) => Number(line.split(' ')[1]) > Number(line.split(' ')[0]);
  return Object.keys(lines)
    .filter((id) => !delivered(lines[id]!))
    .sort();
};

/** Longer than the line of a live process may be old. */
const goneMs = 6000;

test('every process knows the number of processes that joined, except the ones that left or died', async () => {
  const [first, second, third] = await Promise.all(['a', 'b', 'c'].map((id) => join(living(id))));
  await eventually(() => expect(first!.membership.processes).toBe(3));
  await second!.membership.close();
  await eventually(() => expect(first!.membership.processes).toBe(2));
  third!.kill();
  await eventually(() => expect(third!.status()).toBe('end'));
  await setBack('c', goneMs);
  await eventually(() => expect(first!.membership.processes).toBe(1));
});

test('a line that stays is neither written nor removed, whether its process beats or leaves', async () => {
  const one = await join(left('given back', 1_000));
  await one.membership.beat();
  const line = await redis.hget('redirectors', 'given back');
  one.lines[0] = { ...left('given back', 0), stays: true };
  await one.membership.beat();
  expect(await redis.hget('redirectors', 'given back')).toBe(line);
  await one.membership.close();
  expect(await redis.hget('redirectors', 'given back')).toBe(line);
});

test('a process whose clock is ahead of the clock of Redis writes a line that is waited for, and forgotten in time', async () => {
  const ahead = await join(left('unopened', Date.now() + 60_000));
  await ahead.membership.beat();
  const [atMs, untilMs] = (await redis.hget('redirectors', 'unopened'))!.split(' ').map(Number);
  expect(untilMs).toBe(0);
  ahead.kill();
  await redis.hset('redirectors', 'unopened', `${atMs! - 6 * 60_000} 0 0`);
  const other = await join(living('other'));
  await other.membership.beat();
  expect(await folders()).toEqual(['other']);
});

test('a process that holds no folder does not beat, and beats once it holds one', async () => {
  const own = await connect();
  const lines: FolderLine[] = [];
  joined.push(joinMembership(own, () => lines, logger));
  const beat = vi.spyOn(own, 'beatMembership');
  await sleep(1500);
  expect(beat).not.toHaveBeenCalled();
  lines.push(left('a', 0));
  await eventually(async () => expect(await redis.hget('redirectors', 'a')).not.toBeNull());
  expect(beat).toHaveBeenCalled();
});

test('a folder that a process left does not count as a process, and its scans are waited for', async () => {
  const { membership } = await join(living('a'));
  const other = await join(left('b', 60_000));
  await other.membership.beat();
  const state = await membership.beat();
  expect(state.processes).toBe(1);
  expect(state.nowMs - state.deliveredUntilMs).toBeGreaterThanOrEqual(60_000);
});

test('the folder of a killed process is waited for until another process writes its line', async () => {
  const killed = await join(living('b'));
  await killed.membership.beat();
  killed.kill();
  await eventually(() => expect(killed.status()).toBe('end'));
  const { nowMs } = await (await join(living('a'))).membership.beat();
  await setBack('b', goneMs);
  const waiting = await (await join(living('c'))).membership.beat();
  expect(waiting.deliveredUntilMs).toBeLessThanOrEqual(nowMs - goneMs);
  // The next process in the folder has sent all scans of the last one.
  const { membership } = await join(living('b'));
  await Promise.all(joined.map((each) => each.beat().catch(() => undefined)));
  const state = await membership.beat();
  expect(state.deliveredUntilMs).toBeGreaterThan(nowMs);
});

test('a line whose scans wait is kept for as long as they may wait; others are forgotten after five minutes', async () => {
  const own = await connect();
  const hour = 3_600_000;
  const membership = joinMembership(own, () => [living('a')], logger, {
    key: 'redirectors',
    waitedForMs: 24 * hour,
  });
  joined.push(membership);
  const { nowMs } = await membership.beat();
  const lineOf = (ageMs: number, waitedMs: number) => `${nowMs - ageMs} ${nowMs - ageMs - waitedMs} 0`;
  await own.hset('redirectors', {
    waits: lineOf(hour, 1_000),
    'waited too long': lineOf(25 * hour, 1_000),
    'waits for nothing': lineOf(hour, 0),
  });
  await membership.beat();
  expect((await own.hkeys('redirectors')).sort()).toEqual(['a', 'since', 'waits']);
});

test('a folder is no longer waited for once its scans are sent', async () => {
  const killed = await join(living('b'));
  await killed.membership.beat();
  killed.kill();
  const adopter = await join(left('b', 60_000));
  await adopter.membership.beat();
  adopter.lines.length = 0;
  await adopter.membership.beat();
  expect(await folders()).toEqual([]);
});

test('a process that gives back a folder does not remove the line of the process that took it meanwhile', async () => {
  const adopter = await join(left('b', 60_000));
  await adopter.membership.beat();
  adopter.lines.length = 0;
  const next = await join(living('b', 30));
  await next.membership.beat();
  const { processes } = await adopter.membership.beat();
  expect(processes).toBe(1);
});

test('a process that leaves removes its line, unless scans wait in its folder', async () => {
  const [delivered, waiting] = await Promise.all([join(living('a')), join(living('b', 50))]);
  await Promise.all([delivered.membership.beat(), waiting.membership.beat()]);
  await Promise.all([delivered.membership.close(), waiting.membership.close()]);
  expect(await folders()).toEqual(['b']);
});

/** A folder with undelivered scans whose process is dead, and a process that has read its line. */
const survivorOf = async (id: string) => {
  const killed = await join(living(id, 60_000));
  await killed.membership.beat();
  killed.kill();
  const { membership } = await join(living('survivor'));
  await membership.beat();
  return membership;
};

test('a process that has read the line of a folder writes it back after Redis is emptied', async () => {
  const survivor = await survivorOf('b');
  const line = await redis.hget('redirectors', 'b');
  await redis.flushdb();
  const state = await survivor.beat();
  expect(state.nowMs - state.deliveredUntilMs).toBeGreaterThanOrEqual(60_000);
  expect(await redis.hget('redirectors', 'b')).toBe(line);
});

test('a process that starts in an emptied Redis waits for a folder that another process remembers', async () => {
  await survivorOf('b');
  await redis.flushdb();
  const { membership } = await join(living('c'));
  await eventually(async () => expect((await membership.beat()).complete).toBe(true));
  const state = await membership.beat();
  expect(state.nowMs - state.deliveredUntilMs).toBeGreaterThanOrEqual(60_000);
});

test('a remembered line does not replace one that another process has written since', async () => {
  const survivor = await survivorOf('b');
  await redis.flushdb();
  const { membership } = await join(living('b'));
  await membership.beat();
  const state = await survivor.beat();
  expect(state.nowMs - state.deliveredUntilMs).toBeLessThan(30_000);
});

test('the line of a process that left does not come back, even after Redis is emptied', async () => {
  const [stays, leaves] = [await join(living('a')), await join(living('b'))];
  await leaves.membership.beat();
  await stays.membership.beat();
  await leaves.membership.close();
  await stays.membership.beat();
  expect(await folders()).toEqual(['a']);
  await redis.flushdb();
  await stays.membership.beat();
  expect(await folders()).toEqual(['a']);
});

test('a line written and removed within a millisecond stays removed if an older copy of Redis still has it', async () => {
  const { membership } = await join(living('a'));
  await membership.beat();
  const atMs = Date.now() - 1000;
  await redis.hset('redirectors', 'b', `${atMs} 9999999999999 0`);
  await membership.beat();
  // The millisecond in which a hash began distinguishes it from the one before.
  await sleep(5);
  await redis.flushdb();
  await redis.hset('redirectors', 'b', `${atMs} ${atMs - 60_000} 1`);
  await membership.beat();
  expect(await folders()).toEqual(['a']);
});

test('a line that an older copy of Redis lacks is written back, and the hash is not complete at once', async () => {
  const server = await startTestRedis();
  const own = createRedis(server.url, { name: 'test', commandTimeoutMs: 30_000 }, logger);
  afterFile(() => own.disconnect());
  await untilReady(own);
  const membership = joinMembership(own, () => [living('a')], logger);
  joined.push(membership);
  await membership.beat();
  await own.config('SET', 'appendonly', 'no');
  await own.save();
  const [seconds] = await own.time();
  const line = `${Number(seconds) * 1000} ${Number(seconds) * 1000 - 60_000} 1`;
  await own.hset('redirectors', 'b', line);
  await membership.beat();
  await server.kill();
  await server.startAgain();
  await untilReady(own);
  const state = await membership.beat();
  expect(await own.hget('redirectors', 'b')).toBe(line);
  expect(state.complete).toBe(false);
});

describe('a folder left without scans is not waited for again', () => {
  /** Processes with a Redis of their own: two primaries, each with an orphan, and one that redirects. */
  const start = async (everyMs = 50) => {
    const server = await startTestRedis({ durable: true });
    const own = await Promise.all([0, 1, 2].map(() => connect(server.url)));
    const lines = [[left('x', 60_000)], [left('y', 60_000)], [living('w')]];
    const members = own.map((redis, index) => {
      const times = { waitedForMs: 300_000, everyMs, completeAfterMs: 200, silentAfterMs: 200 };
      const membership = joinMembership(redis, () => lines[index]!, logger, { key: 'redirectors', ...times });
      joined.push(membership);
      return membership;
    });
    await Promise.all(members.map((membership) => membership.beat()));
    await Promise.all(members.map((membership) => membership.beat()));
    const startAgain = async (options?: { empty: boolean }): Promise<void> => {
      await server.kill();
      await server.startAgain(options);
      await Promise.all(own.map((redis) => eventually(() => expect(redis.status).toBe('ready'))));
    };
    return { own, lines, members, startAgain };
  };

  const untilSilent = async (of: Redis): Promise<void> => {
    const beat = vi.spyOn(of, 'beatMembership');
    await expect
      .poll(async () => {
        beat.mockClear();
        await sleep(200);
        return beat.mock.calls.length;
      })
      .toBe(0);
    beat.mockRestore();
  };

  /** Waits as a cap does before it is recounted. @returns how long */
  const waitForDelivery = async (membership: Membership): Promise<number> => {
    const { nowMs } = await membership.beat();
    await eventually(async () => {
      const { complete, deliveredUntilMs } = await membership.beat();
      expect(complete && deliveredUntilMs > nowMs).toBe(true);
    });
    return (await membership.beat()).nowMs - nowMs;
  };

  test.each([
    ['keeps its file', [undefined, undefined]],
    ['keeps its file, then loses it, then keeps it', [undefined, { empty: true }, undefined]],
    ['loses its file twice', [{ empty: true }, { empty: true }]],
  ])(
    'if a process that had fallen silent remembers it, and Redis is killed repeatedly and %s',
    async (_, restarts) => {
      const { own, lines, members, startAgain } = await start();
      const [primary, , worker] = members as [Membership, Membership, Membership];
      lines[0]!.length = 0;
      await untilSilent(own[0]!);
      // The other folder is left after that: the primary remembers its old line.
      lines[1]!.length = 0;
      await eventually(async () => expect(await folders(own[2])).toEqual(['w']));
      await untilSilent(own[1]!);
      for (const restart of restarts) {
        await startAgain(restart);
        expect(await waitForDelivery(worker)).toBeLessThan(30_000);
        // The primary searches for folders, as it does once a minute.
        await primary.beat();
        await worker.beat();
        expect(await folders(own[2])).toEqual(['w']);
      }
    },
  );

  test.each(['before', 'after'])('if its line is written back %s it is removed', async (order) => {
    const { own, lines, members } = await start(60_000);
    const [owner, late, last] = members as [Membership, Membership, Membership];
    await own[0]!.flushdb();
    if (order === 'before') await late.beat();
    lines[0]!.length = 0;
    await owner.beat();
    await late.beat();
    await last.beat();
    expect(await folders(own[0])).toEqual(['w', 'y']);
    await own[0]!.flushdb();
    await last.beat();
    await late.beat();
    expect(await folders(own[0])).toEqual(['w', 'y']);
  });

  test('if Redis was down while its last scans were sent', async () => {
    const { own, lines, members } = await start(60_000);
    lines[2]!.length = 0;
    // The redirecting process is killed, and its folder is taken by a process that Redis does not answer.
    lines[0]!.push(left('w', 60_000));
    own[0]!.disconnect();
    await eventually(() => expect(own[0]!.status).toBe('end'));
    await expect(members[0]!.beat()).rejects.toThrow();
    lines[0]!.splice(1);
    await own[0]!.connect();
    await members[0]!.beat();
    expect(await folders(own[0])).toEqual(['x', 'y']);
  });

  test('if a killed start had announced it, and the next start sent its scans before searching', async () => {
    const killed = await join(left('b left', 60_000));
    await killed.membership.beat();
    killed.kill();
    await (await join(living('b'))).membership.beat();
    expect(await folders()).toEqual(['b']);
  });
});

test('a Redis clock that was set back stops nothing: times in the future become now', async () => {
  const { membership } = await join(living('a'));
  const { nowMs } = await membership.beat();
  const history = (await redis.hget('redirectors', 'since'))!.split(' ')[1];
  await redis.hset('redirectors', 'since', `${nowMs + 3_600_000} ${history}`);
  await redis.hset('redirectors', 'b', `${nowMs + 3_600_000} ${nowMs + 3_540_000} 1`);
  const state = await membership.beat();
  // A beat of the process itself may have set the line to its time before this one.
  expect(state.nowMs - state.deliveredUntilMs).toBeGreaterThanOrEqual(60_000);
  expect(state.nowMs - state.deliveredUntilMs).toBeLessThan(120_000);
  await eventually(async () => expect((await membership.beat()).complete).toBe(true));
});
