import { expect, test } from 'vitest';
import { once } from './once.ts';

test('what is made once is made for all who ask, and again only after a failure', async () => {
  let runs = 0;
  const made = once(async () => {
    runs++;
    if (runs === 1) throw new Error('out of memory');
    return runs;
  });
  const first = await Promise.allSettled([made(), made()]);
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(runs).toBe(1);
  expect(await Promise.all([made(), made()])).toEqual([2, 2]);
  expect(await made()).toBe(2);
});
