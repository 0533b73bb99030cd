import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type CodeRecord,
  codeRecord,
  recordFormat,
  recordLengthMax,
  recordStream,
  serializeRecord,
} from '#schemas/code-record.ts';
import { fullRecord, sampleRecord } from '#schemas/testing/sample-record.ts';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { afterFile, redisUrl } from '../../deploy/testing/index.ts';
import { eventually } from '../testing/eventually.ts';
import { type ChangeStream, followChanges } from './change-stream.ts';

const logger = pino({ level: 'silent' });
let publisher: Redis;

const connect = (name: string): Redis => createRedis(redisUrl(), { name, commandTimeoutMs: 30_000 }, logger);

beforeEach(async () => {
  if (!publisher) {
    publisher = connect('publisher');
    afterFile(() => publisher.disconnect());
    await untilReady(publisher);
  }
  await publisher.del(recordStream);
});

const followed: ChangeStream[] = [];
/** What the followers of codes and of documents were called with, but for changes. */
let calls: { codes: string[]; documents: string[] }[] = [];

afterEach(async () => {
  // Otherwise it would read, and write, in the stream of the next test.
  await Promise.all(followed.splice(0).map((changes) => changes.close()));
  const all = calls;
  calls = [];
  for (const { codes, documents } of all) expect(documents).toEqual(codes);
});

const listTo = (list: string[]) => ({
  enterTimeline: (timeline: number) => void list.push(`timeline ${timeline}`),
  invalidateAll: () => void list.push('all are due'),
  follow: () => void list.push('followed'),
  unfollow: () => void list.push('not followed'),
});

const recordOf = (version: number): CodeRecord => sampleRecord({ id: 'a', version });

const publish = (version: number, trimTo = 1000): Promise<unknown> => {
  const record = recordOf(version);
  return publisher.xadd(recordStream, 'MAXLEN', '=', trimTo, '*', 'record', serializeRecord(record));
};

const cutOff = async (redis: Redis): Promise<void> => {
  redis.disconnect();
  await eventually(() => expect(redis.status).toBe('end'));
};

const follow = async () => {
  const seen: number[] = [];
  const invalidated: string[] = [];
  const timelines: number[] = [];
  const follows: ({ sinceMs: number; untilMs: number } | 'not')[] = [];
  let allInvalidated = 0;
  const called = { codes: [], documents: [] };
  calls.push(called);
  const ofCodes = listTo(called.codes);
  const redis = connect('follower');
  const changes = followChanges(
    redis,
    {
      apply: ({ version }) => seen.push(version),
      invalidate: (id) => invalidated.push(id),
      enterTimeline(timeline) {
        ofCodes.enterTimeline(timeline);
        timelines.push(timeline);
      },
      invalidateAll() {
        ofCodes.invalidateAll();
        allInvalidated++;
      },
      follow(sinceMs, untilMs) {
        ofCodes.follow();
        follows.push({ sinceMs, untilMs });
      },
      unfollow() {
        ofCodes.unfollow();
        follows.push('not');
      },
    },
    logger,
    [{ ...listTo(called.documents), applyDocument() {} }],
  );
  followed.push(changes);
  await eventually(() => expect(changes.statistics.following).toBe(true));
  return { seen, invalidated, timelines, follows, changes, redis, allInvalidated: () => allInvalidated };
};

test('changes arrive in their order', async () => {
  const { seen, allInvalidated } = await follow();
  for (let version = 1; version <= 50; version++) await publish(version);
  await eventually(() => expect(seen).toHaveLength(50));
  expect(seen).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  expect(allInvalidated()).toBe(0);
});

test('a dropped connection replays what it missed', async () => {
  const { seen, redis, allInvalidated } = await follow();
  await publish(1);
  await eventually(() => expect(seen).toEqual([1]));
  await cutOff(redis);
  await publish(2);
  await publish(3);
  await redis.connect();
  await eventually(() => expect(seen).toEqual([1, 2, 3]));
  expect(allInvalidated()).toBe(0);
});

test('the stream is followed once everything in it is read, and no longer once it is cut', async () => {
  const beforeMs = performance.now();
  const { seen, follows, redis } = await follow();
  await publish(1);
  await eventually(() => expect(follows.length).toBeGreaterThan(1));
  expect(follows).not.toContain('not');
  const [first, second] = follows as { sinceMs: number; untilMs: number }[];
  expect(first!.sinceMs).toBeGreaterThanOrEqual(beforeMs);
  expect(first!.untilMs).toBeGreaterThanOrEqual(first!.sinceMs);
  expect(second).toEqual({ sinceMs: first!.sinceMs, untilMs: expect.any(Number) });
  await cutOff(redis);
  await eventually(() => expect(follows.at(-1)).toBe('not'));
  follows.length = 0;
  // More than one read brings.
  for (let version = 2; version <= 600; version++) void publish(version);
  await publish(601);
  let seenWhenFollowed = 0;
  follows.push = (one) => {
    if (one !== 'not') seenWhenFollowed ||= seen.length;
    return 0;
  };
  await redis.connect();
  await eventually(() => expect(seenWhenFollowed).toBe(601));
});

test('a connection that is cut for a moment is followed from the same moment; one that lost the stream, from a later one', async () => {
  const { follows, redis } = await follow();
  await eventually(() => expect(follows.length).toBeGreaterThan(0));
  const { sinceMs } = follows[0] as { sinceMs: number };
  const since = () => follows.flatMap((one) => (one === 'not' ? [] : one.sinceMs)).at(-1);
  await cutOff(redis);
  follows.length = 0;
  await redis.connect();
  await eventually(() => expect(since()).toBe(sinceMs));
  await cutOff(redis);
  await publisher.del(recordStream);
  await redis.connect();
  await eventually(() => expect(since()).toBeGreaterThan(sinceMs));
});

test('a stream that was trimmed past the last entry seen invalidates every held record', async () => {
  const { seen, changes, redis, allInvalidated } = await follow();
  await publish(1);
  await eventually(() => expect(seen).toEqual([1]));
  await cutOff(redis);
  await eventually(() => expect(changes.statistics.following).toBe(false));
  for (let version = 2; version <= 9; version++) await publish(version, 3);
  await redis.connect();
  await eventually(() => expect(allInvalidated()).toBe(1));
  // An entry that comes before it is followed again belongs to the gap.
  await eventually(() => expect(changes.statistics.following).toBe(true));
  await publish(10);
  await eventually(() => expect(seen.at(-1)).toBe(10));
});

test('a stream that was lost invalidates every held record', async () => {
  const { seen, changes, redis, allInvalidated } = await follow();
  await publish(1);
  await eventually(() => expect(seen).toEqual([1]));
  await cutOff(redis);
  await eventually(() => expect(changes.statistics.following).toBe(false));
  await publisher.del(recordStream);
  await redis.connect();
  await eventually(() => expect(allInvalidated()).toBe(1));
  await eventually(() => expect(changes.statistics.following).toBe(true));
  await publish(2);
  await eventually(() => expect(seen).toEqual([1, 2]));
});

test('a stream that is trimmed past the last entry seen while it is followed invalidates every held record', async () => {
  const { seen, redis, allInvalidated } = await follow();
  await publish(1);
  await eventually(() => expect(seen).toEqual([1]));
  // One transaction: the follower's read is answered after it, and its connection stays.
  const lost = publisher.multi();
  for (let version = 2; version <= 9; version++)
    lost.xadd(recordStream, 'MAXLEN', '=', 3, '*', 'record', serializeRecord(recordOf(version)));
  await lost.exec();
  await eventually(() => expect(seen.at(-1)).toBe(9));
  expect(seen).not.toContain(2);
  await eventually(() => expect(allInvalidated()).toBe(1));
  expect(redis.status).toBe('ready');
  await publish(10, 3);
  await eventually(() => expect(seen.at(-1)).toBe(10));
  expect(allInvalidated()).toBe(1);
});

const announce = (...fields: string[]) => publisher.xadd(recordStream, '*', ...fields);

test('an entry that cannot be read costs itself: it is counted, and those after it arrive', async () => {
  const { seen, changes, allInvalidated } = await follow();
  const odd: string[][] = [
    ['record', ''],
    ['record', 'not a record'],
    ['record', '1 '],
    ['record', '1 {'],
    ['record', '1 null'],
    ['record', '1 []'],
    ['record', '99999999999999999999 {}'],
    ['record', serializeRecord({ ...fullRecord, version: 8 }).replace('8 ', '9 ')],
    ['record', `1 ${'['.repeat(100_000)}`],
    ...Object.keys(fullRecord).flatMap((field) =>
      [{}, [[]], 1.5, 'x', false, null]
        .map((wrong) => ({ ...fullRecord, [field]: wrong }))
        .filter((record) => !codeRecord.safeParse(record).success)
        .map((record) => ['record', `7 ${JSON.stringify(record)}`]),
    ),
  ];
  expect(odd.length).toBeGreaterThan(4 * Object.keys(fullRecord).length);
  for (const [index, fields] of odd.entries()) {
    await announce(...fields);
    await publish(index + 1);
  }
  await eventually(() => expect(seen).toHaveLength(odd.length));
  expect(changes.statistics.unreadable).toBe(odd.length);
  expect(changes.statistics.following).toBe(true);
  expect(allInvalidated()).toBe(0);
});

test('a record of a huge length is not parsed, and the next one arrives', async () => {
  const { seen, changes } = await follow();
  const huge = { ...recordOf(1), destination: 'x'.repeat(recordLengthMax) };
  await announce('record', serializeRecord(huge));
  await publish(2);
  await eventually(() => expect(seen).toEqual([2]));
  expect(changes.statistics.unreadable).toBe(1);
});

test('entries without a record, or with fields of a later release, are passed over', async () => {
  const { seen, changes } = await follow();
  await announce('follower', 'started');
  await announce('later', 'field', 'record', serializeRecord(recordOf(2)), 'id', 'a', 'more', '');
  await announce('timeline', 'none');
  // A value with the name of a field.
  await announce('note', 'record', 'other', 'x');
  await publish(3);
  await eventually(() => expect(seen).toEqual([2, 3]));
  expect(changes.statistics.unreadable).toBe(0);
});

test('a record of a later format invalidates its code, whether the entry names it or the record does', async () => {
  const { seen, invalidated, changes } = await follow();
  const later = `5 ${recordFormat + 1} {"id":"named-within","more":true}`;
  await announce('record', later, 'id', 'named-by-the-entry');
  await announce('record', later);
  await announce('record', `5 ${recordFormat + 1} {"no":"id"}`);
  await publish(2);
  await eventually(() => expect(seen).toEqual([2]));
  expect(invalidated).toEqual(['named-by-the-entry', 'named-within']);
  expect(changes.statistics.unreadable).toBe(3);
});

test('a new timeline is passed on', async () => {
  const { timelines } = await follow();
  await announce('timeline', '29000000');
  await eventually(() => expect(timelines).toEqual([29_000_000]));
});

test('close ends the read', async () => {
  const { seen, changes } = await follow();
  await changes.close();
  await publish(1);
  await sleep(50);
  expect(seen).toEqual([]);
});
