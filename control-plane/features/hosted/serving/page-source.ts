/**
 * Where pages come from when this process does not hold them, or has to ask whether they have changed: PostgreSQL says which
 * revision is the current one; the page is that of Redis where it is this revision, else PostgreSQL's.
 */
import { createCoalescer } from '#shared/coalescer.ts';
import { ClientError } from '#shared/errors.ts';
import type { Pool } from '../../../db/pool.ts';
import { within } from '../within.ts';
import { type FoundPage, findPages, findRevisions } from './page-rows.ts';
import type { StoredPage, StoredPages } from './stored-pages.ts';

/** Where a page has been found. `stale`: where it was held, or in Redis, while PostgreSQL did not answer. */
export type Origin = 'database' | 'redis' | 'stale';

export interface LocatedPage extends StoredPage {
  origin: Origin;
}

/** `unchanged`: it still is the revision that the caller has. Undefined: there is no such page. */
export type PageState = LocatedPage | 'unchanged' | undefined;

export interface PageSource {
  /**
   * @param knownRevision of what the caller holds
   * @throws {ClientError} UNAVAILABLE where too many wait, and what PostgreSQL throws where Redis has no page either
   */
  look(id: string, knownRevision?: string): Promise<PageState>;
}

export interface PageSourceOptions {
  pool: Pool;
  stored: StoredPages;
  isUnavailable(error: unknown): boolean;
}

/** A revision is a few bytes … */
const revisionsBatchMax = 500;
/** … and a page up to 4 MB. */
const pagesBatchMax = 4;
/** Beyond these, views are turned away: each that waits holds a connection of a client. */
const waitingMax = 2_000;
/** A view of a page that is not held waits so long for PostgreSQL before Redis has to do. */
const databaseWaitMs = 1_500;

/** For what Redis has, PostgreSQL can be asked: nobody waits long for Redis. */
const storedWaitMs = 100;
/** Then the next views do not wait for so long. */
const pauseAfterSilenceMs = 1_000;

const refusal = () => new ClientError('UNAVAILABLE', 'Too many pages are asked for at once; try again');

const batched = <Answer>(
  batchMax: number,
  runBatch: (ids: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
) =>
  createCoalescer<string, Answer>({
    keyOf: (id) => id,
    runBatch,
    batchMax,
    waitingMax: [waitingMax],
    refusal,
  });

const away = () => new ClientError('UNAVAILABLE', 'The page cannot be looked up at the moment');

/** Takes two connections at most: one that asks for revisions, and one for pages. */
export const createPageSource = ({ pool, stored, isUnavailable }: PageSourceOptions): PageSource => {
  const revisions = batched<string>(revisionsBatchMax, (ids) => findRevisions(pool, ids));
  const pages = batched<FoundPage>(pagesBatchMax, (ids) => findPages(pool, ids));

  let askAgainAtMs = 0;

  const readStored = (id: string) => within(storedWaitMs, stored.read(id));

  const load = async (id: string): Promise<LocatedPage | undefined> => {
    const found = await pages.run(id);
    return found && { ...found, origin: 'database' };
  };

  /** The revision, or a failure where it does not come in time. */
  const revisionOf = async (id: string): Promise<string | undefined> => {
    if (performance.now() < askAgainAtMs) throw away();
    const asked = await within(
      databaseWaitMs,
      revisions.run(id).then((revision) => ({ revision })),
    );
    if (asked) return asked.revision;
    askAgainAtMs = performance.now() + pauseAfterSilenceMs;
    throw away();
  };

  const lookUnheld = async (id: string): Promise<PageState> => {
    const reading = readStored(id);
    try {
      const revision = await revisionOf(id);
      if (revision === undefined) return undefined;
      const kept = await reading;
      return kept?.revision === revision ? { ...kept, origin: 'redis' } : await load(id);
    } catch (error) {
      const kept = isUnavailable(error) ? await reading : undefined;
      if (!kept) throw error;
      return { ...kept, origin: 'stale' };
    }
  };

  const lookHeld = async (id: string, knownRevision: string): Promise<PageState> => {
    const revision = await revisions.run(id);
    if (revision === undefined) return undefined;
    if (revision === knownRevision) return 'unchanged';
    const kept = await readStored(id);
    return kept?.revision === revision ? { ...kept, origin: 'redis' } : load(id);
  };

  return {
    look: (id, knownRevision) => (knownRevision === undefined ? lookUnheld(id) : lookHeld(id, knownRevision)),
  };
};
