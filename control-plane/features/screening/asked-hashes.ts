/** For which hashes of URLs a web-risk service is asked. */
import { expressionsOf, foremostMax, hashesOf, hashOf } from './expressions.ts';
import { placeOf } from './place.ts';
import type { FoundUrl } from './urls.ts';

/** Of a write, unless the foremost of its URLs are more already. */
const quickHashesMax = 1_000;

/** In hexadecimal. */
export type Hashes = ReadonlyMap<FoundUrl, readonly string[]>;

/** All hashes of URLs, in steps. */
export function* allHashes(urls: readonly FoundUrl[]): Generator<void, Hashes> {
  const hashes = new Map<FoundUrl, string[]>();
  for (const found of urls) {
    hashes.set(found, hashesOf(placeOf(found.url)));
    yield;
  }
  return hashes;
}

export interface QuickHashes {
  hashes: Hashes;
  /** Each once, those of all URLs that come first first: time may end before all are asked for. */
  inOrder: ReadonlySet<string>;
  /** Whether these are all. */
  isWhole: boolean;
}

/**
 * The foremost hashes of all URLs, and further ones of each in turn up to the bound: no URL is asked about in place of another.
 * In steps.
 */
export function* quickHashes(urls: readonly FoundUrl[]): Generator<void, QuickHashes> {
  const expressions: string[][] = [];
  for (const { url } of urls) {
    expressions.push(expressionsOf(placeOf(url)));
    yield;
  }
  const hashes = new Map(urls.map((found): [FoundUrl, string[]] => [found, []]));
  const inOrder = new Set<string>();
  const rankMax = Math.max(0, ...expressions.map(({ length }) => length));
  for (let rank = 0; rank < rankMax; rank++) {
    for (const [at, found] of urls.entries()) {
      const expression = expressions[at]![rank];
      if (expression === undefined) continue;
      if (rank >= foremostMax && inOrder.size >= quickHashesMax) return { hashes, inOrder, isWhole: false };
      const hash = hashOf(expression);
      hashes.get(found)!.push(hash);
      inOrder.add(hash);
      yield;
    }
  }
  return { hashes, inOrder, isWhole: true };
}
