import { expect, test } from 'vitest';
import { parseCoreList } from './siblings.ts';

test('the kernel lists cores one by one and in ranges', () => {
  expect(parseCoreList('0\n')).toEqual([0]);
  expect(parseCoreList('0-1')).toEqual([0, 1]);
  expect(parseCoreList('0,4-6')).toEqual([0, 4, 5, 6]);
  expect(() => parseCoreList('all')).toThrow('not a list of cores: all');
});
