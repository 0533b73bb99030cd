/** A page of the feed of events, and the cursors between pages. */
import { type EventFeedQuery, eventsKeptDays, fromNowOn } from '#schemas/api/event-feed.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { TextCursors } from '../../../api/http/cursors.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import {
  type FeedEntry,
  findEntry,
  type Horizon,
  listFeed,
  ownedEvents,
  type Position,
  readHorizon,
} from './store.ts';

/** Entries that a page with types looks at: other types cost their reader a page, and others nothing. */
const lookedAtMax = 2_000;
const keptMs = eventsKeptDays * 86_400_000;

export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
  readonly completeUntil: Date | null;
}

/** A position, and when it was reached: what is behind it was stored later, or hardly earlier. */
interface Reached extends Position {
  readonly at: Date;
}

const textOf = ({ timeline, xid, placedAt, id, at }: Reached): string =>
  [timeline, xid, placedAt.getTime(), id, at.getTime()].join('.');

const reachedOf = (text: string): Reached => {
  const [timeline = '', xid = '', placedMs = '', id = '', atMs = ''] = text.split('.');
  const [placedAt, at] = [new Date(Number(placedMs)), new Date(Number(atMs))];
  return { timeline: Number(timeline), xid, placedAt, id, at };
};

/** A cursor belongs to a workspace and to types. */
const listIdOf = (workspaceId: string, { types }: EventFeedQuery): string =>
  `${workspaceId} ${types?.toSorted().join(',') ?? ''}`;

/** @throws {ClientError} INVALID_REQUEST */
const decode = (cursors: TextCursors, listId: string, after: string): Reached => {
  try {
    return reachedOf(cursors.decode(listId, after));
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    throw new ClientError(
      'INVALID_REQUEST',
      `after must be a nextCursor of this feed with the same types, or the id of an event in it; given: ${quoted(after)}`,
      { cause: error },
    );
  }
};

/** Before all events of a transaction, and of all later ones. */
const before = (timeline: number, xid: string, at: Date): Reached => ({
  timeline,
  xid,
  placedAt: new Date(0),
  id: '',
  at,
});

/** A webhook may deliver an event that the feed does not reach yet: from there, a reader must not go back. */
const later = (start: Reached, end: Reached): Reached =>
  start.timeline === end.timeline && BigInt(start.xid) >= BigInt(end.xid) ? start : end;

/**
 * Horizons do not go back, unless PostgreSQL has lost its last commits in a failover: it then gives the ids of their transactions
 * to others, whose events would come to stand before the cursor.
 */
const isBeyond = ({ timeline, xid }: Reached, horizon: Horizon): boolean =>
  timeline === horizon.timeline && BigInt(xid) > BigInt(horizon.xid);

const expired = (why: string): ClientError =>
  new ClientError('CURSOR_EXPIRED', `after ${why}. Begin again without it`);

export const createFeedReader = (pool: Pool, cursors: TextCursors) => {
  /** Whether a cursor is behind an event that is still there: one that a webhook delivered before the feed reached it. */
  const isKept = async (workspaceId: string, { id, xid }: Reached): Promise<boolean> =>
    id !== '' && (await findEntry(pool, workspaceId, id))?.xid === xid;

  /** @throws {ClientError} INVALID_REQUEST for an id that the feed does not have */
  const eventReached = async (workspaceId: string, id: string): Promise<Reached> => {
    const entry = await findEntry(pool, workspaceId, id);
    if (entry) return { ...entry, at: entry.placedAt };
    throw new ClientError(
      'INVALID_REQUEST',
      `after must be an event of the last ${eventsKeptDays} days in this feed; given: ${quoted(id)}`,
    );
  };

  const startOf = async (
    workspaceId: string,
    query: EventFeedQuery,
    horizon: Horizon,
    nowMs: number,
  ): Promise<Reached> => {
    const { after } = query;
    if (after === undefined) return before(0, '0', new Date(nowMs - keptMs));
    if (after === fromNowOn) return before(horizon.timeline, horizon.xid, new Date(nowMs));
    if (ownedEvents.isIdShaped(after)) return eventReached(workspaceId, after);
    const reached = decode(cursors, listIdOf(workspaceId, query), after);
    if (reached.at.getTime() < nowMs - keptMs)
      throw expired(`is older than ${eventsKeptDays} days: events behind it are no longer kept`);
    if (isBeyond(reached, horizon) && !(await isKept(workspaceId, reached)))
      throw expired(
        'was given out by a database that has lost its last changes: events before it may be new',
      );
    return reached;
  };

  /** @throws {ClientError} INVALID_REQUEST naming `after`; CURSOR_EXPIRED if events behind it are not kept, or before it are new */
  return async (workspaceId: string, query: EventFeedQuery): Promise<FeedPage> => {
    const { limit, types } = query;
    const nowMs = Date.now();
    // Read before the events: whatever is before it is committed, so that they are all found.
    const horizon = await readHorizon(pool);
    const start = await startOf(workspaceId, query, horizon, nowMs);
    const lookedAt = types ? lookedAtMax : limit;
    // One more tells whether there are further ones.
    const found = await listFeed(pool, workspaceId, start, start.at, horizon, lookedAt + 1);
    const wanted = found.slice(0, lookedAt).filter(({ type }) => !types || types.some((one) => one === type));
    const entries = wanted.slice(0, limit);
    const hasMore = wanted.length > limit || found.length > lookedAt;
    const last = wanted.length > limit ? entries.at(-1) : found[lookedAt - 1];
    const end =
      hasMore && last
        ? { ...last, at: last.placedAt }
        : later(start, before(horizon.timeline, horizon.xid, new Date(nowMs)));
    return {
      entries,
      hasMore,
      nextCursor: cursors.encode(listIdOf(workspaceId, query), textOf(end)),
      completeUntil: horizon.completeUntil,
    };
  };
};
