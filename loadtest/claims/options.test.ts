import { expect, test } from 'vitest';
import { UsageError } from '../command-line/usage-error.ts';
import { parseOptions } from './options.ts';

test('without flags 10,000 units are scanned, with six kills each, two of which cost Redis its file', () => {
  expect(parseOptions([])).toEqual({ units: 10_000, redisKills: 6, redisLosses: 2, redirectorKills: 6 });
});

test('a run without kills is possible', () => {
  expect(parseOptions(['--units', '300', '--redis-kills', '0', '--redirector-kills', '0'])).toEqual({
    units: 300,
    redisKills: 0,
    redisLosses: 2,
    redirectorKills: 0,
  });
});

test.each([
  ['--units', '0'],
  ['--units', '50001'],
  ['--redis-kills', '-1'],
  ['--redirector-kills', 'x'],
  ['--more'],
])('%s %s is refused', (...args) => {
  expect(() => parseOptions(args.filter((arg) => arg !== undefined))).toThrow(UsageError);
});
