/** The pages that this process holds, bounded in bytes, and ids of which it knows that they name none. */
import { LRUCache } from 'lru-cache';
import { createEntryCache } from '#shared/entry-cache.ts';
import type { HostedPage } from '../hosted-page.ts';
import type { HeldDocuments } from './held-documents.ts';

/** Ids that name nothing, of which this is known. */
const absencesMax = 10_000;

export interface HeldPage {
  /** Absent where there is no such page. */
  readonly page: HostedPage | undefined;
  readonly revision: string | undefined;
  readonly documents: HeldDocuments;
  /** What it takes beside its documents. */
  readonly ownBytes: number;
}

export interface Entry extends HeldPage {
  /** When the question was asked to which it is the answer; -Infinity once it may have changed. */
  askedAtMs: number;
}

export interface HeldPages {
  of(id: string): Entry | undefined;
  hold(id: string, entry: Entry): Entry;
  forget(id: string): void;
  /** Counts a page anew whose documents take more or less than before. */
  recount(id: string): void;
  readonly bytes: number;
  readonly count: number;
}

export const createHeldPages = (bytesMax: number): HeldPages => {
  const pages = new LRUCache<string, Entry>({
    maxSize: bytesMax,
    sizeCalculation: ({ ownBytes, documents }) => ownBytes + documents.bytes,
  });
  const absences = createEntryCache<string, Entry>(absencesMax);
  const forget = (id: string): void => {
    pages.delete(id);
    absences.delete(id);
  };
  const hold = (id: string, entry: Entry): Entry => {
    // Setting what is set does not count it anew.
    forget(id);
    (entry.page ? pages : absences).set(id, entry);
    return entry;
  };
  return {
    of: (id) => pages.get(id) ?? absences.get(id),
    hold,
    forget,
    recount(id) {
      const entry = pages.peek(id);
      if (entry) hold(id, entry);
    },
    get bytes() {
      return pages.calculatedSize;
    },
    get count() {
      return pages.size;
    },
  };
};
