import { expect, test } from 'vitest';
import { createEntryCache } from './entry-cache.ts';

test('the most recently used entries are held, up to the limit', () => {
  const cache = createEntryCache<string, number>(3);
  for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index);
  expect(cache.get('a')).toBe(0);
  cache.set('d', 3);
  expect([...cache.keys()].toSorted()).toEqual(['a', 'c', 'd']);
  cache.delete('c');
  for (let n = 0; n < 10_000; n++) cache.set(`${n}`, n);
  expect([...cache.keys()].toSorted()).toEqual(['9997', '9998', '9999']);
});

test('an entry expires', async () => {
  const cache = createEntryCache<string, number>(3, { ttl: 1 });
  cache.set('a', 1);
  await expect.poll(() => cache.get('a')).toBeUndefined();
});

test('no memory is reserved for missing entries', () => {
  const bytes = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const before = bytes();
  const cache = createEntryCache<string, number>(20_000_000);
  expect(bytes() - before).toBeLessThan(10_000_000);
  expect(cache.size).toBe(0);
});
