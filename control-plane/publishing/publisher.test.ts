/** What is in Redis and on the change stream after publishes in any order, in a real Redis. */
import { Redis } from 'ioredis';
import { afterAll, describe, expect, test } from 'vitest';
import { timelineKey, versionOn } from '#schemas/code-record.ts';
import { createLogger } from '#shared/logger.ts';
import { redisUrl } from '../../deploy/testing/index.ts';
import { createCodeKind } from '../features/codes/publishing.ts';
import { gs1DocumentSource } from '../features/gs1/documents.ts';
import { createPool } from '../platform/db/pool.ts';
import { toPublishedKind } from './documents.ts';
import type { VersionedText } from './kind.ts';
import { createPublisher } from './publisher.ts';
import { announcedVersions } from './testing/subjects.ts';

const redis = new Redis(redisUrl());
const other = new Redis(redisUrl());
// Nothing is read here.
const pool = createPool('postgres://127.0.0.1:1/none', 'test', createLogger('test', 'silent'));
afterAll(async () => {
  redis.disconnect();
  other.disconnect();
  await pool.end();
});

const textOf = (version: number, id: string): VersionedText => ({
  id,
  version,
  recordVersion: version,
  text: `${version} ${JSON.stringify({ id, version })}`,
});

const kinds = [
  { noun: 'code', kind: createCodeKind(pool) },
  { noun: 'GS1 document', kind: toPublishedKind(pool, gs1DocumentSource) },
];

describe.each(kinds)('the text of a $noun in Redis', ({ kind }) => {
  const at = createPublisher(redis);
  const publish = (version: number, id: string) => at.publish(kind, textOf(version, id));
  const fill = (version: number, id: string) => at.fill(kind, [textOf(version, id)]);
  const confirm = (version: number, id: string) => at.confirm(kind, textOf(version, id));
  const held = (id: string) => redis.get(kind.keyOf(id));
  const announced = (id: string) => announcedVersions(redis, kind.field, id);

  test('is replaced by a newer version and never by an older one; only the newer is announced', async () => {
    await publish(2, 'order');
    await publish(1, 'order');
    expect(await held('order')).toBe(textOf(2, 'order').text);
    await publish(10, 'order');
    await publish(9, 'order');
    expect(await held('order')).toBe(textOf(10, 'order').text);
    expect(await announced('order')).toEqual([2, 10]);
  });

  test('is the newest one after concurrent publishes in any order', async () => {
    const publishers = [at, createPublisher(other)];
    const versions = Array.from({ length: 300 }, (_, n) => ((n * 101) % 300) + 1);
    await Promise.all(
      versions.map((version, n) => publishers[n % 2]!.publish(kind, textOf(version, 'race'))),
    );
    expect(await held('race')).toBe(textOf(300, 'race').text);
  });

  test('of the same version is announced again: it may be held because it was looked up', async () => {
    await fill(3, 'filled');
    expect(await announced('filled')).toEqual([]);
    await publish(3, 'filled');
    expect(await announced('filled')).toEqual([3]);
  });

  test('that was looked up does not replace a newer one either', async () => {
    await publish(5, 'looked-up');
    await fill(4, 'looked-up');
    expect(await held('looked-up')).toBe(textOf(5, 'looked-up').text);
  });

  test('in the format of a later release is not replaced by the same version in this one, but by a newer one', async () => {
    const later = `3 ${kind.format + 1} {"id":"later"}`;
    await redis.set(kind.keyOf('later'), later);
    await fill(3, 'later');
    await publish(3, 'later');
    expect(await held('later')).toBe(later);
    await publish(4, 'later');
    expect(await held('later')).toBe(textOf(4, 'later').text);
  });

  test('that is confirmed is written over an older one, and nowhere else', async () => {
    expect(await confirm(3, 'confirmed')).toBe(false);
    expect(await held('confirmed')).toBeNull();
    await publish(2, 'confirmed');
    expect(await confirm(3, 'confirmed')).toBe(true);
    expect(await confirm(3, 'confirmed')).toBe(false);
    expect(await confirm(2, 'confirmed')).toBe(false);
    expect(await announced('confirmed')).toEqual([2, 3]);
  });

  test('of an earlier timeline is not written once a later one has begun; of the later one, over any version', async () => {
    await publish(900, 'timeline');
    await redis.set(timelineKey, 5);
    await expect(publish(901, 'timeline')).rejects.toThrow('later timeline');
    await fill(902, 'timeline');
    expect(await held('timeline')).toBe(textOf(900, 'timeline').text);
    await publish(versionOn(5, 1), 'timeline');
    expect(await held('timeline')).toBe(textOf(versionOn(5, 1), 'timeline').text);
    await redis.del(timelineKey);
  });

  test('replaces any other value', async () => {
    await redis.set(kind.keyOf('junk'), 'junk');
    await publish(1, 'junk');
    expect(await held('junk')).toBe(textOf(1, 'junk').text);
  });

  test('lives an hour, give or take a tenth', async () => {
    const ttls = [];
    for (const random of [0, 0.5, 0.999]) {
      await createPublisher(redis, () => random).publish(kind, textOf(1, `ttl${random}`));
      ttls.push(await redis.ttl(kind.keyOf(`ttl${random}`)));
    }
    expect(ttls[0]).toBeCloseTo(3240, -1);
    expect(ttls[1]).toBeCloseTo(3600, -1);
    expect(ttls[2]).toBeCloseTo(3960, -1);
  });

  test('lives as long as its kind says', async () => {
    const longer = { ...kind, keptSeconds: 86_400 };
    await createPublisher(redis, () => 0.5).publish(longer, textOf(1, 'kept'));
    expect(await redis.ttl(kind.keyOf('kept'))).toBeCloseTo(86_400, -1);
  });

  test('that is new begins its counters at 0, and leaves existing ones', async () => {
    const counters = [`cap:${kind.name}:1`];
    await at.publishNew(kind, { ...textOf(1, 'new'), counters });
    expect(await redis.mget(counters)).toEqual(['0']);
    await redis.incr(counters[0]!);
    await at.publishNew(kind, { ...textOf(1, 'new'), counters });
    await at.publish(kind, { ...textOf(2, 'new'), counters: [`cap:${kind.name}:2`] });
    expect(await redis.mget(...counters, `cap:${kind.name}:2`)).toEqual(['1', null]);
    expect(await announced('new')).toEqual([1, 1, 2]);
  });
});
