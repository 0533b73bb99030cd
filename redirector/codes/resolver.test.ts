import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type CodeRecord, UnreadableRecordError, versionOn } from '#schemas/code-record.ts';
import { sampleRecord } from '#schemas/testing/sample-record.ts';
import { limitSource } from '../held/limited-source.ts';
import type { Source } from '../held/source.ts';
import { UnresolvedError } from '../held/store.ts';
import { eventually } from '../testing/eventually.ts';
import { createResolver, type ResolverOptions } from './resolver.ts';
import { resolverOptions } from './testing/resolver-options.ts';

const record = (id: string, version = 1): CodeRecord =>
  sampleRecord({ id, version, destination: `https://example.com/${id}/${version}` });

/** A source with records of its own, which can be away or slow, and which tells what it was asked. */
const createStore = (name: string) => {
  const records = new Map<string, CodeRecord>();
  const questions: string[][] = [];
  const unreadable = new Set<string>();
  const store = { records, questions, unreadable, away: false, delayMs: 0, timeline: 0 };
  const source: Source<CodeRecord> = {
    name,
    async fetch(ids) {
      questions.push(ids);
      const found = ids.flatMap((id) => records.get(id) ?? []);
      if (store.delayMs > 0) await sleep(store.delayMs);
      if (store.away) throw new Error(`${name} is away`);
      return {
        records: new Map(found.map((one) => [one.id, one])),
        unreadable: ids
          .filter((id) => unreadable.has(id))
          .map((id) => new UnreadableRecordError('odd', id === 'nameless' ? undefined : id)),
        timeline: store.timeline,
      };
    },
  };
  return Object.assign(store, { source });
};

const setUp = (options: Partial<ResolverOptions> = {}, genuine: (id: string) => boolean = () => true) => {
  const cache = createStore('redis');
  const truth = createStore('control-plane');
  const clock = { ms: 1_000_000 };
  const lines: { msg: string }[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const resolver = createResolver(
    { ...resolverOptions, ...options },
    [cache.source, truth.source],
    genuine,
    logger,
    () => clock.ms,
  );
  return { cache, truth, clock, resolver, held: resolver.held, lines };
};

test('all ids of an iteration are one question, and one id is one flight', async () => {
  const { cache, truth, resolver, held } = setUp();
  for (const id of ['a', 'b', 'c']) cache.records.set(id, record(id));
  const loads = await Promise.all(['a', 'b', 'a', 'c', 'b'].map((id) => resolver.load(id)));
  expect(loads.map((found) => found?.id)).toEqual(['a', 'b', 'a', 'c', 'b']);
  expect(cache.questions).toEqual([['a', 'b', 'c']]);
  expect(truth.questions).toEqual([]);
  expect(held('a')).toMatchObject(record('a'));
});

test('an id that is not in the cache is asked of the truth; one that is in neither is absent for a while', async () => {
  const { cache, truth, clock, resolver, held } = setUp();
  cache.records.set('a', record('a'));
  truth.records.set('b', record('b'));
  expect(await Promise.all(['a', 'b', 'x'].map((id) => resolver.load(id)))).toMatchObject([
    record('a'),
    record('b'),
    null,
  ]);
  expect(truth.questions).toEqual([['b', 'x']]);
  expect(held('x')).toBeNull();
  clock.ms += 5000;
  expect(held('x')).toBeUndefined();
});

test('with the cache away the truth answers; with both away nothing is called absent', async () => {
  const { cache, truth, resolver, held } = setUp();
  truth.records.set('a', record('a'));
  cache.away = true;
  expect(await resolver.load('a')).toMatchObject(record('a'));
  truth.away = true;
  await expect(resolver.load('b')).rejects.toThrow(UnresolvedError);
  expect(held('b')).toBeUndefined();
});

test('a held record is revalidated in the background once it is no longer fresh', async () => {
  const { cache, clock, resolver, held } = setUp();
  cache.records.set('a', record('a', 1));
  await resolver.load('a');
  cache.records.set('a', record('a', 2));
  clock.ms += 9999;
  held('a');
  await sleep(5);
  expect(cache.questions).toHaveLength(1);
  clock.ms += 1;
  expect(held('a')).toMatchObject(record('a', 1));
  await eventually(() => expect(held('a')).toMatchObject(record('a', 2)));
  expect(cache.questions).toHaveLength(2);
});

test('past the bound a held record is revalidated before it is served, and served all the same if no source answers', async () => {
  const { cache, truth, clock, resolver, held } = setUp();
  cache.records.set('a', record('a', 1));
  await resolver.load('a');
  clock.ms += 60_000;
  expect(held('a')).toBeUndefined();
  cache.away = true;
  truth.away = true;
  expect(await resolver.load('a')).toMatchObject(record('a', 1));
  // For a second no scan waits for sources that are away.
  expect(held('a')).toMatchObject(record('a', 1));
  clock.ms += 1000;
  expect(held('a')).toMatchObject(record('a', 1));
  cache.away = false;
  cache.records.set('a', record('a', 2));
  expect(await resolver.load('a')).toMatchObject(record('a', 2));
});

test('once changes may have been missed, every record is revalidated with the truth before it is served, if it answers', async () => {
  const { cache, truth, clock, resolver, held } = setUp();
  cache.records.set('a', record('a', 1));
  await resolver.load('a');
  resolver.invalidateAll();
  expect(held('a')).toBeUndefined();
  truth.away = true;
  expect(await resolver.load('a')).toMatchObject(record('a', 1));
  // For a second no scan waits for a truth that is away.
  expect(held('a')).toMatchObject(record('a', 1));
  clock.ms += 2000;
  expect(held('a')).toMatchObject(record('a', 1));
  truth.away = false;
  // The cache itself may have missed a change.
  truth.records.set('a', record('a', 2));
  expect(await resolver.load('a')).toMatchObject(record('a', 2));
  expect(cache.questions).toHaveLength(1);
  clock.ms += 1;
  expect(held('a')).toMatchObject(record('a', 2));
});

test('a record of which the truth has a later version is asked of the truth alone until the truth has answered', async () => {
  const { cache, truth, clock, resolver, held } = setUp();
  cache.records.set('a', record('a', 1));
  truth.records.set('a', record('a', 2));
  await resolver.load('a');
  truth.away = true;
  await resolver.correct('a', 2);
  truth.away = false;
  // The change stream has the same as the cache.
  resolver.apply(record('a', 1));
  clock.ms += 2000;
  held('a') ?? (await resolver.load('a'));
  await eventually(() => expect(held('a')).toMatchObject(record('a', 2)));
  expect(cache.questions).toHaveLength(1);
});

test('a later version that is found while no further flight can start is asked of the truth by the next scan', async () => {
  const { cache, truth, resolver, held } = setUp({ loadingMax: 1 });
  cache.records.set('a', record('a', 1));
  truth.records.set('a', record('a', 2));
  await resolver.load('a');
  cache.delayMs = 10;
  const other = resolver.load('b');
  await resolver.correct('a', 2);
  await other;
  expect(held('a')).toBeUndefined();
  expect(await resolver.load('a')).toMatchObject(record('a', 2));
  expect(cache.questions).toEqual([['a'], ['b']]);
});

test('a mismatch found while a flight to Redis is under way is still asked of the truth', async () => {
  const { cache, truth, clock, resolver, held } = setUp();
  cache.records.set('a', record('a', 1));
  await resolver.load('a');
  truth.records.set('a', record('a', 2));
  cache.delayMs = 20;
  clock.ms += 60_000;
  const underWay = resolver.load('a');
  await nextIteration();
  expect(cache.questions).toHaveLength(2);
  await resolver.correct('a', 2);
  expect(await underWay).toMatchObject(record('a', 1));
  expect(truth.questions).toEqual([['a']]);
  expect(held('a')).toMatchObject(record('a', 2));
});

test('a truth that is not asked, because too many unknown ids are, stays known to be away', async () => {
  const { cache, truth, clock } = setUp();
  let places = 1;
  const limited = limitSource(truth.source, () => places-- > 0);
  const resolver = createResolver(
    resolverOptions,
    [cache.source, limited],
    () => true,
    pino({ level: 'silent' }),
    () => clock.ms,
  );
  truth.away = true;
  await expect(resolver.load('a')).rejects.toThrow(UnresolvedError);
  await expect(resolver.load('b')).rejects.toThrow(UnresolvedError);
  expect([limited.refused, resolver.statistics.truthAway]).toEqual([1, true]);
});

test('once the truth has not answered a lookup, due records are served at once and revalidated behind, until it answers', async () => {
  const { truth, clock, resolver, held } = setUp();
  for (const id of ['a', 'b']) truth.records.set(id, record(id, 1));
  await Promise.all(['a', 'b'].map((id) => resolver.load(id)));
  clock.ms += 1;
  resolver.invalidateAll();
  expect(held('a')).toBeUndefined();
  truth.away = true;
  expect(await resolver.load('a')).toMatchObject(record('a', 1));
  expect(resolver.statistics.truthAway).toBe(true);
  // No other scan waits, neither for the same record after its pause nor for another one.
  clock.ms += 2000;
  expect(held('a')).toMatchObject(record('a', 1));
  expect(held('b')).toMatchObject(record('b', 1));
  await eventually(() => expect(truth.questions.at(-1)).toEqual(['a', 'b']));
  truth.away = false;
  truth.records.set('a', record('a', 2));
  clock.ms += 2000;
  expect(held('a')).toMatchObject(record('a', 1));
  await eventually(() => expect(held('a')).toMatchObject(record('a', 2)));
  expect(resolver.statistics.truthAway).toBe(false);
  expect(held('b')).toBeUndefined();
});

test('once changes may have been missed, no code is known to be absent any more', async () => {
  const { truth, resolver, held } = setUp();
  expect(await resolver.load('a')).toBeNull();
  expect(held('a')).toBeNull();
  truth.records.set('a', record('a'));
  resolver.invalidateAll();
  expect(held('a')).toBeUndefined();
  expect(await resolver.load('a')).toMatchObject(record('a'));
});

test('a record that cannot be read is asked of the truth, and costs no other id of its batch anything', async () => {
  const { cache, truth, resolver } = setUp();
  cache.unreadable.add('a');
  cache.records.set('b', record('b'));
  truth.records.set('a', record('a', 3));
  expect(await Promise.all(['a', 'b'].map((id) => resolver.load(id)))).toMatchObject([
    record('a', 3),
    record('b'),
  ]);
  expect(truth.questions).toEqual([['a']]);
  expect(resolver.statistics.unreadable).toEqual({ redis: 1, 'control-plane': 0 });
});

test('a record that no source can read is unavailable, or served as it is held, and never called absent', async () => {
  const { cache, truth, clock, resolver, held } = setUp();
  cache.records.set('held', record('held'));
  await resolver.load('held');
  clock.ms += 60_000;
  cache.records.clear();
  for (const id of ['odd', 'held']) truth.unreadable.add(id);
  const [odd, kept, absent] = await Promise.allSettled(
    ['odd', 'held', 'absent'].map((id) => resolver.load(id)),
  );
  expect(odd).toMatchObject({ status: 'rejected', reason: expect.any(UnresolvedError) });
  expect(kept).toMatchObject({ value: record('held') });
  expect(absent).toEqual({ status: 'fulfilled', value: null });
  expect(held('odd')).toBeUndefined();
});

test('where an unreadable record does not name its code, no id of the batch is called absent', async () => {
  const { truth, resolver } = setUp();
  truth.unreadable.add('nameless');
  truth.records.set('b', record('b'));
  const [nameless, found, other] = await Promise.allSettled(
    ['nameless', 'b', 'other'].map((id) => resolver.load(id)),
  );
  expect(found).toMatchObject({ value: record('b') });
  for (const one of [nameless, other])
    expect(one).toMatchObject({ status: 'rejected', reason: expect.any(UnresolvedError) });
});

test('an invalidated record is revalidated before it is served, also where it was just being read', async () => {
  const { cache, resolver, held } = setUp();
  cache.records.set('a', record('a', 1));
  await resolver.load('a');
  resolver.invalidate('a');
  expect(held('a')).toBeUndefined();
  cache.delayMs = 10;
  const loading = resolver.load('a');
  await sleep(5);
  resolver.invalidate('a');
  expect(await loading).toMatchObject(record('a', 1));
  expect(held('a')).toBeUndefined();
});

test('on a later timeline a lower version wins, and what a cache has of an earlier one is asked of the truth', async () => {
  const { cache, truth, clock, resolver, held } = setUp();
  cache.records.set('a', record('a', 7));
  cache.records.set('b', record('b', 9));
  await Promise.all(['a', 'b'].map((id) => resolver.load(id)));
  // The database was restored to what it was before.
  const restored = { ...record('a', versionOn(1, 3)), destination: 'https://example.com/restored' };
  truth.records.set('a', restored);
  cache.timeline = 1;
  cache.records.set('c', record('c', 5));
  truth.records.set('c', record('c', versionOn(1, 2)));
  // Every answer of Redis tells of it.
  expect(await resolver.load('c')).toMatchObject({ version: versionOn(1, 2) });
  expect(held('a')).toBeUndefined();
  clock.ms += 1;
  expect(await resolver.load('a')).toMatchObject(restored);
  // Created after the moment to which the database was restored: it does not exist any more.
  expect(await resolver.load('b')).toBeNull();
  expect(resolver.timeline).toBe(1);
  // A late announcement of the old timeline.
  resolver.apply(record('a', 8));
  expect(held('a')).toMatchObject(restored);
});

test('an announcement on a later timeline invalidates every record of the earlier one', async () => {
  const { cache, truth, resolver, held } = setUp();
  for (const id of ['a', 'b']) cache.records.set(id, record(id, 4));
  await Promise.all(['a', 'b'].map((id) => resolver.load(id)));
  truth.records.set('b', record('b', versionOn(1, 2)));
  resolver.apply(record('a', versionOn(1, 3)));
  expect(held('b')).toBeUndefined();
  expect(await resolver.load('b')).toMatchObject({ version: versionOn(1, 2) });
});

test('a record of a snapshot is revalidated before it is served, and served all the same if no source answers', async () => {
  const { cache, truth, clock, resolver, held } = setUp();
  resolver.restore([record('a', 1), record('b', 1)]);
  expect(resolver.size).toBe(2);
  expect(held('a')).toBeUndefined();
  cache.away = true;
  truth.away = true;
  expect(await resolver.load('a')).toMatchObject(record('a', 1));
  clock.ms += 2000;
  cache.away = false;
  cache.records.set('a', record('a', 2));
  expect(held('a')).toMatchObject(record('a', 1));
  expect(await resolver.load('a')).toMatchObject(record('a', 2));
  // A code that was deleted meanwhile is not served from the snapshot, once the truth is known to answer again.
  truth.away = false;
  expect(held('b')).toMatchObject(record('b', 1));
  expect(await resolver.load('b')).toBeNull();
  expect(held('b')).toBeNull();
});

test('other contents under the version that is held win when they are announced, or the truth has them, and the log says so', async () => {
  const { cache, truth, clock, resolver, held, lines } = setUp();
  for (const id of ['a', 'b', 'c']) cache.records.set(id, record(id, 7));
  await Promise.all(['a', 'b', 'c'].map((id) => resolver.load(id)));
  const rewritten = (id: string) => ({
    ...record(id, 7),
    destination: 'https://example.com/after-the-restore',
  });
  resolver.apply(rewritten('a'));
  expect(held('a')).toMatchObject(rewritten('a'));
  truth.records.set('b', rewritten('b'));
  truth.records.set('c', record('c', 7));
  resolver.invalidateAll();
  clock.ms += 1;
  await Promise.all(['b', 'c'].map((id) => resolver.load(id)));
  expect(held('b')).toMatchObject(rewritten('b'));
  expect(held('c')).toMatchObject(record('c', 7));
  expect(lines).toEqual(
    ['a', 'b'].map((code) =>
      expect.objectContaining({ code, msg: expect.stringContaining('admin republish') }),
    ),
  );
});

test('a change that arrives while an older version is being read wins', async () => {
  const { cache, resolver, held } = setUp();
  cache.records.set('a', record('a', 1));
  cache.delayMs = 10;
  const loading = resolver.load('a');
  await sleep(5);
  resolver.apply(record('a', 2));
  expect(await loading).toMatchObject(record('a', 2));
  expect(held('a')).toMatchObject(record('a', 2));
});

test('a change that arrives while a newer version is being read does not take its place', async () => {
  const { cache, resolver, held } = setUp();
  cache.records.set('a', record('a', 5));
  cache.delayMs = 10;
  const loading = resolver.load('a');
  await sleep(5);
  resolver.apply(record('a', 3));
  expect(await loading).toMatchObject(record('a', 5));
  expect(held('a')).toMatchObject(record('a', 5));
});

test('a source that is behind does not take a held record back to an older version', async () => {
  const { cache, clock, resolver, held } = setUp();
  cache.records.set('a', record('a', 2));
  await resolver.load('a');
  cache.records.set('a', record('a', 1));
  clock.ms += 10_000;
  held('a');
  await eventually(() => expect(cache.questions).toHaveLength(2));
  expect(held('a')).toMatchObject(record('a', 2));
});

test('an older version that is announced again makes the held one no fresher', async () => {
  const { cache, clock, resolver, held } = setUp();
  cache.records.set('a', record('a', 2));
  await resolver.load('a');
  clock.ms += 10_000;
  resolver.apply(record('a', 1));
  expect(held('a')).toMatchObject(record('a', 2));
  await eventually(() => expect(cache.questions).toHaveLength(2));
});

test('a code that is created while its absence is being read, or held, is found', async () => {
  const { truth, resolver, held } = setUp();
  truth.delayMs = 10;
  const loading = resolver.load('a');
  await sleep(5);
  resolver.apply(record('a'));
  expect(await loading).toMatchObject(record('a'));
  expect(await resolver.load('b')).toBeNull();
  resolver.apply(record('b'));
  expect(held('b')).toBeUndefined();
});

test('a flood of invented ids is looked up at a bounded rate, and is never called absent unasked', async () => {
  const { cache, truth, clock, resolver } = setUp({ slowLanePerSecond: 2 }, (id) => id.startsWith('real'));
  truth.records.set('lost-key', record('lost-key'));
  const flood = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => resolver.load(`fake${i}`)));
  expect(flood.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(cache.questions.flat()).toHaveLength(2);
  expect(resolver.statistics.slowLaneRefused).toBe(48);
  expect(await resolver.load('real1')).toBeNull();
  clock.ms += 1000;
  expect(await resolver.load('lost-key')).toMatchObject(record('lost-key'));
});

test('invented ids do not displace held codes', async () => {
  const { cache, resolver, held } = setUp({ codesMax: 3, absentMax: 2 });
  for (const id of ['a', 'b', 'c']) cache.records.set(id, record(id));
  await Promise.all(['a', 'b', 'c'].map((id) => resolver.load(id)));
  for (let i = 0; i < 20; i++) await resolver.load(`x${i}`);
  expect(['a', 'b', 'c'].map((id) => held(id)?.id)).toEqual(['a', 'b', 'c']);
});

test('the number of ids that wait for a source is bounded', async () => {
  const { cache, truth, resolver } = setUp({ loadingMax: 5 });
  cache.delayMs = 20;
  truth.delayMs = 1;
  const loads = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => resolver.load(`a${i}`)));
  expect(loads.filter(({ status }) => status === 'rejected')).toHaveLength(3);
});

test('whatever the order of loads, changes and failures, the version that is served never goes back', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('change' as const), publish: fc.boolean(), push: fc.boolean() }),
    fc.record({ kind: fc.constant('scan' as const) }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 5000, 20_000, 100_000) }),
    fc.record({ kind: fc.constant('outage' as const), cache: fc.boolean(), truth: fc.boolean() }),
    fc.record({ kind: fc.constant('invalidate' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { cache, truth, clock, resolver, held } = setUp();
      let version = 1;
      let served = 0;
      truth.records.set('a', record('a', version));
      for (const one of steps) {
        if (one.kind === 'change') {
          truth.records.set('a', record('a', ++version));
          if (one.publish) cache.records.set('a', record('a', version));
          if (one.push) resolver.apply(record('a', version));
        } else if (one.kind === 'wait') clock.ms += one.ms;
        else if (one.kind === 'outage')
          Object.assign(cache, { away: one.cache }) && Object.assign(truth, { away: one.truth });
        else if (one.kind === 'invalidate') resolver.invalidateAll();
        else {
          const found = held('a') ?? (await resolver.load('a').catch(() => undefined));
          if (found) {
            expect(found.version).toBeGreaterThanOrEqual(served);
            served = found.version;
          }
        }
      }
    }),
  );
});

test('a record for which there is no room is served, and not held', async () => {
  const { cache, resolver, held } = setUp({ objectBytesMax: 1000 });
  const large = { ...record('a'), destination: `https://example.com/${'x'.repeat(2000)}` };
  cache.records.set('a', large);
  expect(await resolver.load('a')).toEqual(large);
  expect(held('a')).toBeUndefined();
  expect(resolver).toMatchObject({ size: 0, objectBytes: 0 });
  cache.records.set('a', record('a', 2));
  expect(await resolver.load('a')).toMatchObject(record('a', 2));
  expect(held('a')).toMatchObject(record('a', 2));
  resolver.apply({ ...large, version: 3 });
  expect(held('a')).toBeUndefined();
});
