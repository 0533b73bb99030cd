/** Pieces of markup that several parts of the reference use. */
import type { html } from 'hono/html';

/** Escaped markup, made without waiting. */
export type Html = ReturnType<typeof html>;

const list = new Intl.ListFormat('en', { type: 'disjunction' });

/** Texts joined as in a sentence: `a, b, or c`. */
export const orList = (words: readonly string[]): string => list.format(words);

/** Work on each entry is a step. @returns the results in the order of the entries */
export function* mapInSteps<Entry, Made>(
  entries: Iterable<Entry>,
  work: (entry: Entry) => Made,
): Generator<void, Made[]> {
  const made: Made[] = [];
  for (const entry of entries) {
    made.push(work(entry));
    yield;
  }
  return made;
}
