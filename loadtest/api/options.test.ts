import { expect, test } from 'vitest';
import { parseOptions } from './options.ts';

test('without flags every round is measured, with a million codes', () => {
  expect(parseOptions([])).toMatchObject({
    quick: false,
    codes: 1_000_000,
    only: ['list', 'read', 'create', 'update'],
  });
});

test('flags choose the rounds and the number of codes', () => {
  expect(parseOptions(['--codes', '500', '--only', 'list,create'])).toMatchObject({
    codes: 500,
    only: ['list', 'create'],
  });
});

test.each(['abc', '', '0', '1.5', '1e99'])('%j is refused as the number of codes', (given) => {
  expect(() => parseOptions(['--codes', given])).toThrow(
    `--codes must be a whole number from 1; given: ${given}`,
  );
});

test('an unknown word or flag is refused by name', () => {
  expect(() => parseOptions(['--only', 'list,foo'])).toThrow(
    'there is no round foo; there are list, read, create, update',
  );
  expect(() => parseOptions(['--fast'])).toThrow('--fast');
  expect(() => parseOptions(['--only', ''])).toThrow('--only must be the names of rounds');
  expect(() => parseOptions(['--kutt', '/nope'])).toThrow('--kutt must be a folder with server/server.js');
  expect(() => parseOptions(['--build', '/nope'])).toThrow(
    '--build must be a folder with control-plane/main.ts in it',
  );
});
