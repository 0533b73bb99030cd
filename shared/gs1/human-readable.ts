/** Human-readable interpretation (General Specifications §4.14): the text printed next to a symbol. */
import type { Gs1Element } from './gs1-error.ts';

/** One text per element, which must not be broken into lines: `(10)ABC`. The brackets are not part of the symbol. */
export const humanReadable = (elements: readonly Gs1Element[]): string[] =>
  elements.map(({ ai, value }) => `(${ai})${value}`);
