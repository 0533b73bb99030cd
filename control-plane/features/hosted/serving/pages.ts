/**
 * Pages as this control plane shows them: what redirectors do not hold. PostgreSQL says for each view which revision is the current
 * one; the page that is held is used again, with its variants, if it is that.
 */
import { LRUCache } from 'lru-cache';
import { createCoalescer } from '#shared/coalescer.ts';
import { ClientError } from '#shared/errors.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { HostedPage } from '../hosted-page.ts';
import { within } from '../within.ts';
import { createHeldVariants, type HeldVariants } from './held-variants.ts';
import { type FoundPage, findPages, findRevisions } from './page-rows.ts';

/** Of pages and their variants. */
const bytesMax = 64 * 2 ** 20;
/** What a page takes beside its texts. */
const pageBytes = 1_000;
/** A revision is a few bytes … */
const revisionsBatchMax = 500;
/** … and a page up to 8 MB. */
const pagesBatchMax = 4;
/** Beyond these, views are turned away: each that waits holds a connection of a client. */
const waitingMax = 2_000;
/** A view waits so long for PostgreSQL. */
const databaseWaitMs = 1_500;
/** After that the next views do not wait as long. */
const pauseAfterSilenceMs = 1_000;

export interface HeldPage {
  readonly page: HostedPage;
  readonly revision: string;
  readonly variants: HeldVariants;
  /** What it takes beside its variants. */
  readonly ownBytes: number;
}

export interface Pages {
  /**
   * @returns undefined if there is no such page
   * @throws {ClientError} UNAVAILABLE if too many wait, or PostgreSQL does not answer in time; what PostgreSQL throws
   */
  get(id: string): Promise<HeldPage | undefined>;
  readonly bytes: number;
  readonly count: number;
}

const batched = <Answer>(
  batchMax: number,
  runBatch: (ids: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
) =>
  createCoalescer<string, Answer>({
    keyOf: (id) => id,
    runBatch,
    batchMax,
    waitingMax: [waitingMax],
    refusal: () => new ClientError('UNAVAILABLE', 'Too many pages are asked for at once; try again'),
  });

const away = () => new ClientError('UNAVAILABLE', 'The page cannot be looked up at the moment');

/** Takes two connections at most: one that asks for revisions, and one for pages. */
export const createPages = (pool: Pool): Pages => {
  const revisions = batched<string>(revisionsBatchMax, (ids) => findRevisions(pool, ids));
  const pages = batched<FoundPage>(pagesBatchMax, (ids) => findPages(pool, ids));
  const held = new LRUCache<string, HeldPage>({
    maxSize: bytesMax,
    sizeCalculation: ({ ownBytes, variants }) => ownBytes + variants.bytes,
  });
  let askAgainAtMs = 0;

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

  /** Setting what is set does not count it again. */
  const recount = (id: string, one: HeldPage): void => {
    if (held.peek(id) !== one) return;
    held.delete(id);
    held.set(id, one);
  };

  const hold = ({ page, revision }: FoundPage): HeldPage => {
    const known = held.peek(page.id);
    if (known?.revision === revision) return known;
    const one: HeldPage = {
      page,
      revision,
      variants: createHeldVariants(() => recount(page.id, one)),
      ownBytes: pageBytes + (page.contentText ?? JSON.stringify(page.content)).length * 2,
    };
    held.set(page.id, one);
    return one;
  };

  return {
    async get(id) {
      const revision = await revisionOf(id);
      const known = held.get(id);
      if (revision === undefined || known?.revision === revision) return revision ? known : undefined;
      const found = await pages.run(id);
      return found && hold(found);
    },
    get bytes() {
      return held.calculatedSize;
    },
    get count() {
      return held.size;
    },
  };
};
