import { expect, test } from 'vitest';
import { parseOptions } from './options.ts';
import { looks } from './renderer.ts';

test('without flags every row is measured', () => {
  const { only } = parseOptions([]);
  for (const id of [...Object.keys(looks), 'proof', 'memory', 'image']) {
    expect(only.some((word) => id.startsWith(word))).toBe(true);
  }
});

test('flags choose the rows', () => {
  expect(parseOptions(['--only', 'svg,pngPlain']).only).toEqual(['svg', 'pngPlain']);
});

test('an unknown word or flag is refused by name', () => {
  expect(() => parseOptions(['--only', 'foo'])).toThrow('there is no row foo; there are svg, png,');
  expect(() => parseOptions(['--fast'])).toThrow('--fast');
  expect(() => parseOptions(['--build', '/nope'])).toThrow(
    '--build must be a folder with control-plane/rendering in it; given: /nope',
  );
});
