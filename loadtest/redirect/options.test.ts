import { expect, test } from 'vitest';
import { parseOptions, rowNames } from './options.ts';

test('without flags every row is measured in full', () => {
  expect(parseOptions(['redirect'])).toEqual({
    quick: false,
    install: false,
    only: [...rowNames],
    kuttCheckout: undefined,
    redirector: undefined,
    publish: undefined,
  });
});

test('flags choose rows, peers and the length', () => {
  expect(parseOptions(['redirect', '--quick', '--only', 'kills,events', '--kutt', '/k'])).toMatchObject({
    quick: true,
    only: ['kills', 'events'],
    kuttCheckout: '/k',
  });
});

test('an unknown word or flag is refused by name', () => {
  expect(() => parseOptions(['redirect', '--only', 'kill'])).toThrow('there is no row kill');
  expect(() => parseOptions(['redirect', '--fast'])).toThrow('--fast');
  expect(() => parseOptions([])).toThrow(
    'no load test is named; there are redirect, real, handshakes, api, render, ranges',
  );
  expect(() => parseOptions(['rendre'])).toThrow(
    'there is no load test rendre; there are redirect, real, handshakes, api, render, ranges',
  );
});
