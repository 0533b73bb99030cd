import { expect, test } from 'vitest';
import { identifierAt, identifiers } from './dictionary.ts';
import { readDictionary } from './read-dictionary.ts';

test('a line of the tsv has its separator, its components with their rules, the order of its qualifiers, and the identifiers it requires and excludes', () => {
  expect(identifiers.get('01')).toEqual({
    ai: '01',
    title: 'GTIN',
    isFixed: true,
    isAttribute: true,
    components: [{ set: 'N', min: 14, max: 14, rules: ['csum', 'gcppos2'] }],
    valueMin: 14,
    valueMax: 14,
    qualifiers: [['22', '10', '21'], ['235']],
    excludes: ['255', '37'],
  });
  expect(identifiers.get('10')).toMatchObject({
    components: [{ set: 'X', min: 1, max: 20 }],
    requires: [['01'], ['02'], ['03'], ['8006'], ['8026']],
  });
});

test('an unreadable line of the tsv is not skipped', () => {
  expect(() => readDictionary('ai\tseparator\n01\tfixed\tattribute\tQ14\n')).toThrow(
    'Q14 is not a component',
  );
});

test('every identifier of a range exists', () => {
  const ais = ['3100', '3105', '3953', '91', '99', '7239'];
  expect(ais.map((ai) => identifiers.get(ai)?.ai)).toEqual(ais);
  expect(identifiers.has('3106')).toBe(false);
  expect(identifiers.has('last')).toBe(false);
});

test("the first two digits determine an identifier's length", () => {
  for (const ai of identifiers.keys()) expect(identifierAt(`x${ai}1234`, 1)?.ai).toBe(ai);
  expect(identifierAt('89123', 0)).toBeUndefined();
  expect(identifierAt('0', 0)).toBeUndefined();
});
