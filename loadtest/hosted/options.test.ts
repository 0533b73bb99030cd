import { expect, test } from 'vitest';
import { pageNames, parseOptions } from './options.ts';

test('without flags every page is measured', () => {
  expect(parseOptions([])).toEqual({ quick: false, only: pageNames, build: undefined });
});

test('flags choose the pages', () => {
  expect(parseOptions(['--quick', '--only', 'menu,form'])).toMatchObject({
    quick: true,
    only: ['menu', 'form'],
  });
});

test('an unknown word or folder is refused by name', () => {
  expect(() => parseOptions(['--only', 'speed'])).toThrow('there is no page speed; there are landing-page,');
  expect(() => parseOptions(['--build', '/nope'])).toThrow(
    '--build must be a folder with control-plane/features/hosted in it; given: /nope',
  );
});
