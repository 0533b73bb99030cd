/** A document compiled once, for all requests to its key. */
import { type Gs1Document, type Gs1Entry, type Gs1Link, gs1DocumentId } from '#schemas/documents.ts';
import type { DigitalLink } from '#shared/gs1/digital-link/parse.ts';

export interface CompiledEntry {
  entry: Gs1Entry;
  /** The target if the request asks for no link type. */
  defaultLink: Gs1Link;
  /** Links of the default link's type: another one may suit a request better. */
  alternatives: readonly Gs1Link[];
  byType: ReadonlyMap<string, readonly Gs1Link[]>;
}

export interface CompiledDocument {
  byPath: ReadonlyMap<string, CompiledEntry>;
  /** The entries at every path of the key, if the key itself is the only path that has one. */
  everywhere: readonly CompiledEntry[] | undefined;
}

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
    const byPath = new Map(leading.map((entry) => [entry.path, compileEntry(entry)]));
    const atKey = [...byPath.values()].filter(
      ({ entry }) => gs1DocumentId(entry.path.slice(1)) === document.id,
    );
    known = { byPath, everywhere: atKey.length === byPath.size ? atKey : undefined };
    compiled.set(document, known);
  }
  return known;
};

/** The entries at the levels of a link, the most specific first. */
export const entriesAt = (
  { byPath, everywhere }: CompiledDocument,
  link: Pick<DigitalLink, 'levels'>,
): readonly CompiledEntry[] => everywhere ?? link.levels.flatMap((path) => byPath.get(path) ?? []);

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
