import { expect, test } from 'vitest';
import { UsageError } from '../command-line/usage-error.ts';
import { parseOptions } from './options.ts';

test('a run without flags has all faults', () => {
  expect(parseOptions([])).toEqual({
    codes: 2_000,
    seconds: 90,
    planeKills: 12,
    postgresKills: 4,
    jumps: 12,
  });
  expect(parseOptions(['--codes', '50', '--postgres-kills', '0'])).toMatchObject({
    codes: 50,
    postgresKills: 0,
  });
});

test.each([
  [['--codes', '20001'], '--codes must be at most 20000; given: 20001'],
  [['--seconds', '3601'], '--seconds must be at most 3600; given: 3601'],
  [['--jumps', '-1'], "'--jumps"],
])('%j is refused', (args, message) => {
  expect(() => parseOptions(args)).toThrow(UsageError);
  expect(() => parseOptions(args)).toThrow(message);
});
