import { expect, test } from 'vitest';
import { UsageError } from '../command-line/usage-error.ts';
import { parseOptions, rowNames } from './options.ts';

test('without flags every row is measured at length', () => {
  expect(parseOptions([])).toEqual({ quick: false, only: rowNames });
});

test('rows are named, and a row that does not exist is refused', () => {
  expect(parseOptions(['--quick', '--only', 'forged,firsts'])).toEqual({
    quick: true,
    only: ['forged', 'firsts'],
  });
  expect(() => parseOptions(['--only', 'first'])).toThrow(UsageError);
});
