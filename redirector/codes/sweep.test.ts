import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type CodeRecord, timelineOf, versionOn } from '#schemas/code-record.ts';
import { sampleRecord } from '#schemas/testing/sample-record.ts';
import { afterFile } from '../../deploy/testing/local.ts';
import type { Source } from '../held/source.ts';
import { eventually } from '../testing/eventually.ts';
import { createResolver } from './resolver.ts';
import { startSweep } from './sweep.ts';
import { type AskVersions, NoVersionsError, RefusedVersionsError, versionsMax } from './version-source.ts';

const record = (id: string, version = 1): CodeRecord =>
  sampleRecord({ id, version, destination: `https://example.com/${id}/${version}` });

/** A source that counts what it is asked for. */
const createStore = (name: string) => {
  const store = { records: new Map<string, CodeRecord>(), asked: [] as string[], away: false };
  const source: Source<CodeRecord> = {
    name,
    async fetch(ids) {
      store.asked.push(...ids);
      if (store.away) throw new Error(`${name} is away`);
      const found = ids.flatMap((id) => store.records.get(id) ?? []);
      return { records: new Map(found.map((one) => [one.id, one])), unreadable: [], timeline: 0 };
    },
  };
  return Object.assign(store, { source });
};

/** A bound that no test comes near, however busy the machine is. */
const hourMs = 3_600_000;

/** @param staleMaxMs the bound of the records that are held */
const setUp = (staleMaxMs = hourMs, codesMax = 10_000) => {
  const lines: { msg: string }[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const clock = { offsetMs: 0 };
  const [cache, truth] = [createStore('redis'), createStore('control-plane')];
  const options = {
    codesMax,
    objectBytesMax: 2 ** 20,
    absentMax: 100,
    absentMs: hourMs,
    freshMs: 10_000,
    staleMaxMs,
  };
  const resolver = createResolver(
    { ...options, loadingMax: 5000, slowLanePerSecond: 2 },
    [cache.source, truth.source],
    () => true,
    logger,
    () => performance.now() + clock.offsetMs,
  );
  const questions: { ids: readonly string[]; atMs: number }[] = [];
  const versions: { answer: AskVersions } = {
    async answer(ids) {
      if (truth.away) throw new Error('away');
      const found = ids.split(',').map((id) => truth.records.get(id)?.version ?? 0);
      return { timeline: timelineOf(Math.max(0, ...found)), versions: found };
    },
  };
  /** @param boundMs that of the sweep, which may be a shorter one */
  const start = (boundMs = staleMaxMs) => {
    const ask: AskVersions = (ids, count) => {
      questions.push({ ids: ids.split(','), atMs: performance.now() });
      return versions.answer(ids, count);
    };
    const sweep = startSweep(boundMs, resolver, ask, logger);
    afterFile(() => sweep.close());
    return sweep;
  };
  /** Both sources have it, and it is held. */
  const hold = async (...records: CodeRecord[]) => {
    for (const one of records) {
      cache.records.set(one.id, one);
      truth.records.set(one.id, one);
    }
    await Promise.all(records.map(({ id }) => resolver.load(id)));
    cache.asked.length = 0;
    truth.asked.length = 0;
  };
  const { held } = resolver;
  return { clock, resolver, cache, truth, questions, versions, start, hold, held, lines };
};

test('everything held is compared within the bound, and nothing that is equal is looked up', async () => {
  const codes = 5000;
  const { clock, resolver, cache, truth, questions, start, hold } = setUp();
  const ids = Array.from({ length: codes }, (_, n) => `code${n}`);
  await hold(...ids.map((id) => record(id)));
  const boundMs = 1000;
  const sweep = start(boundMs);
  clock.offsetMs = 0.6 * hourMs;
  // A lap may be under way: the next one has all of them.
  const { checked } = sweep.statistics;
  await eventually(() => expect(sweep.statistics.checked).toBeGreaterThanOrEqual(checked + 3 * codes));
  clock.offsetMs = 1.2 * hourMs;
  // They were never scanned, and were loaded longer ago than the bound: a scan needs no source either.
  expect(ids.filter((id) => resolver.held(id) === undefined)).toEqual([]);
  const times = new Map<string, number[]>();
  for (const question of questions) {
    expect(question.ids.length).toBeLessThanOrEqual(versionsMax);
    for (const id of question.ids) times.set(id, [...(times.get(id) ?? []), question.atMs]);
  }
  expect([...times.keys()].sort()).toEqual(ids.sort());
  // A machine that is busy makes a lap late, and the one after it short: not all of them are.
  const pauses = times.get('code0')!.flatMap((atMs, n, all) => (n === 0 ? [] : atMs - all[n - 1]!));
  expect(Math.min(...pauses)).toBeLessThan(boundMs);
  expect(sweep.statistics.mismatches).toEqual({ later: 0, absent: 0, earlier: 0 });
  expect(cache.asked).toEqual([]);
  expect(truth.asked).toEqual([]);
});

test('a record of which the truth alone has a later version is revalidated with the truth, unasked', async () => {
  const { cache, truth, start, hold, held } = setUp();
  await hold(record('a'), record('b'));
  const sweep = start(400);
  truth.records.set('a', record('a', 2));
  await eventually(() => expect(held('a')).toMatchObject(record('a', 2)));
  expect(held('b')).toMatchObject(record('b'));
  expect(sweep.statistics.mismatches).toEqual({ later: 1, absent: 0, earlier: 0 });
  // The cache has an older one, and would confirm that.
  expect(cache.asked).toEqual([]);
  expect(truth.asked).toEqual(['a']);
});

test('a code that the truth does not have any more is absent', async () => {
  const { cache, truth, start, hold, held } = setUp();
  await hold(record('a'));
  truth.records.delete('a');
  start(400);
  await eventually(() => expect(held('a')).toBeNull());
  expect(cache.asked).toEqual([]);
});

test('an earlier version than the one that is held does not win, and the log names admin republish', async () => {
  const { truth, start, hold, held, lines } = setUp();
  await hold(record('a', 5), record('b', 5));
  for (const id of ['a', 'b']) truth.records.set(id, record(id, 4));
  const sweep = start(400);
  await eventually(() => expect(sweep.statistics.mismatches.earlier).toBeGreaterThan(4));
  expect(held('a')).toMatchObject(record('a', 5));
  expect(truth.asked).toEqual([]);
  expect(lines.map(({ msg }) => msg)).toEqual([expect.stringContaining('admin republish')]);
});

test('on a later timeline every record is replaced in the background', async () => {
  const { truth, start, hold, held, resolver } = setUp();
  await hold(...Array.from({ length: 50 }, (_, n) => record(`code${n}`, 7)));
  for (const id of truth.records.keys()) truth.records.set(id, record(id, versionOn(3, 2)));
  start();
  expect(truth.asked).toEqual([]);
  resolver.enterTimeline(3);
  await eventually(() => {
    for (const id of truth.records.keys()) expect(held(id)).toMatchObject({ version: versionOn(3, 2) });
  });
});

test('after a gap everything held is checked once in the background, the most recently scanned first', async () => {
  const { clock, resolver, questions, start, hold, held } = setUp();
  const ids = Array.from({ length: 3000 }, (_, n) => `code${n}`);
  clock.offsetMs = -10_000;
  await hold(...ids.map((id) => record(id)));
  clock.offsetMs = 0;
  const scanned = ids.filter((_, n) => n % 100 === 99);
  for (const id of scanned) held(id);
  const sweep = start();
  await sleep(100);
  expect(sweep.statistics.checked).toBe(0);
  resolver.invalidateAll();
  expect(held(scanned[0]!)).toBeUndefined();
  await eventually(() => expect(sweep.statistics.checked).toBe(3000));
  expect(new Set(questions.flatMap((one) => one.ids)).size).toBe(3000);
  expect(questions[0]!.ids.slice(0, scanned.length).toSorted()).toEqual(scanned.toSorted());
  for (const id of ids) expect(held(id)?.id).toBe(id);
});

test('records of a snapshot are checked in the background before anybody scans them', async () => {
  const { resolver, cache, truth, start, held } = setUp();
  for (const id of ['a', 'b']) truth.records.set(id, record(id, id === 'a' ? 1 : 2));
  start();
  resolver.restore([record('a'), record('b')]);
  await eventually(() => expect(held('a')).toMatchObject(record('a')));
  await eventually(() => expect(held('b')).toMatchObject(record('b', 2)));
  expect(cache.asked).toEqual([]);
});

test('while the truth does not answer, records past the bound are revalidated as they are scanned; then the sweep goes on', async () => {
  const { cache, truth, start, hold, held, resolver } = setUp(500);
  await hold(record('a'));
  truth.away = true;
  const sweep = start();
  await eventually(() => expect(held('a')).toBeUndefined());
  expect(await resolver.load('a')).toMatchObject(record('a'));
  expect(cache.asked).toContain('a');
  cache.away = true;
  await eventually(() => expect(held('a')).toBeUndefined());
  // No source answers at all: a phone gets its redirect.
  expect(await resolver.load('a')).toMatchObject(record('a'));
  await eventually(() => expect(sweep.statistics.failures).toBeGreaterThan(1));
  expect(sweep.statistics.checked).toBe(0);
  truth.away = false;
  await eventually(() => expect(sweep.statistics.checked).toBeGreaterThan(0));
  await eventually(() => expect(held('a')).toMatchObject(record('a')));
});

test('after an outage the sweep comes back within a share of the bound, however long the outage was', async () => {
  const { truth, start, hold } = setUp(400);
  await hold(record('a'));
  truth.away = true;
  const sweep = start();
  // Pauses that grew without a bound would take over a minute.
  await eventually(() => expect(sweep.statistics.failures).toBeGreaterThan(12));
  truth.away = false;
  await eventually(() => expect(sweep.statistics.checked).toBeGreaterThan(0));
});

test('a lap that is late does not make up for the laps that it missed', async () => {
  const boundMs = 200;
  const { truth, questions, start, hold } = setUp();
  await hold(record('a'));
  truth.away = true;
  start(boundMs);
  await sleep(10 * boundMs);
  truth.away = false;
  const before = questions.length;
  // Two at once: the late lap, and the one that is due by now.
  await eventually(() => expect(questions.length).toBeGreaterThanOrEqual(before + 8));
  expect(questions.at(before + 7)!.atMs - questions[before]!.atMs).toBeGreaterThan(3 * 0.75 * boundMs);
});

test('a control plane that cannot compare versions is logged once, and held records are revalidated as before', async () => {
  const { clock, versions, start, hold, held, lines, resolver } = setUp();
  await hold(record('a'));
  versions.answer = () => Promise.reject(new NoVersionsError('404'));
  const sweep = start(400);
  await eventually(() => expect(sweep.statistics.failures).toBeGreaterThan(2));
  expect(lines.map(({ msg }) => msg)).toEqual([expect.stringContaining('cannot compare versions')]);
  clock.offsetMs = hourMs;
  expect(held('a')).toBeUndefined();
  expect(await resolver.load('a')).toMatchObject(record('a'));
  expect(held('a')).toMatchObject(record('a'));
});

test('a question that the truth refuses does not stop the sweep: the other records are compared', async () => {
  const { versions, start, hold, questions } = setUp();
  const ids = Array.from({ length: 2.5 * versionsMax }, (_, n) => `code${n}`);
  await hold(...ids.map((id) => record(id)));
  const { answer } = versions;
  versions.answer = (asked, count) =>
    asked.split(',').includes('code0')
      ? Promise.reject(new RefusedVersionsError('400'))
      : answer(asked, count);
  const sweep = start(1000);
  const asked = () => new Set(questions.flatMap((question) => question.ids));
  await eventually(() => expect(asked().size).toBe(ids.length));
  await eventually(() => expect(sweep.statistics.checked).toBeGreaterThan(2 * versionsMax));
  expect(sweep.statistics.refused).toBeGreaterThan(0);
  expect(sweep.statistics.failures).toBeGreaterThanOrEqual(sweep.statistics.refused);
});

test('an answer says nothing of a record that changed, went, or was invalidated since the question', async () => {
  const { clock, resolver, versions, start, hold, held, truth } = setUp(hourMs, 4);
  clock.offsetMs = -10_000;
  await hold(record('gone'));
  clock.offsetMs = 0;
  await hold(record('invalidated'), record('changed'), record('kept'));
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { answer } = versions;
  versions.answer = async (ids, count) => {
    const found = await answer(ids, count);
    asked.resolve();
    await answered.promise;
    return found;
  };
  await sleep(2);
  resolver.invalidateAll();
  await sleep(2);
  const sweep = start();
  await asked.promise;
  truth.records.set('new', record('new'));
  await resolver.load('new');
  resolver.invalidate('invalidated');
  resolver.apply(record('changed', 2));
  answered.resolve();
  await eventually(() => expect(sweep.statistics.checked).toBe(4));
  await eventually(() => expect(held('kept')).toMatchObject(record('kept')));
  expect(held('invalidated')).toBeUndefined();
  expect(held('changed')).toMatchObject(record('changed', 2));
  expect(held('new')).toMatchObject(record('new'));
  expect(resolver.size).toBe(4);
  expect(held('gone')).toBeUndefined();
});
