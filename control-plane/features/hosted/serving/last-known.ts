/** What is served while PostgreSQL is away: nothing that is older than what is known of the page here, or by Redis. */
import { absence, barePaused, presence } from './entries.ts';
import type { Entry, HeldPages } from './held-pages.ts';
import type { PageSource } from './page-source.ts';
import type { SeenChanges } from './seen-changes.ts';

export interface LastKnownOptions {
  source: Pick<PageSource, 'lookAtChange' | 'lookAside'>;
  pages: HeldPages;
  seen: SeenChanges;
}

/** @returns undefined where nothing can be served: the page is not known, or has been changed to what nobody has */
export type FindLastKnown = (id: string, held: Entry | undefined) => Promise<Entry | undefined>;

export const createLastKnown = ({ source, pages, seen }: LastKnownOptions): FindLastKnown => {
  const isOlderThanSeen = ({ page }: Pick<Entry, 'page'>): boolean => {
    const last = page && seen.of(page.id);
    return (
      last !== undefined && (last.state === 'deleted' || last.changedAtMs > (page?.updatedAt.getTime() ?? 0))
    );
  };

  return async (id, held) => {
    const marked = await source.lookAtChange(id);
    if (marked) seen.note(marked);
    if (held && !isOlderThanSeen(held)) return held;
    const last = seen.of(id);
    if (last?.state === 'deleted') return pages.hold(id, absence(Number.NEGATIVE_INFINITY));
    if (last?.state === 'paused') return barePaused(last);
    const kept = await source.lookAside(id);
    if (!kept || isOlderThanSeen(kept)) return undefined;
    return pages.hold(
      id,
      presence(kept, Number.NEGATIVE_INFINITY, () => pages.recount(id)),
    );
  };
};
