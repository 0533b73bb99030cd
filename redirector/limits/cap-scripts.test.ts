import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { afterFile, redisUrl } from '../../deploy/testing/index.ts';
import { setCounter } from '../testing/counter.ts';
import {
  absent,
  busy,
  type CapScripts,
  capped,
  confirmed,
  createCapScripts,
  reserved,
} from './cap-scripts.ts';

const key = 'cap:scripts:1';
let redis: Redis;
let scripts: CapScripts;

beforeEach(async () => {
  if (!redis) {
    redis = createRedis(redisUrl(), { name: 'test', commandTimeoutMs: 2000 }, pino({ level: 'silent' }));
    afterFile(() => redis.disconnect());
    await untilReady(redis);
  }
  await redis.del(key, `${key}:reserved`, `${key}:open`, `${key}:history`);
  await setCounter(redis, key, 0);
  scripts = createCapScripts(redis, { leaseMs: 600_000, openMs: 600_000 });
});

const take = (token: string, max: number, counts = true) => ({ key, token, max, counts });
const reserve = async (token: string, max = 1, counts = true) =>
  (await scripts.reserve([take(token, max, counts)]))[0];
const confirm = async (token: string) => (await scripts.confirm([take(token, 1)]))[0];
const release = async (token: string, back: boolean) => (await scripts.release([{ key, token, back }]))[0];

test('a take whose step is sent twice takes one slot, at every step', async () => {
  expect([await reserve('a', 5), await reserve('a', 5)]).toEqual([reserved, reserved]);
  expect([await confirm('a'), await confirm('a')]).toEqual([1, 1]);
  expect(await reserve('a', 5)).toBe(confirmed);
  expect(await redis.get(key)).toBe('1');
  expect([await release('a', true), await release('a', true)]).toEqual([1, 0]);
  expect(await redis.get(key)).toBe('0');
});

test('a kept slot is not given back later, and a token without a reservation is not confirmed', async () => {
  await reserve('a');
  await confirm('a');
  await release('a', false);
  expect(await release('a', true)).toBe(0);
  expect(await redis.get(key)).toBe('1');
  expect(await confirm('never reserved')).toBe(0);
});

test('the cap is busy while a slot may come back, then it is reached', async () => {
  await reserve('a');
  expect(await reserve('b')).toBe(busy);
  await confirm('a');
  expect(await reserve('b')).toBe(busy);
  await release('a', false);
  expect(await reserve('b')).toBe(capped);
});

test('the reservation of a dead process is freed; the confirmation of a dead process stays taken', async () => {
  const soonOver = createCapScripts(redis, { leaseMs: 50, openMs: 50 });
  await soonOver.reserve([take('died', 1)]);
  await sleep(100);
  expect(await reserve('b')).toBe(reserved);
  expect(await confirm('died')).toBe(0);
  expect(await soonOver.confirm([take('b', 1)])).toEqual([1]);
  await sleep(100);
  expect(await reserve('c')).toBe(capped);
  expect(await redis.get(key)).toBe('1');
});

test('a bot looks and takes nothing', async () => {
  expect(await reserve('bot', 1, false)).toBe(reserved);
  expect(await redis.exists(`${key}:reserved`)).toBe(0);
  await redis.set(key, 1);
  expect(await reserve('bot', 1, false)).toBe(capped);
});

test('a missing counter is neither created nor decremented', async () => {
  await reserve('a');
  await redis.del(key);
  expect([await confirm('a'), await reserve('b')]).toEqual([absent, absent]);
  await redis.set(key, 0);
  expect([await reserve('c', 2), await confirm('c')]).toEqual([reserved, 1]);
  await redis.del(key);
  expect(await release('c', true)).toBe(0);
  expect(await redis.exists(key)).toBe(0);
});

describe('a counter of an earlier history of Redis', () => {
  const endHistory = () => redis.set(`${key}:history`, 'earlier');

  test('is missing, at every step', async () => {
    await reserve('a', 5);
    await endHistory();
    expect([await confirm('a'), await reserve('a', 5), await reserve('b', 5)]).toEqual([
      absent,
      absent,
      absent,
    ]);
    expect(await redis.get(key)).toBe('0');
  });

  test('is restored to the recorded scans, and never to less than it was', async () => {
    await redis.set(key, 7);
    await endHistory();
    expect(await scripts.restore(key, 9, await scripts.history())).toBe(true);
    expect(await redis.get(key)).toBe('9');
    await endHistory();
    expect(await scripts.restore(key, 3, await scripts.history())).toBe(true);
    expect(await redis.get(key)).toBe('9');
  });

  test('loses its tokens: none of them holds a slot or gives one back', async () => {
    for (const token of ['reserved', 'confirmed']) await reserve(token, 5);
    await confirm('confirmed');
    await endHistory();
    await scripts.restore(key, 0, await scripts.history());
    expect(await redis.get(key)).toBe('0');
    expect([await release('confirmed', true), await release('reserved', true)]).toEqual([0, 0]);
    expect(await redis.get(key)).toBe('0');
    expect(await reserve('a', 1)).toBe(reserved);
  });

  test('is not restored by an earlier count, nor twice', async () => {
    await endHistory();
    expect(await scripts.restore(key, 5, 'earlier')).toBe(false);
    expect(await redis.get(key)).toBe('0');
    const history = await scripts.history();
    expect([await scripts.restore(key, 5, history), await scripts.restore(key, 9, history)]).toEqual([
      true,
      true,
    ]);
    expect(await redis.get(key)).toBe('5');
  });
});
