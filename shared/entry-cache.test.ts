import { expect, test } from 'vitest';
import { createEntryCache } from './entry-cache.ts';

test('the entries that were used last are held, at most so many', () => {
  const cache = createEntryCache<string, number>(3);
  for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index);
  expect(cache.get('a')).toBe(0);
  cache.set('d', 3);
  expect([...cache.keys()].toSorted()).toEqual(['a', 'c', 'd']);
  cache.delete('c');
  for (let n = 0; n < 10_000; n++) cache.set(`${n}`, n);
  expect([...cache.keys()].toSorted()).toEqual(['9997', '9998', '9999']);
});

test('an entry ends with its time', async () => {
  const cache = createEntryCache<string, number>(3, { ttl: 1 });
  cache.set('a', 1);
  await expect.poll(() => cache.get('a')).toBeUndefined();
});

test('no room is reserved for entries that are not there', () => {
  const bytes = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const before = bytes();
  const cache = createEntryCache<string, number>(20_000_000);
  expect(bytes() - before).toBeLessThan(10_000_000);
  expect(cache.size).toBe(0);
});
