import { expect, test } from 'vitest';
import { UsageError } from '../command-line/usage-error.ts';
import { parseOptions } from './options.ts';

test('rounds are long unless they are asked to be quick, and no row can be chosen', () => {
  expect(parseOptions([])).toEqual({ quick: false });
  expect(parseOptions(['--quick'])).toEqual({ quick: true });
  expect(() => parseOptions(['--only', 'servers'])).toThrow(UsageError);
});
