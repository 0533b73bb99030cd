import { expect, test } from 'vitest';
import { type CoalescerOptions, createCoalescer } from './coalescer.ts';

/** Answers each key in upper case once it is released. */
const startCoalescer = (
  options: Partial<Pick<CoalescerOptions<string, string>, 'batchMax' | 'waitingMax' | 'weight'>> = {},
) => {
  const batches: string[][] = [];
  const flights: PromiseWithResolvers<void>[] = [];
  const coalescer = createCoalescer<string, string>({
    keyOf: (key) => key,
    async runBatch(keys) {
      batches.push([...keys]);
      const flight = Promise.withResolvers<void>();
      flights.push(flight);
      await flight.promise;
      return new Map(keys.filter((key) => key !== 'nobody').map((key) => [key, key.toUpperCase()]));
    },
    batchMax: 3,
    waitingMax: [10],
    refusal: () => new Error('full'),
    ...options,
  });
  return { coalescer, batches, flights };
};

test('the first is read at once, several together, and items that arrive during a query share the next batch', async () => {
  const { coalescer, batches, flights } = startCoalescer();
  const first = coalescer.runAll(['a', 'b']);
  expect(batches).toEqual([['a', 'b']]);
  const answers = ['c', 'd'].map((key) => coalescer.run(key));
  flights[0]!.resolve();
  expect(await first).toEqual(['A', 'B']);
  await expect
    .poll(() => batches)
    .toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  flights[1]!.resolve();
  expect(await Promise.all(answers)).toEqual(['C', 'D']);
});

test('a waiting key is requested once; one under way is requested again', async () => {
  const { coalescer, batches, flights } = startCoalescer();
  const answers = [coalescer.run('a')];
  await expect.poll(() => batches).toEqual([['a']]);
  answers.push(...['b', 'b', 'a'].map((key) => coalescer.run(key)));
  flights[0]!.resolve();
  await expect.poll(() => batches).toEqual([['a'], ['b', 'a']]);
  flights[1]!.resolve();
  expect(await Promise.all(answers)).toEqual(['A', 'B', 'B', 'A']);
});

test('a batch never exceeds its maximum', async () => {
  const { coalescer, batches, flights } = startCoalescer({ batchMax: 2 });
  const answers = coalescer.runAll(['a', 'b', 'c', 'd', 'e', 'f']);
  for (let n = 0; n < 3; n++) {
    await expect.poll(() => flights[n]).toBeDefined();
    flights[n]!.resolve();
  }
  expect(await answers).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
  expect(batches).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['e', 'f'],
  ]);
});

test('a failed batch rejects only its own items', async () => {
  const { coalescer, flights } = startCoalescer();
  const first = coalescer.run('a');
  const settled = Promise.allSettled(['b', 'c'].map((key) => coalescer.run(key)));
  flights[0]!.resolve();
  expect(await first).toBe('A');
  await expect.poll(() => flights[1]).toBeDefined();
  const late = coalescer.run('d');
  flights[1]!.reject(new Error('away'));
  expect(await settled).toMatchObject([
    { status: 'rejected', reason: { message: 'away' } },
    { status: 'rejected', reason: { message: 'away' } },
  ]);
  await expect.poll(() => flights[2]).toBeDefined();
  flights[2]!.resolve();
  expect(await late).toBe('D');
});

test('once nothing waits, the next item is read at once again', async () => {
  const { coalescer, batches, flights } = startCoalescer();
  const first = coalescer.run('a');
  await expect.poll(() => flights[0]).toBeDefined();
  flights[0]!.resolve();
  await first;
  void coalescer.run('b');
  await expect.poll(() => batches).toEqual([['a'], ['b']]);
});

test('a key without an answer is undefined', async () => {
  const { coalescer, flights } = startCoalescer();
  const answer = coalescer.run('nobody');
  await expect.poll(() => flights[0]).toBeDefined();
  flights[0]!.resolve();
  expect(await answer).toBeUndefined();
});

test('a full lane refuses while the other does not; a key that already waits takes no further room', async () => {
  const { coalescer, batches, flights } = startCoalescer({ waitingMax: [1, 2] });
  const answers = [coalescer.run('a')];
  await expect.poll(() => flights[0]).toBeDefined();
  answers.push(coalescer.run('x', 1), coalescer.run('y', 1), coalescer.run('y', 1));
  expect([coalescer.hasRoomFor(1), coalescer.hasRoomFor(2), coalescer.hasRoomFor(1, 1)]).toEqual([
    true,
    false,
    false,
  ]);
  await expect(coalescer.run('z', 1)).rejects.toThrow('full');
  answers.push(coalescer.run('b'));
  for (const n of [0, 1]) {
    await expect.poll(() => flights[n]).toBeDefined();
    flights[n]!.resolve();
  }
  expect(await Promise.all(answers)).toEqual(['A', 'X', 'Y', 'Y', 'B']);
  // The first lane is read first.
  expect(batches).toEqual([['a'], ['b', 'x', 'y']]);
});

test('a batch never exceeds its weight, and what is heavier by itself goes alone', async () => {
  const weight = { of: (key: string) => key.length, max: 3 };
  const { coalescer, batches, flights } = startCoalescer({ batchMax: 5, weight });
  const answers = coalescer.runAll(['a', 'bb', 'c', 'dddd', 'e']);
  for (let n = 0; n < 4; n++) {
    await expect.poll(() => flights[n]).toBeDefined();
    flights[n]!.resolve();
  }
  expect(await answers).toEqual(['A', 'BB', 'C', 'DDDD', 'E']);
  expect(batches).toEqual([['a', 'bb'], ['c'], ['dddd'], ['e']]);
});
