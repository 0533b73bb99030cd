/**
 * The pages that this process holds, and when each was last known to be current.
 *
 *   held, heard of as unchanged, and asked for within 30 s ──▶ served as it is
 *   held otherwise ──▶ its revision is asked of PostgreSQL ──unchanged──▶ served as it is
 *   not held, or changed ──▶ read from PostgreSQL
 *
 * A notification makes a change seen at once; the 30 seconds are the guarantee. While PostgreSQL is away, what is held is served,
 * and what Redis has, unless a later change has been seen here or is marked in Redis: then one that is deleted or paused is that, and
 * any other cannot be shown until PostgreSQL is back. That there is no page is held, too.
 */

import { ClientError } from '#shared/errors.ts';
import { changeOf, type PageChange } from '../page-change.ts';
import { within } from '../within.ts';
import { absence, presence } from './entries.ts';
import { createHeldPages, type Entry, type HeldPage, type HeldPages } from './held-pages.ts';
import { createLastKnown } from './last-known.ts';
import type { PageSource, PageState } from './page-source.ts';
import { createSeenChanges, type SeenChanges } from './seen-changes.ts';

/** A page that is held is served without a question for so long. */
const freshMs = 30_000;
/** A view of a page that is held waits so long for PostgreSQL, and gets it as it is held then … */
const heldWaitMs = 300;
/** … unless it has been changed: then there is nothing to get, and the view waits on, as for a page that is not held. */
const changedWaitMs = 1_200;
/** After a failure, pages that are held are served without a question for so long. */
const pauseAfterFailureMs = 1_000;

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
  changed(change: PageChange): void;
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

const noteTruth = (seen: SeenChanges, id: string, state: PageState, held: Entry | undefined): void => {
  const page = state === 'unchanged' ? held?.page : state?.page;
  if (page) seen.settle(changeOf(page));
  else seen.settleAbsent(id);
};

/** Holds what the answer says. @returns what is held then */
const holdAnswer = (
  pages: HeldPages,
  id: string,
  state: PageState,
  held: Entry | undefined,
  askedAtMs: number,
): Entry => {
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

const away = () => new ClientError('UNAVAILABLE', 'The page cannot be looked up at the moment');

/** Undefined where PostgreSQL does not answer in time. */
const createInTime =
  ({ isUnavailable }: Pick<PageCacheOptions, 'isUnavailable'>) =>
  (waitMs: number, asked: Promise<Entry>): Promise<Entry | undefined> =>
    within(waitMs, asked).catch((error: unknown) => {
      if (isUnavailable(error)) return undefined;
      throw error;
    });

export const createPageCache = (options: PageCacheOptions): PageCache => {
  const { source, isHeard, isUnavailable, onServed, bytesMax, nowMs = () => performance.now() } = options;
  const pages = createHeldPages(bytesMax);
  const seen = createSeenChanges();
  const findLastKnown = createLastKnown({ source, pages, seen });
  const inTime = createInTime(options);
  const questions = new Map<string, Question>();
  let heardSinceMs = Number.POSITIVE_INFINITY;
  let askAgainAtMs = 0;

  const isFresh = ({ askedAtMs }: Entry): boolean =>
    isHeard() && askedAtMs >= heardSinceMs && nowMs() - askedAtMs < freshMs;

  const ask = async (id: string, held: Entry | undefined, question: Question): Promise<Entry> => {
    const askedAtMs = nowMs();
    try {
      const state = await source.look(id, held);
      onServed(tierOf(state));
      if (!question.isOutdated) noteTruth(seen, id, state, held);
      return holdAnswer(pages, id, state, held, question.isOutdated ? Number.NEGATIVE_INFINITY : askedAtMs);
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

  const lastKnown = async (id: string, held: Entry | undefined, error: unknown): Promise<Entry> => {
    const known = await findLastKnown(id, held);
    if (!known) throw error;
    onServed('stale');
    return known;
  };

  /** What is held, unless PostgreSQL answers in time. */
  const askHeld = async (id: string, held: Entry): Promise<Entry> => {
    // One that has been changed is asked for all the same.
    if (nowMs() < askAgainAtMs && held.askedAtMs > Number.NEGATIVE_INFINITY)
      return lastKnown(id, held, away());
    const asked = askOnce(id, held);
    const current = await inTime(heldWaitMs, asked);
    if (current) return current;
    askAgainAtMs = nowMs() + pauseAfterFailureMs;
    return lastKnown(id, held, away()).catch(async (error: unknown) => {
      const late = await inTime(changedWaitMs, asked);
      if (late) return late;
      throw error;
    });
  };

  const askUnheld = (id: string): Promise<Entry> =>
    askOnce(id, undefined).catch((error: unknown) => {
      if (isUnavailable(error)) return lastKnown(id, undefined, error);
      throw error;
    });

  return {
    async get(id) {
      const held = pages.of(id);
      if (held && isFresh(held)) {
        onServed('memory');
        return held;
      }
      return held ? askHeld(id, held) : askUnheld(id);
    },
    changed(change) {
      const { id, state } = change;
      const isLast = seen.note(change);
      const held = pages.of(id);
      if (isLast && state === 'deleted') pages.hold(id, absence(Number.NEGATIVE_INFINITY));
      else if (held?.page) held.askedAtMs = Number.NEGATIVE_INFINITY;
      else if (isLast) pages.forget(id);
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
