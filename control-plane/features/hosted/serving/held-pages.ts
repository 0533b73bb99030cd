/** The pages that this process holds, bounded in bytes, and ids of which it knows that they name none. */
import { LRUCache } from 'lru-cache';
import type { HostedPage } from '../hosted-page.ts';
import type { ServedDocument } from './documents.ts';

/** Ids that name nothing, of which this is known. */
const absencesMax = 10_000;

export interface HeldPage {
  /** Absent where there is no such page. */
  readonly page: HostedPage | undefined;
  readonly revision: string | undefined;
  /** Its documents, by variant. */
  readonly documents: Map<string, Promise<ServedDocument>>;
}

export interface Entry extends HeldPage {
  /** When the question was asked to which it is the answer; -Infinity once it may have changed. */
  askedAtMs: number;
  bytes: number;
}

export interface HeldPages {
  of(id: string): Entry | undefined;
  hold(id: string, entry: Entry): Entry;
  /** Counts what has been rendered of a page, if it is still held. */
  grow(id: string, held: HeldPage, bytes: number): void;
  readonly bytes: number;
  readonly count: number;
}

export const createHeldPages = (bytesMax: number): HeldPages => {
  const pages = new LRUCache<string, Entry>({ maxSize: bytesMax, sizeCalculation: ({ bytes }) => bytes });
  const absences = new LRUCache<string, Entry>({ max: absencesMax });
  return {
    of: (id) => pages.get(id) ?? absences.get(id),
    hold(id, entry) {
      const [mine, other] = entry.page ? [pages, absences] : [absences, pages];
      other.delete(id);
      mine.set(id, entry);
      return entry;
    },
    grow(id, held, bytes) {
      const entry = pages.peek(id);
      if (!entry || entry !== held) return;
      entry.bytes += bytes;
      pages.set(id, entry);
    },
    get bytes() {
      return pages.calculatedSize;
    },
    get count() {
      return pages.size;
    },
  };
};
