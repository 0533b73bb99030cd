/**
 * Scans as they are recorded, for clients that stay connected. One statement a second for each workspace that has such
 * clients, shared by all of them; each client filters for itself.
 *
 * A client that does not keep up is not waited for: once {@link queuedMax} scans wait for it, its stream ends. It may connect
 * again where it was.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { ClientError } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { rowsMax } from '../../codes/export/scans/pages.ts';
import type { Delivered } from './delivered.ts';
import { type Place, parseLogged, placeAt, placeOf, readLog } from './log.ts';

const everyMs = 1_000;
const queuedMax = 20_000;
/** Streams of a workspace, and of this process. */
export const workspaceStreamsMax = 4;
const streamsMax = 32;
const retryAfterSeconds = 30;

export interface LiveScans {
  /** Where the next scan will come. */
  readonly place: Place;
  /** Scans as lines of JSON, in the order of recording; empty after `heartbeatMs`. Undefined once the stream ends. */
  next(heartbeatMs: number): Promise<readonly string[] | undefined>;
  leave(): void;
}

export interface Live {
  /** @throws {ClientError} RATE_LIMITED or UNAVAILABLE if there are too many streams */
  join(workspaceId: string): Promise<LiveScans>;
  readonly streams: number;
  /** Workspaces that have streams. */
  readonly feeds: number;
}

interface Listener {
  queue: string[][];
  queued: number;
  ended: boolean;
  wake(): void;
}

interface Feed {
  listeners: Set<Listener>;
  place: Place;
}

export interface LiveOptions {
  clickhouse: ClickHouseClient;
  delivered: Pick<Delivered, 'settled'>;
  /** Aborted when the process ends, or is replaced: streams end. */
  retired: AbortSignal;
  logger: Logger;
}

const give = (listener: Listener, lines: string[]): void => {
  listener.queued += lines.length;
  if (listener.queued > queuedMax) {
    listener.ended = true;
    listener.queue = [];
  } else listener.queue.push(lines);
  listener.wake();
};

const end = (listener: Listener): void => {
  listener.ended = true;
  listener.wake();
};

const nextOf = async (listener: Listener, heartbeatMs: number): Promise<readonly string[] | undefined> => {
  if (!listener.ended && listener.queue.length === 0) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, heartbeatMs);
    listener.wake = resolve;
    await promise;
    clearTimeout(timer);
  }
  if (listener.ended) return undefined;
  const lines = listener.queue.shift() ?? [];
  listener.queued -= lines.length;
  return lines;
};

export const createLive = ({ clickhouse, delivered, retired, logger }: LiveOptions): Live => {
  const feeds = new Map<string, Feed>();
  let streams = 0;

  /** @returns whether there may be more already */
  const poll = async (workspaceId: string, feed: Feed): Promise<boolean> => {
    const lines = await readLog(clickhouse, {
      selection: { workspaceId, filters: {}, codes: [] },
      kind: 'all',
      order: 'asc',
      after: feed.place,
      beforeMs: await delivered.settled(),
      rows: rowsMax,
    });
    const last = lines.at(-1);
    if (last === undefined) return false;
    feed.place = placeOf(parseLogged(last));
    for (const listener of feed.listeners) give(listener, lines);
    return lines.length === rowsMax;
  };

  const follow = async (workspaceId: string, feed: Feed): Promise<void> => {
    while (feed.listeners.size > 0 && !retired.aborted) {
      const more = await poll(workspaceId, feed).catch((error) => {
        logger.debug({ err: error, workspaceId }, 'could not read new scans: trying again');
        return false;
      });
      if (!more) await sleep(everyMs, undefined, { signal: retired }).catch(() => undefined);
    }
    if (feeds.get(workspaceId) === feed) feeds.delete(workspaceId);
    for (const listener of feed.listeners) end(listener);
  };

  const feedAt = (workspaceId: string, place: Place): Feed => {
    const feed: Feed = { listeners: new Set(), place };
    feeds.set(workspaceId, feed);
    return feed;
  };

  const requirePlace = (workspaceId: string): void => {
    if ((feeds.get(workspaceId)?.listeners.size ?? 0) >= workspaceStreamsMax)
      throw new ClientError(
        'RATE_LIMITED',
        `More than ${workspaceStreamsMax} streams of scans at once are not allowed; close one of yours first`,
        { retryAfterSeconds },
      );
    if (streams >= streamsMax)
      throw new ClientError('UNAVAILABLE', 'Too many streams of scans are open; try again', {
        retryAfterSeconds,
      });
  };

  return {
    get streams() {
      return streams;
    },
    get feeds() {
      return feeds.size;
    },
    async join(workspaceId) {
      requirePlace(workspaceId);
      const settledMs = await delivered.settled();
      // Others may have begun meanwhile.
      requirePlace(workspaceId);
      const known = feeds.get(workspaceId);
      const feed = known ?? feedAt(workspaceId, placeAt(settledMs));
      const listener: Listener = { queue: [], queued: 0, ended: retired.aborted, wake: () => undefined };
      feed.listeners.add(listener);
      streams++;
      const { place } = feed;
      if (!known) void follow(workspaceId, feed);
      return {
        place,
        next: (heartbeatMs) => nextOf(listener, heartbeatMs),
        leave() {
          if (feed.listeners.delete(listener)) streams--;
        },
      };
    },
  };
};
