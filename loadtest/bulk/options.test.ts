import { expect, test } from 'vitest';
import { parseOptions, rowNames } from './options.ts';

test('without flags every row is measured', () => {
  expect(parseOptions([])).toEqual({ quick: false, only: rowNames, build: undefined });
});

test('flags choose the rows', () => {
  expect(parseOptions(['--quick', '--only', 'memory,batches'])).toMatchObject({
    quick: true,
    only: ['memory', 'batches'],
  });
});

test('an unknown word or folder is refused by name', () => {
  expect(() => parseOptions(['--only', 'speed'])).toThrow('there is no row speed; there are batches,');
  expect(() => parseOptions(['--build', '/nope'])).toThrow(
    '--build must be a folder with control-plane/features/bulk in it; given: /nope',
  );
});
