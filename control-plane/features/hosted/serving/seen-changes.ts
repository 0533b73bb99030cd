/** What this process has seen of pages last, also of those that it does not hold: while PostgreSQL is away, nothing older is served. */
import { createEntryCache } from '#shared/entry-cache.ts';
import type { PageChange } from '../page-change.ts';

/** Pages of which this is known; a few hundred bytes each. */
const pagesMax = 20_000;

export interface SeenChanges {
  of(id: string): PageChange | undefined;
  /** @returns false where a later one has been seen */
  note(change: PageChange): boolean;
  /** PostgreSQL says that this is the current one, whatever has been seen: it may have been restored to an earlier point. */
  settle(change: PageChange): void;
  /** PostgreSQL says that there is no such page. */
  settleAbsent(id: string): void;
}

export const createSeenChanges = (): SeenChanges => {
  const seen = createEntryCache<string, PageChange>(pagesMax);
  return {
    of: (id) => seen.get(id),
    note(change) {
      const known = seen.get(change.id);
      if (known && known.changedAtMs > change.changedAtMs) return false;
      // Of two that are as old, one that says it is deleted is right.
      if (known?.changedAtMs !== change.changedAtMs || change.state === 'deleted')
        seen.set(change.id, change);
      return true;
    },
    settle(change) {
      seen.set(change.id, change);
    },
    settleAbsent(id) {
      const known = seen.get(id);
      // Ids that name nothing displace no page.
      if (known) seen.set(id, { ...known, state: 'deleted' });
    },
  };
};
