import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { identifierAt, identifiers } from './dictionary.ts';
import { formatSource } from './format-source.ts';
import { readDictionary, writeEntries } from './generate.ts';

const read = (name: string) => fs.readFileSync(path.join(import.meta.dirname, name), 'utf8');

test('entries.ts is what the tsv says', () => {
  const text = writeEntries(readDictionary(read('application-identifiers.tsv')));
  expect(formatSource(text, 'entries.ts')).toBe(read('entries.ts'));
});

test('a line of the tsv that cannot be read is not passed over', () => {
  expect(() => readDictionary('ai\tseparator\n01\tfixed\tattribute\tQ14\n')).toThrow('Q14 is no component');
});

test('every identifier of a range is there', () => {
  const ais = ['3100', '3105', '3953', '91', '99', '7239'];
  expect(ais.map((ai) => identifiers.get(ai)?.ai)).toEqual(ais);
  expect(identifiers.has('3106')).toBe(false);
  expect(identifiers.has('last')).toBe(false);
});

test('the first two digits of an identifier tell its length', () => {
  for (const ai of identifiers.keys()) expect(identifierAt(`x${ai}1234`, 1)?.ai).toBe(ai);
  expect(identifierAt('89123', 0)).toBeUndefined();
  expect(identifierAt('0', 0)).toBeUndefined();
});
