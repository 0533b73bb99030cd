import { describe, expect, test } from 'vitest';
import { identifiers } from '../dictionary/dictionary.ts';
import { samples } from '../testing/samples.ts';
import { contentRules } from './content-rules.ts';

const named = new Set(
  [...identifiers.values()].flatMap(({ components }) => components.flatMap(({ rules }) => rules ?? [])),
);

test('there are exactly the rules that the dictionary names', () => {
  expect(Object.keys(contentRules).sort()).toEqual([...named].sort());
  expect(Object.keys(samples).sort()).toEqual([...named].sort());
});

describe.each(Object.entries(samples))('%s', (rule, { right, wrong }) => {
  test.each(right)('accepts %s', (text) => {
    expect(contentRules[rule]!(text)).toBeUndefined();
  });

  test.each(wrong)('refuses %s', (text, position, message) => {
    expect(contentRules[rule]!(text)).toMatchObject({ position, message: expect.stringContaining(message) });
  });
});
