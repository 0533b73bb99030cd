import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeEach, expect, test, vi } from 'vitest';
import { type CodeRecord, recordStream, serializeRecord } from '#schemas/code-record.ts';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { afterFile, redisUrl } from '../deploy/testing/index.ts';
import { followChanges } from './invalidation.ts';

const logger = pino({ level: 'silent' });
let publisher: Redis;

const connect = (name: string): Redis => createRedis(redisUrl(), { name, commandTimeoutMs: 3000 }, logger);

beforeEach(async () => {
  publisher ??= connect('publisher');
  afterFile(() => publisher.disconnect());
  await untilReady(publisher);
  await publisher.del(recordStream);
});

const publish = (version: number, trimTo = 1000): Promise<unknown> => {
  const record: CodeRecord = {
    id: 'a',
    workspaceId: 'w',
    version,
    active: true,
    destination: 'https://example.com/',
  };
  return publisher.xadd(recordStream, 'MAXLEN', '=', trimTo, '*', 'record', serializeRecord(record));
};

const cutOff = async (redis: Redis): Promise<void> => {
  redis.disconnect();
  await vi.waitFor(() => expect(redis.status).toBe('end'));
};

const follow = async () => {
  const seen: number[] = [];
  let distrusted = 0;
  const redis = connect('follower');
  const changes = followChanges(
    redis,
    { apply: ({ version }) => seen.push(version), distrust: () => distrusted++ },
    logger,
  );
  afterFile(() => changes.close());
  await vi.waitFor(() => expect(changes.statistics.following).toBe(true));
  return { seen, changes, redis, distrusted: () => distrusted };
};

test('changes arrive in their order', async () => {
  const { seen, distrusted } = await follow();
  for (let version = 1; version <= 50; version++) await publish(version);
  await vi.waitFor(() => expect(seen).toHaveLength(50));
  expect(seen).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  expect(distrusted()).toBe(0);
});

test('a dropped connection replays what it missed', async () => {
  const { seen, redis, distrusted } = await follow();
  await publish(1);
  await vi.waitFor(() => expect(seen).toEqual([1]));
  await cutOff(redis);
  await publish(2);
  await publish(3);
  await redis.connect();
  await vi.waitFor(() => expect(seen).toEqual([1, 2, 3]));
  expect(distrusted()).toBe(0);
});

test('a stream that was trimmed past the last entry seen makes everything distrusted', async () => {
  const { seen, redis, distrusted } = await follow();
  await publish(1);
  await vi.waitFor(() => expect(seen).toEqual([1]));
  await cutOff(redis);
  for (let version = 2; version <= 9; version++) await publish(version, 3);
  await redis.connect();
  await vi.waitFor(() => expect(distrusted()).toBe(1));
  await publish(10);
  await vi.waitFor(() => expect(seen.at(-1)).toBe(10));
});

test('a stream that was lost makes everything distrusted', async () => {
  const { seen, redis, distrusted } = await follow();
  await publish(1);
  await vi.waitFor(() => expect(seen).toEqual([1]));
  await cutOff(redis);
  await publisher.del(recordStream);
  await redis.connect();
  await vi.waitFor(() => expect(distrusted()).toBe(1));
  await publish(2);
  await vi.waitFor(() => expect(seen).toEqual([1, 2]));
});

test('close ends the reading', async () => {
  const { seen, changes } = await follow();
  await changes.close();
  await publish(1);
  await sleep(50);
  expect(seen).toEqual([]);
});
