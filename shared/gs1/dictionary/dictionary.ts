/** Application identifiers by their digits. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Entry, EntryRange } from './entry.ts';
import { readDictionary } from './read-dictionary.ts';

/** An entry with its derived facts. */
export interface Identifier extends Entry {
  /** Characters of the value, at least and at most. */
  valueMin: number;
  valueMax: number;
}

const lengthsOf = ({ components }: Entry): Pick<Identifier, 'valueMin' | 'valueMax'> => ({
  valueMin: components.reduce((sum, { min, isOptional }) => sum + (isOptional ? 0 : min), 0),
  valueMax: components.reduce((sum, { max }) => sum + max, 0),
});

const expand = ({ last, ...entry }: EntryRange): Identifier[] => {
  const first = Number(entry.ai);
  const lengths = lengthsOf(entry);
  return Array.from({ length: Number(last ?? first) - first + 1 }, (_, at) => ({
    ...entry,
    ...lengths,
    ai: String(first + at).padStart(entry.ai.length, '0'),
  }));
};

const tsv = readFileSync(path.join(import.meta.dirname, 'application-identifiers.tsv'), 'utf8');
const all: readonly Identifier[] = readDictionary(tsv).flatMap(expand);

export const identifiers: ReadonlyMap<string, Identifier> = new Map(all.map((one) => [one.ai, one]));

/** The first two digits determine an identifier's length. */
const lengthByPrefix: ReadonlyMap<string, number> = new Map(all.map(({ ai }) => [ai.slice(0, 2), ai.length]));

/** The identifier at an index of a text; undefined if there is none. */
export const identifierAt = (text: string, at: number): Identifier | undefined => {
  const length = lengthByPrefix.get(text.slice(at, at + 2));
  return length === undefined ? undefined : identifiers.get(text.slice(at, at + length));
};

/** Whether an identifier matches a pattern of digits and `n`. */
export const matchesPattern = (ai: string, pattern: string): boolean => {
  if (ai.length !== pattern.length) return false;
  for (let i = 0; i < ai.length; i++) if (pattern[i] !== 'n' && pattern[i] !== ai[i]) return false;
  return true;
};
