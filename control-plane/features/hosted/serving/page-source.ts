/** Where pages come from when this process does not hold them, or has to ask whether they have changed. */

import { type Coalescer, createCoalescer } from '#shared/coalescer.ts';
import { ClientError } from '#shared/errors.ts';
import type { Pool } from '../../../db/pool.ts';
import { type FoundPage, findPages, findRevisions } from './page-rows.ts';

/** What is known of a page now: `unchanged` where it still is the revision that the caller has; undefined where there is none. */
export type PageState = FoundPage | 'unchanged' | undefined;

export interface PageSource {
  /**
   * @param knownRevision of what the caller holds
   * @throws {ClientError} UNAVAILABLE where too many wait, and what PostgreSQL throws
   */
  look(id: string, knownRevision?: string): Promise<PageState>;
}

/** A revision is a few bytes … */
const revisionsBatchMax = 500;
/** … and a page up to 4 MB. */
const pagesBatchMax = 4;
/** Beyond these, views are turned away: each that waits holds a connection of a client. */
const waitingMax = 2_000;

const refusal = () => new ClientError('UNAVAILABLE', 'Too many pages are asked for at once; try again');

const batched = <Answer>(
  batchMax: number,
  runBatch: (ids: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
): Coalescer<string, Answer> =>
  createCoalescer<string, Answer>({
    keyOf: (id) => id,
    runBatch,
    batchMax,
    waitingMax: [waitingMax],
    refusal,
  });

/** Takes two connections at once: one that asks for revisions, and one for pages. */
export const createPageSource = (pool: Pool): PageSource => {
  const revisions = batched(revisionsBatchMax, (ids) => findRevisions(pool, ids));
  const pages = batched(pagesBatchMax, (ids) => findPages(pool, ids));
  return {
    async look(id, knownRevision) {
      if (knownRevision === undefined) return pages.run(id);
      const revision = await revisions.run(id);
      if (revision === undefined) return undefined;
      return revision === knownRevision ? 'unchanged' : pages.run(id);
    },
  };
};
