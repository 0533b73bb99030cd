import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { allFiles, readSource } from '../../deploy/structure/sources.ts';
import { languages } from '../languages.ts';
import { filled } from './filled.ts';
import { wordsOf } from './words.ts';

/** Every text with its path. */
const textsOf = (value: unknown, at: readonly string[] = []): [path: string, text: string][] =>
  typeof value === 'string'
    ? [[at.join('.'), value]]
    : Object.entries(value ?? {}).flatMap(([name, inner]) => textsOf(inner, [...at, name]));

const english = new Map(textsOf(wordsOf.en));
const others = languages.filter((language) => language !== 'en');
const slotsOf = (text: string): string[] => (text.match(/\{\w+\}|\*/g) ?? []).sort();

describe.each(others)('the catalogue %s', (language) => {
  const texts = textsOf(wordsOf[language]);

  test('has every key, in the same order, and no other', () => {
    expect(texts.map(([key]) => key)).toEqual([...english.keys()]);
  });

  test('has the same placeholders and bold words in every text', () => {
    const different = texts.filter(
      ([key, text]) => slotsOf(text).join() !== slotsOf(english.get(key) ?? '').join(),
    );
    expect(different).toEqual([]);
  });

  test('has no empty text, and no sentence in English', () => {
    expect(texts.filter(([, text]) => text.trim() === '')).toEqual([]);
    const isSentence = (text: string): boolean =>
      text
        .replace(/\{\w+\}/g, '')
        .trim()
        .includes(' ');
    expect(texts.filter(([key, text]) => isSentence(text) && text === english.get(key))).toEqual([]);
  });
});

test('in French a non-breaking space stands before ? : ; and !', () => {
  const withoutSpace = textsOf(wordsOf.fr).filter(([, text]) => /[^\u00a0\u202f][?:;!](?!\/)/.test(text));
  expect(withoutSpace).toEqual([]);
});

test('no key is unused', () => {
  const folder = path.relative(path.resolve(import.meta.dirname, '../..'), import.meta.dirname);
  const sources = allFiles
    .filter((file) => /\.(ts|js)$/.test(file) && !/\.test\.ts$|\/sealed\//.test(file))
    .filter((file) => !file.startsWith(path.join(folder, 'words.')));
  const used = new Set(sources.flatMap((file) => readSource(file).match(/[A-Za-z]\w*/g) ?? []));
  const names = new Set([...english.keys()].flatMap((key) => key.split('.')));
  expect([...names].filter((name) => !/^\d+$/.test(name) && !/-/.test(name) && !used.has(name))).toEqual([]);
});

test('every file of the folder is the catalogue of a language', () => {
  const files = fs.readdirSync(path.join(import.meta.dirname, 'words')).sort();
  expect(files).toEqual(languages.map((language) => `${language}.json`).sort());
});

test('a placeholder without a value stays', () => {
  expect(filled('{a} and {b}', { a: '{b}' })).toBe('{b} and {b}');
});
