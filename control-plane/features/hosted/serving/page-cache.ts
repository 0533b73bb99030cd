/**
 * The pages that this process holds, and when each was last known to be current.
 *
 *   held, heard of as unchanged, and asked for within 30 s ──▶ served as it is
 *   held otherwise ──▶ its revision is asked of PostgreSQL ──unchanged──▶ served as it is
 *   not held, or changed ──▶ read from PostgreSQL
 *
 * A notification makes a change seen at once; the 30 seconds are the guarantee. While PostgreSQL is away, what is held is served.
 * That there is no page is held, too.
 */

import { within } from '../within.ts';
import { createDocument } from './documents.ts';
import { createHeldDocuments } from './held-documents.ts';
import { createHeldPages, type Entry, type HeldPage } from './held-pages.ts';
import type { LocatedPage, PageSource, PageState } from './page-source.ts';

/** A page that is held is served without a question for so long. */
const freshMs = 30_000;
/** A view of a page that is held waits so long for PostgreSQL, and gets it as it is held then. */
const heldWaitMs = 300;
/** After a failure, pages that are held are served without a question for so long. */
const pauseAfterFailureMs = 1_000;
/** What a page takes beside its texts. */
const entryBytes = 1_000;

export const tiers = ['memory', 'asked', 'redis', 'database', 'unknown', 'stale'] as const;
/**
 * From where a page came: `asked` from memory after a question, `stale` from memory or Redis since PostgreSQL did not answer. `unknown`:
 * there is none.
 */
export type Tier = (typeof tiers)[number];

export interface PageCacheOptions {
  source: PageSource;
  /** Whether changes are heard of now. */
  isHeard(): boolean;
  isUnavailable(error: unknown): boolean;
  onServed(tier: Tier): void;
  bytesMax: number;
  nowMs?: () => number;
}

export interface PageCache {
  /** @throws what PostgreSQL throws where the page is not held */
  get(id: string): Promise<HeldPage>;
  /** It has been changed, by whomever. */
  changed(id: string): void;
  /** Anything may have been changed before now. */
  mayHaveMissed(): void;
  readonly bytes: number;
  readonly pages: number;
}

/** A question for a page, and whether it has been changed since it was asked. */
interface Question {
  answer?: Promise<Entry>;
  isOutdated: boolean;
}

const tierOf = (state: PageState): Tier => {
  if (state === undefined) return 'unknown';
  return state === 'unchanged' ? 'asked' : state.origin;
};

/** One that Redis alone vouches for is asked for with the next view. */
const presence = (
  { page, revision, document, origin }: LocatedPage,
  askedAtMs: number,
  onResized: () => void,
): Entry => {
  const documents = createHeldDocuments(onResized);
  if (document)
    documents.hold('', Promise.resolve(createDocument(document, { onEncoded: documents.resized })));
  return {
    page,
    revision,
    documents,
    askedAtMs: origin === 'stale' ? Number.NEGATIVE_INFINITY : askedAtMs,
    ownBytes: entryBytes + JSON.stringify(page.content).length * 2,
  };
};

const absence = (askedAtMs: number): Entry => ({
  page: undefined,
  revision: undefined,
  documents: createHeldDocuments(() => undefined),
  askedAtMs,
  ownBytes: entryBytes,
});

export const createPageCache = (options: PageCacheOptions): PageCache => {
  const { source, isHeard, isUnavailable, onServed, bytesMax, nowMs = () => performance.now() } = options;
  const pages = createHeldPages(bytesMax);
  const questions = new Map<string, Question>();
  let heardSinceMs = Number.POSITIVE_INFINITY;
  let askAgainAtMs = 0;

  const isFresh = ({ askedAtMs }: Entry): boolean =>
    isHeard() && askedAtMs >= heardSinceMs && nowMs() - askedAtMs < freshMs;

  const answered = (id: string, state: PageState, held: Entry | undefined, askedAtMs: number): Entry => {
    const now = pages.of(id);
    // A question that was asked later has been answered before.
    if (now && now.askedAtMs > askedAtMs) return now;
    if (state === 'unchanged' && held) return pages.hold(id, Object.assign(held, { askedAtMs }));
    if (state === 'unchanged' || !state) return pages.hold(id, absence(askedAtMs));
    return pages.hold(
      id,
      presence(state, askedAtMs, () => pages.recount(id)),
    );
  };

  const ask = async (id: string, held: Entry | undefined, question: Question): Promise<Entry> => {
    const askedAtMs = nowMs();
    try {
      const state = await source.look(id, held?.revision);
      onServed(tierOf(state));
      return answered(id, state, held, question.isOutdated ? Number.NEGATIVE_INFINITY : askedAtMs);
    } catch (error) {
      if (isUnavailable(error)) askAgainAtMs = nowMs() + pauseAfterFailureMs;
      throw error;
    } finally {
      if (questions.get(id) === question) questions.delete(id);
    }
  };

  /** Those who ask at the same time get one answer, unless the page is changed meanwhile. */
  const askOnce = (id: string, held: Entry | undefined): Promise<Entry> => {
    const asked = questions.get(id);
    if (asked?.answer && !asked.isOutdated) return asked.answer;
    const question: Question = { isOutdated: false };
    questions.set(id, question);
    question.answer = ask(id, held, question);
    return question.answer;
  };

  const stale = (held: Entry): Entry => {
    onServed('stale');
    return held;
  };

  /** What is held, unless PostgreSQL answers in time. */
  const askHeld = async (id: string, held: Entry): Promise<Entry> => {
    // One that has been changed is asked for all the same.
    if (nowMs() < askAgainAtMs && held.askedAtMs > Number.NEGATIVE_INFINITY) return stale(held);
    try {
      const current = await within(heldWaitMs, askOnce(id, held));
      if (current) return current;
      askAgainAtMs = nowMs() + pauseAfterFailureMs;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
    return stale(held);
  };

  return {
    async get(id) {
      const held = pages.of(id);
      if (held && isFresh(held)) {
        onServed('memory');
        return held;
      }
      return held?.page ? askHeld(id, held) : askOnce(id, undefined);
    },
    changed(id) {
      const held = pages.of(id);
      if (held) held.askedAtMs = Number.NEGATIVE_INFINITY;
      const question = questions.get(id);
      if (question) question.isOutdated = true;
    },
    mayHaveMissed() {
      heardSinceMs = nowMs();
    },
    get bytes() {
      return pages.bytes;
    },
    get pages() {
      return pages.count;
    },
  };
};
