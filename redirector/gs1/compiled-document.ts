/** A document compiled once, for all requests to its key. */
import type { Gs1Document, Gs1Entry, Gs1Link } from '#schemas/documents.ts';

export interface CompiledEntry {
  entry: Gs1Entry;
  /** The target if the request asks for no link type. */
  defaultLink: Gs1Link;
  /** Links of the default link's type: another one may suit a request better. */
  alternatives: readonly Gs1Link[];
  byType: ReadonlyMap<string, readonly Gs1Link[]>;
}

/** Entries by their paths. */
export type CompiledDocument = ReadonlyMap<string, CompiledEntry>;

const compileEntry = (entry: Gs1Entry): CompiledEntry => {
  const byType = new Map<string, Gs1Link[]>();
  for (const link of entry.links) byType.set(link.linkType, [...(byType.get(link.linkType) ?? []), link]);
  const defaultLink = entry.links.find((link) => link.default) ?? entry.links[0]!;
  return { entry, defaultLink, alternatives: byType.get(defaultLink.linkType)!, byType };
};

const compiled = new WeakMap<Gs1Document, CompiledDocument>();

export const compile = (document: Gs1Document): CompiledDocument => {
  let known = compiled.get(document);
  if (known === undefined) {
    const leading = document.entries.filter(({ links }) => links.length > 0);
    known = new Map(leading.map((entry) => [entry.path, compileEntry(entry)]));
    compiled.set(document, known);
  }
  return known;
};

/** The entries at the levels of a path, the most specific first. */
export const entriesAt = (document: CompiledDocument, levels: readonly string[]): CompiledEntry[] => {
  // Most keys have one entry. Comparing with it is cheaper than hashing a text for each level.
  if (document.size === 1) return [...document.values()].filter(({ entry }) => levels.includes(entry.path));
  return levels.flatMap((path) => document.get(path) ?? []);
};

/**
 * A target with the scan's query, byte for byte: after its own query and before its fragment.
 * @param query without `?`; empty without one
 */
export const withQuery = (href: string, query: string): string => {
  if (query === '') return href;
  const hash = href.indexOf('#');
  const [target, fragment] = hash < 0 ? [href, ''] : [href.slice(0, hash), href.slice(hash)];
  const separator = !target.includes('?') ? '?' : /[?&]$/.test(target) ? '' : '&';
  return target + separator + query + fragment;
};
