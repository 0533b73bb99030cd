import { pino } from 'pino';
import { expect, test } from 'vitest';
import { versionOn } from '#schemas/code-record.ts';
import { batchDocuments, serializeDocument } from '#schemas/documents.ts';
import type { BatchRecord } from '#schemas/verification.ts';
import type { Source } from '../held/source.ts';
import { eventually } from '../testing/eventually.ts';
import { createDocumentStore, type DocumentStoreOptions } from './document-store.ts';

const logger = pino({ level: 'silent' });

const options: DocumentStoreOptions = {
  bytesMax: 2 ** 20,
  absentMax: 100,
  absentMs: 5000,
  freshMs: 10_000,
  staleMaxMs: 60_000,
  loadingMax: 3,
};

const batch = (id: string, version: number): BatchRecord => ({ id, version, workspaceId: 'ws_1' });

const createSource = (name: string) => {
  const documents = new Map<string, BatchRecord>();
  const asked: string[][] = [];
  const state = { isAway: false, timeline: 0 };
  const source: Source<BatchRecord> = {
    name,
    async fetch(ids) {
      asked.push(ids);
      if (state.isAway) throw new Error(`${name} is away`);
      const records = new Map(ids.flatMap((id) => (documents.has(id) ? [[id, documents.get(id)!]] : [])));
      return { records, unreadable: [], timeline: state.timeline };
    },
  };
  return { documents, asked, state, source };
};

const start = (changes: Partial<DocumentStoreOptions> = {}) => {
  const redis = createSource('redis');
  const truth = createSource('control-plane');
  const clock = { nowMs: 1_000_000 };
  const store = createDocumentStore(
    batchDocuments,
    { ...options, ...changes },
    [redis.source, truth.source],
    logger,
    () => clock.nowMs,
  );
  return { store, redis, truth, clock };
};

test('a document comes from Redis, else from the control plane, and then from memory', async () => {
  const { store, redis, truth } = start();
  redis.documents.set('batch_a', batch('batch_a', 1));
  truth.documents.set('batch_b', batch('batch_b', 1));
  expect(store.held('batch_a')).toBeUndefined();
  expect(await Promise.all([store.load('batch_a'), store.load('batch_b')])).toEqual([
    batch('batch_a', 1),
    batch('batch_b', 1),
  ]);
  expect(truth.asked).toEqual([['batch_b']]);
  expect(store.held('batch_a')).toEqual(batch('batch_a', 1));
  expect(store.held('batch_b')).toEqual(batch('batch_b', 1));
});

test('many who wait for one id have one flight', async () => {
  const { store, truth } = start();
  truth.documents.set('batch_a', batch('batch_a', 1));
  const all = await Promise.all(Array.from({ length: 50 }, () => store.load('batch_a')));
  expect(new Set(all).size).toBe(1);
  expect(truth.asked).toEqual([['batch_a']]);
});

test('a document that was announced while an older one was being read is not held as that, even if the truth is away then', async () => {
  const { store, redis, truth } = start();
  redis.documents.set('batch_a', batch('batch_a', 1));
  truth.state.isAway = true;
  const loading = store.load('batch_a');
  store.applyDocument('batch_a', '2');
  await expect(loading).rejects.toThrow('no source answered');
  expect(store.held('batch_a')).toBeUndefined();
  redis.documents.set('batch_a', batch('batch_a', 2));
  expect(await store.load('batch_a')).toMatchObject({ version: 2 });
});

test('an announcement of what is being read leaves it as it is', async () => {
  const { store, redis, truth } = start();
  redis.documents.set('batch_a', batch('batch_a', 2));
  const loading = store.load('batch_a');
  store.applyDocument('batch_a', '2');
  expect(await loading).toMatchObject({ version: 2 });
  expect([store.held('batch_a'), truth.asked]).toMatchObject([{ version: 2 }, []]);
});

test('no more ids than the kind allows are in one question', async () => {
  const { store, truth } = start({ idsMax: 8, loadingMax: 100 });
  await Promise.all(Array.from({ length: 20 }, (_, n) => store.load(`batch_${n}`)));
  expect(truth.asked.map(({ length }) => length)).toEqual([8, 8, 4]);
});

test('an id that does not exist is held as absent for a while, and no longer once it is announced', async () => {
  const { store, clock } = start();
  expect(await store.load('batch_a')).toBeNull();
  expect(store.held('batch_a')).toBeNull();
  store.applyDocument('batch_a', serializeDocument(batch('batch_a', 1)));
  expect(store.held('batch_a')).toBeUndefined();
  await store.load('batch_a');
  clock.nowMs += options.absentMs;
  expect(store.held('batch_a')).toBeUndefined();
});

test('no more ids than there is room for wait for a source', async () => {
  const { store } = start();
  const loads = ['a', 'b', 'c'].map((id) => store.load(`batch_${id}`));
  await expect(store.load('batch_d')).rejects.toThrow('too many ids');
  expect(await Promise.all(loads)).toEqual([null, null, null]);
});

test('where no source answers, a load fails, and nothing is held as absent', async () => {
  const { store, redis, truth } = start();
  redis.state.isAway = true;
  truth.state.isAway = true;
  await expect(store.load('batch_a')).rejects.toThrow('no source answered');
  expect(store.held('batch_a')).toBeUndefined();
});

test('a change replaces what is held, also while it is being loaded, and an older one does not', async () => {
  const { store, truth } = start();
  truth.documents.set('batch_a', batch('batch_a', 2));
  const loading = store.load('batch_a');
  store.applyDocument('batch_a', serializeDocument(batch('batch_a', 3)));
  expect(await loading).toEqual(batch('batch_a', 3));
  store.applyDocument('batch_a', serializeDocument(batch('batch_a', 2)));
  expect(store.held('batch_a')).toEqual(batch('batch_a', 3));
  store.applyDocument('batch_a', serializeDocument(batch('batch_a', 4)));
  expect(store.held('batch_a')).toEqual(batch('batch_a', 4));
});

test('an older change that arrives while a newer document is being read does not take its place', async () => {
  const { store, truth } = start();
  truth.documents.set('batch_a', batch('batch_a', 5));
  const loading = store.load('batch_a');
  store.applyDocument('batch_a', serializeDocument(batch('batch_a', 3)));
  expect(await loading).toEqual(batch('batch_a', 5));
  expect(store.held('batch_a')).toEqual(batch('batch_a', 5));
});

test('an older document that a source has does not take the place of what is held', async () => {
  const { store, truth, clock } = start();
  truth.documents.set('batch_a', batch('batch_a', 2));
  await store.load('batch_a');
  store.applyDocument('batch_a', serializeDocument(batch('batch_a', 3)));
  clock.nowMs += options.staleMaxMs;
  expect(store.held('batch_a')).toBeUndefined();
  expect(await store.load('batch_a')).toEqual(batch('batch_a', 3));
  expect(store.held('batch_a')).toEqual(batch('batch_a', 3));
});

test('a change that cannot be read has what is held revalidated before it is served', async () => {
  const { store, truth } = start();
  truth.documents.set('batch_a', batch('batch_a', 1));
  await store.load('batch_a');
  store.applyDocument('batch_a', 'junk');
  expect(store.held('batch_a')).toBeUndefined();
  truth.documents.set('batch_a', batch('batch_a', 2));
  expect(await store.load('batch_a')).toEqual(batch('batch_a', 2));
  expect(store.statistics.unreadable).toMatchObject({ stream: 1 });
});

test('what was held for the bound is not served before the truth has confirmed it, whatever the stream says', async () => {
  const { store, redis, truth, clock } = start();
  redis.documents.set('batch_a', batch('batch_a', 1));
  truth.documents.set('batch_a', batch('batch_a', 2));
  await store.load('batch_a');
  store.follow(0, clock.nowMs);
  clock.nowMs += 0.95 * options.staleMaxMs;
  store.follow(0, clock.nowMs);
  // Nearly as old as it may be: served, and compared with the truth meanwhile.
  expect(store.held('batch_a')).toMatchObject({ version: 1 });
  await eventually(() => expect(store.held('batch_a')).toMatchObject({ version: 2 }));
  clock.nowMs += options.staleMaxMs;
  expect(store.held('batch_a')).toBeUndefined();
});

test('while the truth is away, what is held is served, however old', async () => {
  const { store, redis, truth, clock } = start();
  truth.documents.set('batch_a', batch('batch_a', 1));
  await store.load('batch_a');
  redis.state.isAway = true;
  truth.state.isAway = true;
  clock.nowMs += 10 * options.staleMaxMs;
  expect(store.held('batch_a')).toBeUndefined();
  expect(await store.load('batch_a')).toMatchObject({ version: 1 });
  expect(store.held('batch_a')).toMatchObject({ version: 1 });
});

test('what a snapshot has is revalidated before it is served, and served where no source answers', async () => {
  const { store, redis, truth } = start();
  store.restore([batch('batch_a', 1)]);
  expect(store.held('batch_a')).toBeUndefined();
  redis.state.isAway = true;
  truth.state.isAway = true;
  expect(await store.load('batch_a')).toMatchObject({ version: 1 });
});

test('a later timeline has all revalidated, and what Redis has of an earlier one is not believed', async () => {
  const { store, redis, truth } = start();
  truth.documents.set('batch_a', batch('batch_a', 9));
  await store.load('batch_a');
  redis.documents.set('batch_b', batch('batch_b', 9));
  redis.state.timeline = 5;
  truth.documents.set('batch_a', batch('batch_a', versionOn(5, 1)));
  truth.documents.set('batch_b', batch('batch_b', versionOn(5, 1)));
  store.enterTimeline(5);
  expect(store.held('batch_a')).toBeUndefined();
  expect(await store.load('batch_a')).toMatchObject({ version: versionOn(5, 1) });
  expect(await store.load('batch_b')).toMatchObject({ version: versionOn(5, 1) });
});

test('documents take no more memory than they may: the least recently used go first', async () => {
  const { store, truth } = start({ bytesMax: 20_000 });
  for (let n = 0; n < 50; n++) {
    truth.documents.set(`batch_${n}`, batch(`batch_${n}`, 1));
    await store.load(`batch_${n}`);
  }
  expect(store.bytes).toBeLessThanOrEqual(20_000);
  expect(store.size).toBeLessThan(50);
  expect(store.held('batch_49')).toMatchObject({ version: 1 });
  expect(store.held('batch_0')).toBeUndefined();
});

test('what a snapshot has, and the truth cannot confirm, gives way to a newer version that Redis has', async () => {
  const { store, redis, truth } = start();
  store.restore([batch('batch_a', 1)]);
  redis.documents.set('batch_a', batch('batch_a', 2));
  truth.state.isAway = true;
  expect(await store.load('batch_a')).toMatchObject({ version: 2 });
  expect(store.held('batch_a')).toMatchObject({ version: 2 });
});

test('what Redis has does not confirm what a snapshot has', async () => {
  const { store, redis, truth, clock } = start();
  store.restore([batch('batch_a', 1)]);
  redis.documents.set('batch_a', batch('batch_a', 1));
  truth.state.isAway = true;
  expect(await store.load('batch_a')).toMatchObject({ version: 1 });
  truth.state.isAway = false;
  truth.documents.set('batch_a', batch('batch_a', 2));
  clock.nowMs += options.staleMaxMs;
  store.held('batch_a');
  await eventually(() => expect(store.held('batch_a')).toMatchObject({ version: 2 }));
});

test('a version that was announced is remembered: an older copy that Redis has later is not believed', async () => {
  const { store, redis, truth } = start();
  redis.documents.set('batch_a', batch('batch_a', 1));
  expect(await store.load('batch_a')).toMatchObject({ version: 1 });
  store.applyDocument('batch_a', '2');
  truth.state.isAway = true;
  await expect(store.load('batch_a')).rejects.toThrow('no source answered');
  truth.state.isAway = false;
  truth.documents.set('batch_a', batch('batch_a', 2));
  expect(await store.load('batch_a')).toMatchObject({ version: 2 });
});

test('what is dropped, or found to be absent, is news for the snapshot', async () => {
  const { store, redis, clock } = start();
  for (const id of ['batch_a', 'batch_b']) redis.documents.set(id, batch(id, 1));
  await Promise.all(['batch_a', 'batch_b'].map(store.load));
  const held = store.news;
  store.applyDocument('batch_a', '2');
  expect(store.news).toBeGreaterThan(held);
  const dropped = store.news;
  clock.nowMs += options.staleMaxMs;
  await store.load('batch_b');
  expect(store.holds('batch_b')).toBe(false);
  expect(store.news).toBeGreaterThan(dropped);
});

test('after a lookup that failed, what is held is looked up again a while later', async () => {
  const { store, redis, truth, clock } = start();
  redis.documents.set('batch_a', batch('batch_a', 1));
  await store.load('batch_a');
  truth.state.isAway = true;
  clock.nowMs += options.staleMaxMs;
  await store.load('batch_a');
  for (let round = 2; round <= 4; round++) {
    clock.nowMs += options.staleMaxMs;
    expect(store.held('batch_a')).toMatchObject({ version: 1 });
    await eventually(() => expect(truth.asked).toHaveLength(round));
  }
});

test('the same version with other contents takes the place of what is held only if the kind takes it', async () => {
  for (const takesEqual of [false, true]) {
    const { store, redis, truth, clock } = start({ takesEqual });
    redis.documents.set('batch_a', batch('batch_a', 1));
    await store.load('batch_a');
    truth.documents.set('batch_a', { ...batch('batch_a', 1), workspaceId: 'ws_2' });
    clock.nowMs += options.staleMaxMs;
    await store.load('batch_a');
    expect(store.held('batch_a')).toMatchObject({ workspaceId: takesEqual ? 'ws_2' : 'ws_1' });
  }
});

test('the size of a document counts', async () => {
  const perChar = { bytesMax: 100_000, bytesPerChar: () => 20 };
  const { store, redis } = start({ ...perChar, loadingMax: 100 });
  const ids = Array.from({ length: 50 }, (_, n) => `batch_${n}`);
  for (const id of ids) redis.documents.set(id, { ...batch(id, 1), workspaceId: 'x'.repeat(400) });
  await Promise.all(ids.map(store.load));
  // 512 bytes, and 20 for each of some 460 characters.
  expect(store.size).toBe(10);
});
