import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { type Principal, unrestricted } from './authentication.ts';
import { plans } from './plans.ts';
import { createPrincipals } from './principals.ts';

const principal = (keyId: string): Principal => ({
  keyId,
  workspaceId: 'ws_1',
  subscriptionId: 'sub_1',
  ...unrestricted,
  role: 'owner',
  status: 'active',
  terms: plans.growth,
});

/** A database of keys whose queries are counted, and a clock. */
const setUp = () => {
  const keys = new Map([['a', principal('key_a')]]);
  const queries: string[][] = [];
  const clock = { ms: 0 };
  let failure: Error | undefined;
  const principals = createPrincipals(
    async (hashes) => {
      queries.push([...hashes]);
      if (failure) throw failure;
      return new Map([...keys].filter(([hash]) => hashes.includes(hash)));
    },
    createLogger('test', 'silent'),
    () => clock.ms,
  );
  return { keys, queries, clock, principals, fail: (error: Error | undefined) => (failure = error) };
};

test('a key is read once, and then costs no query', async () => {
  const { principals, queries } = setUp();
  for (let n = 0; n < 100; n++) expect(await principals.of('a')).toEqual(principal('key_a'));
  expect(queries).toEqual([['a']]);
});

test('a flood of wrong keys makes few queries: one at a time, for all keys requested meanwhile', async () => {
  const { principals, queries } = setUp();
  const answers = await Promise.all(Array.from({ length: 1_000 }, (_, n) => principals.of(`wrong ${n}`)));
  expect(answers.every((answer) => answer === undefined)).toBe(true);
  expect(queries.length).toBeLessThanOrEqual(3);
  await Promise.all(Array.from({ length: 1_000 }, (_, n) => principals.of(`wrong ${n}`)));
  expect(queries.length).toBeLessThanOrEqual(3);
  expect(await principals.of('a')).toBeDefined();
});

test('an entry is refreshed in the background after 10 s, and expires after 30 s', async () => {
  const { principals, queries, clock, keys } = setUp();
  await principals.of('a');
  keys.delete('a');
  clock.ms = 9_999;
  await principals.of('a');
  expect(queries).toHaveLength(1);
  clock.ms = 10_000;
  expect(await principals.of('a')).toBeDefined();
  expect(queries).toHaveLength(2);
  expect(await principals.of('a')).toBeUndefined();
});

test('during a database outage, a key works for 30 s and no longer', async () => {
  const { principals, clock, fail } = setUp();
  await principals.of('a');
  fail(new Error('away'));
  clock.ms = 29_999;
  expect(await principals.of('a')).toBeDefined();
  clock.ms = 30_000;
  await expect(principals.of('a')).rejects.toThrow('away');
  fail(undefined);
  expect(await principals.of('a')).toBeDefined();
});

test('an unknown key is looked up again after 5 s', async () => {
  const { principals, clock, keys } = setUp();
  expect(await principals.of('b')).toBeUndefined();
  keys.set('b', principal('key_b'));
  expect(await principals.of('b')).toBeUndefined();
  clock.ms = 5_000;
  expect(await principals.of('b')).toBeDefined();
});

test('an answer that was read before a change is not cached after it', async () => {
  const { principals, keys } = setUp();
  const asked = principals.of('a');
  keys.delete('a');
  principals.forget();
  expect(await asked).toBeDefined();
  expect(await principals.of('a')).toBeUndefined();
});

test('a change of a workspace or a subscription expires its own keys, and no others', async () => {
  const { principals, keys, queries } = setUp();
  keys.set('b', { ...principal('key_b'), workspaceId: 'ws_2' });
  keys.set('c', { ...principal('key_c'), workspaceId: 'ws_3', subscriptionId: 'sub_3' });
  const askAll = async () => {
    queries.length = 0;
    for (const hash of ['a', 'b', 'c']) await principals.of(hash);
    return queries.flat();
  };
  expect(await askAll()).toEqual(['a', 'b', 'c']);
  principals.forget('ws_2');
  expect(await askAll()).toEqual(['b']);
  principals.forget('sub_1');
  expect(await askAll()).toEqual(['a', 'b']);
  expect(await askAll()).toEqual([]);
  principals.forget();
  expect(await askAll()).toEqual(['a', 'b', 'c']);
  // More changes than are remembered expire everything, and nothing is forgotten of them.
  for (let n = 0; n < 20_000; n++) principals.forget(`ws_other_${n}`);
  expect(await askAll()).toEqual(['a', 'b', 'c']);
  expect(await askAll()).toEqual([]);
});

test('a key that is read while its workspace changes is read again, and one of another workspace is not', async () => {
  const found = new Map([
    ['a', principal('key_a')],
    ['b', { ...principal('key_b'), workspaceId: 'ws_2' }],
  ]);
  const queries: (readonly string[])[] = [];
  const answer = Promise.withResolvers<void>();
  const principals = createPrincipals(
    async (hashes) => {
      queries.push(hashes);
      await answer.promise;
      return found;
    },
    createLogger('test', 'silent'),
  );
  const asked = [principals.of('a'), principals.of('b')];
  await expect.poll(() => queries.flat()).toContain('a');
  principals.forget('ws_2');
  answer.resolve();
  await Promise.all(asked);
  // Whether both were in one query is the coalescer's choice.
  const before = queries.length;
  await Promise.all([principals.of('a'), principals.of('b')]);
  expect(
    queries
      .slice(before)
      .flat()
      .filter((hash) => hash === 'a'),
  ).toEqual([]);
});

/** A database that answers only on request. */
const setUpSlow = () => {
  const clock = { ms: 0 };
  const asked: { hashes: readonly string[]; answer(): void }[] = [];
  const principals = createPrincipals(
    (hashes) =>
      new Promise((resolve) =>
        asked.push({
          hashes,
          answer: () =>
            resolve(
              new Map(
                hashes.filter((hash) => hash.startsWith('known')).map((hash) => [hash, principal(hash)]),
              ),
            ),
        }),
      ),
    createLogger('test', 'silent'),
    () => clock.ms,
  );
  const know = async (...hashes: string[]) => {
    const answers = hashes.map((hash) => principals.of(hash));
    while (asked.length > 0) {
      asked.shift()?.answer();
      await new Promise(setImmediate);
    }
    return Promise.all(answers);
  };
  /** Fills the queue; some of it is refused. */
  const flood = () => {
    for (let n = 0; n < 21_000; n++) principals.of(`unknown ${n}`).catch(() => {});
  };
  return { principals, clock, asked, know, flood };
};

test('20,000 lookups of unknown keys do not displace known keys, even when these are due for a refresh', async () => {
  const { principals, clock, know, flood } = setUpSlow();
  await know('known 1');
  flood();
  await expect(principals.of('unknown one more')).rejects.toThrow('Too many keys');
  clock.ms = 15_000;
  expect(await principals.of('known 1')).toEqual(principal('known 1'));
  expect(await principals.of('known 1')).toEqual(principal('known 1'));
});

test.each(['30 s have passed', 'a key or plan has changed'])(
  'when %s, known keys are read before 20,000 waiting unknown ones',
  async (cause) => {
    const { principals, clock, asked, know, flood } = setUpSlow();
    await know('known 1', 'known 2');
    flood();
    if (cause === '30 s have passed') clock.ms = 30_000;
    else principals.forget();
    const answers = [principals.of('known 1'), principals.of('known 2')];
    asked.shift()?.answer();
    await new Promise(setImmediate);
    expect(asked[0]?.hashes.slice(0, 2)).toEqual(['known 1', 'known 2']);
    asked.shift()?.answer();
    expect(await Promise.all(answers)).toEqual([principal('known 1'), principal('known 2')]);
  },
);
