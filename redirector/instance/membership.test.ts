import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { afterFile, redisUrl, startTestRedis } from '../../deploy/testing/index.ts';
import { eventually } from '../testing/eventually.ts';
import { logger } from '../testing/redirector.ts';
import { type FolderLine, joinMembership, type Membership } from './membership.ts';

const connect = async (): Promise<Redis> => {
  const redis = createRedis(redisUrl(), { name: 'test', commandTimeoutMs: 30_000 }, logger);
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

/** Longer than a line counts as that of a living process. */
const goneMs = 6000;

test('every process knows the number of processes: those that joined, without those that left and those that are gone', async () => {
  const [first, second, third] = await Promise.all(['a', 'b', 'c'].map((id) => join(living(id))));
  await eventually(() => expect(first!.membership.processes).toBe(3));
  await second!.membership.close();
  await eventually(() => expect(first!.membership.processes).toBe(2));
  third!.kill();
  await eventually(() => expect(third!.status()).toBe('end'));
  await setBack('c', goneMs);
  await eventually(() => expect(first!.membership.processes).toBe(1));
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

test('a folder that a process left is no process, and its scans are waited for', async () => {
  const { membership } = await join(living('a'));
  const other = await join(left('b', 60_000));
  await other.membership.beat();
  const state = await membership.beat();
  expect(state.processes).toBe(1);
  expect(state.nowMs - state.deliveredUntilMs).toBeGreaterThanOrEqual(60_000);
});

test('the folder of a process that was killed is waited for until another process writes its line', async () => {
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

test('a folder whose scans are sent is waited for no longer', async () => {
  const killed = await join(living('b'));
  await killed.membership.beat();
  killed.kill();
  const adopter = await join(left('b', 60_000));
  await adopter.membership.beat();
  adopter.lines.length = 0;
  await adopter.membership.beat();
  expect(Object.keys(await redis.hgetall('redirectors'))).toEqual(['since']);
});

test('a process that is done with a folder does not remove the line of the process that has taken it meanwhile', async () => {
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
  expect(Object.keys(await redis.hgetall('redirectors')).sort()).toEqual(['b', 'since']);
});

/** A folder with undelivered scans whose process is gone, and a process that has read its line. */
const survivorOf = async (id: string) => {
  const killed = await join(living(id, 60_000));
  await killed.membership.beat();
  killed.kill();
  const { membership } = await join(living('survivor'));
  await membership.beat();
  return membership;
};

test('a process that has read the line of a folder writes it back once Redis is emptied', async () => {
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

test('a line that another process has written since is not replaced by a remembered one', async () => {
  const survivor = await survivorOf('b');
  await redis.flushdb();
  const { membership } = await join(living('b'));
  await membership.beat();
  const state = await survivor.beat();
  expect(state.nowMs - state.deliveredUntilMs).toBeLessThan(30_000);
});

test('the line of a process that has left does not come back, also once Redis is emptied', async () => {
  const [stays, leaves] = [await join(living('a')), await join(living('b'))];
  await leaves.membership.beat();
  await stays.membership.beat();
  await leaves.membership.close();
  await stays.membership.beat();
  expect(await redis.hexists('redirectors', 'b')).toBe(0);
  await redis.flushdb();
  await stays.membership.beat();
  expect(Object.keys(await redis.hgetall('redirectors')).sort()).toEqual(['a', 'since']);
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

test('a clock of Redis that was set back stops nothing: what is later than now is now', async () => {
  const { membership } = await join(living('a'));
  const { nowMs } = await membership.beat();
  const history = (await redis.hget('redirectors', 'since'))!.split(' ')[1];
  await redis.hset('redirectors', 'since', `${nowMs + 3_600_000} ${history}`);
  await redis.hset('redirectors', 'b', `${nowMs + 3_600_000} ${nowMs + 3_540_000} 1`);
  const state = await membership.beat();
  // A beat of the process's own may have set the line to its time before this one.
  expect(state.nowMs - state.deliveredUntilMs).toBeGreaterThanOrEqual(60_000);
  expect(state.nowMs - state.deliveredUntilMs).toBeLessThan(120_000);
  await eventually(async () => expect((await membership.beat()).complete).toBe(true));
});
