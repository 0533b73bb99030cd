import { expect, test } from 'vitest';
import { UsageError } from '../command-line/usage-error.ts';
import { parseOptions } from './options.ts';

test('every row is measured where none is named, and those alone that are', () => {
  expect(parseOptions([])).toEqual({
    quick: false,
    only: ['rate', 'delay', 'api', 'scans'],
    build: undefined,
    profile: undefined,
  });
  expect(parseOptions(['--quick', '--only', 'rate,scans'])).toMatchObject({
    quick: true,
    only: ['rate', 'scans'],
  });
});

test.each([
  [['--only', 'rates'], 'there is no row rates'],
  [['--build', '/nowhere'], '--build must be a folder'],
  [['--profile', '/nowhere'], '--profile must be a folder'],
])('%j is refused', (args, message) => {
  expect(() => parseOptions(args)).toThrow(UsageError);
  expect(() => parseOptions(args)).toThrow(message);
});
