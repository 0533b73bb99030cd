import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseOptions, rowNames } from './options.ts';

test('without flags every row is measured in full', () => {
  expect(parseOptions([])).toMatchObject({ quick: false, install: false, only: [...rowNames] });
});

test('flags choose rows, the length and another build', () => {
  const redirector = fileURLToPath(new URL('../../redirector/main.ts', import.meta.url));
  const args = ['--quick', '--only', 'rates,million', '--redirector', redirector];
  expect(parseOptions(args)).toMatchObject({
    quick: true,
    only: ['rates', 'million'],
    redirector,
  });
});

test('an unknown word or flag is refused by name', () => {
  expect(() => parseOptions(['--only', 'rate'])).toThrow('there is no row rate');
  expect(() => parseOptions(['--redirector', '/nope.ts'])).toThrow('--redirector must be a file that exists');
  expect(() => parseOptions(['--kutt', '/k'])).toThrow('--kutt');
  expect(() => parseOptions(['quick'])).toThrow('real takes flags only; given: quick');
});
