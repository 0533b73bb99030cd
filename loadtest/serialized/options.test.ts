import { expect, test } from 'vitest';
import { parseOptions, rowNames } from './options.ts';

test('without flags every row is measured', () => {
  expect(parseOptions([])).toEqual({ quick: false, only: rowNames, build: undefined });
});

test('flags choose the rows, and an unknown one is refused by name', () => {
  expect(parseOptions(['--quick', '--only', 'mint'])).toMatchObject({ quick: true, only: ['mint'] });
  expect(() => parseOptions(['--only', 'speed'])).toThrow(
    'there is no row speed; there are mint, downloads, images',
  );
});
