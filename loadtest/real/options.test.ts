import { expect, test } from 'vitest';
import { parseOptions, rowNames } from './options.ts';

test('without flags every row is measured in full', () => {
  expect(parseOptions([])).toMatchObject({ quick: false, install: false, only: [...rowNames] });
});

test('flags choose rows, the length and another build', () => {
  const args = ['--quick', '--only', 'rates,million', '--redirector', '/other/redirector/main.ts'];
  expect(parseOptions(args)).toMatchObject({
    quick: true,
    only: ['rates', 'million'],
    redirector: '/other/redirector/main.ts',
  });
});

test('an unknown word or flag is refused by name', () => {
  expect(() => parseOptions(['--only', 'rate'])).toThrow('there is no row rate');
  expect(() => parseOptions(['--kutt', '/k'])).toThrow('--kutt');
  expect(() => parseOptions(['quick'])).toThrow('real takes flags only; given: quick');
});
