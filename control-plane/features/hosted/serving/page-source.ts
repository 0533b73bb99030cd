/**
 * Where pages come from when this process does not hold them, or has to ask whether they have changed: PostgreSQL says which
 * revision is the current one; the page is that of Redis where it is this revision, else PostgreSQL's. Where PostgreSQL tells that
 * Redis has missed a change, Redis is corrected.
 */
import { createCoalescer } from '#shared/coalescer.ts';
import { ClientError } from '#shared/errors.ts';
import type { Pool } from '../../../db/pool.ts';
import type { Background } from '../../../jobs/background.ts';
import type { HostedPage } from '../hosted-page.ts';
import { changeOf, type PageChange } from '../page-change.ts';
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
   * @param held the revision that the caller holds, undefined within it where the caller holds that there is no such page
   * @throws {ClientError} UNAVAILABLE where too many wait, or PostgreSQL does not answer in time, and what PostgreSQL throws
   */
  look(id: string, held?: { revision: string | undefined }): Promise<PageState>;
  /** What Redis knows of the last change of a page. Never fails, and takes at most 0.1 s. */
  lookAtChange(id: string): Promise<PageChange | undefined>;
  /** What Redis has, current or not, for when PostgreSQL is away. Never fails, and takes at most 0.1 s. */
  lookAside(id: string): Promise<LocatedPage | undefined>;
}

export interface PageSourceOptions {
  pool: Pool;
  stored: StoredPages;
  background: Background;
}

/** A revision is a few bytes … */
const revisionsBatchMax = 500;
/** … and a page up to 8 MB. */
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
export const createPageSource = ({ pool, stored, background }: PageSourceOptions): PageSource => {
  const revisions = batched<string>(revisionsBatchMax, (ids) => findRevisions(pool, ids));
  const pages = batched<FoundPage>(pagesBatchMax, (ids) => findPages(pool, ids));

  let askAgainAtMs = 0;

  const readStored = (id: string) => within(storedWaitMs, stored.read(id));

  /** Redis has missed a change. */
  const correct = (kept: StoredPage, current?: HostedPage): void => {
    const change = current ? changeOf(current) : ({ ...changeOf(kept.page), state: 'deleted' } as const);
    background.start('marking a hosted page as changed', stored.mark(change));
  };

  /** That of Redis where it is the current one. */
  const locate = async (
    id: string,
    revision: string | undefined,
    kept: StoredPage | undefined,
  ): Promise<LocatedPage | undefined> => {
    if (kept && kept.revision === revision) return { ...kept, origin: 'redis' };
    const found = revision === undefined ? undefined : await pages.run(id);
    if (kept) correct(kept, found?.page);
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
    const revision = await revisionOf(id);
    return locate(id, revision, await reading);
  };

  const lookHeld = async (id: string, known: string | undefined): Promise<PageState> => {
    const revision = await revisions.run(id);
    if (revision !== undefined && revision === known) return 'unchanged';
    if (revision === known) return undefined;
    return locate(id, revision, await readStored(id));
  };

  return {
    look: (id, held) => (held ? lookHeld(id, held.revision) : lookUnheld(id)),
    lookAtChange: (id) => within(storedWaitMs, stored.readState(id)),
    async lookAside(id) {
      const kept = await readStored(id);
      return kept && { ...kept, origin: 'stale' };
    },
  };
};
