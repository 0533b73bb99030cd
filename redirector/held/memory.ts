/** What a store (store.ts) needs of the memory that holds its things: cells for a million codes, an LRU cache for documents. */
import type { Versioned } from '#schemas/documents.ts';
import type { Freshness } from './freshness.ts';

export interface Memory<Kept extends Versioned> extends Pick<Freshness, 'follow' | 'unfollow'> {
  /** What is held of an id, null if it is known to be absent, undefined if it must be loaded. */
  held(id: string): Kept | null | undefined;
  /** What is held, however old it is. Does not count as use. */
  peek(id: string): Kept | undefined;
  /**
   * Holds the newer of two versions: the one in memory, and one that was valid at `validAtMs`. It is not held if there is
   * no room. @returns the newer one
   */
  hold(kept: Kept, validAtMs: number): Kept;
  /** Holds the id as absent. */
  holdAbsence(id: string): void;
  forgetAbsence(id: string): void;
  /** No source could revalidate what is held: for a moment it is served without another attempt. */
  pauseRevalidation(id: string): void;
  /** What is held is revalidated before it is served. */
  invalidate(id: string): void;
  /** The same of everything. */
  invalidateAll(): void;
  /** Whether only the truth can confirm what is held: Redis may have the same. */
  needsTruth(id: string): boolean;
  /** Holds things of an earlier process, the most recently used first: each is revalidated before it is served. */
  restore(kept: readonly Kept[]): void;
  /** For a snapshot, the most recently used first, by and large. */
  hot(max: number): Iterable<Kept>;
  /** Grows with every change of what `hot` returns. */
  readonly news: number;
  readonly size: number;
  readonly statistics: { readonly hits: number; readonly misses: number };
}
