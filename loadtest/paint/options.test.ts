import { expect, test } from 'vitest';
import { parseOptions } from './options.ts';

test('each page is visited nine times, or as often as the flag says', () => {
  expect(parseOptions([]).visits).toBe(9);
  expect(parseOptions(['--visits', '3']).visits).toBe(3);
});

test('a count that is none, and a flag that does not exist, are refused by name', () => {
  expect(() => parseOptions(['--visits', '0'])).toThrow('--visits must be a whole number from 1; given: 0');
  expect(() => parseOptions(['--fast'])).toThrow('--fast');
});
