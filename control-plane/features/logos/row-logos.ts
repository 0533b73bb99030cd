/**
 * The logos of bulk rows that give theirs by URL. Their author chooses the servers, and a server need not answer:
 *
 * - A URL is fetched once, and the result is kept for the rest of the operation.
 * - Fetches run concurrently, so a silent server does not hold up the others. Few run per host: it may be a victim.
 * - The fetches of a run begin within a few seconds. Later rows are left for a later run, after other workspaces.
 * - After some silent servers a workspace's fetches get less time. A good server answers within a tenth of it.
 * - The bytes of a run are limited, since all its logos are in memory together.
 */
import { LRUCache } from 'lru-cache';
import pLimit, { type LimitFunction } from 'p-limit';
import { createEntryCache } from '#shared/entry-cache.ts';
import { ClientError } from '#shared/errors.ts';
import { FetchFailed, type SafeFetch } from '../../platform/outgoing/safe-fetch.ts';
import { fetchLogo } from './fetch-logo.ts';

/** Concurrent fetches of one run: each may have a logo of 1 MB in memory. */
const fetchesMax = 48;
const fetchesPerHostMax = 16;
/** No fetch of a run begins later. */
const beginMsMax = 3_000;
const timeoutMs = 3_000;
const shortTimeoutMs = 1_000;
/** A timer may fire a little early. */
const slackMs = 50;
/** Time-outs of a workspace after which its fetches get {@link shortTimeoutMs}, and how long each of them counts. */
const silentMax = 8;
const silentKeptMs = 60_000;
/** Characters of the logos of one run, in base64. */
const runLengthMax = 24 * 2 ** 20;
/** Logos in memory, for the next runs of an operation. */
const keptLengthMax = 32 * 2 ** 20;
const keptMs = 60_000;
const refusalsMax = 10_000;
const workspacesMax = 10_000;

/**
 * A logo of the run, in base64.
 * @throws {ClientError} UNPROCESSABLE naming `image`, if the URL does not lead to a logo; UNAVAILABLE if the run has no
 * time or memory left for it, but a later one may
 */
export type FetchRowLogo = (url: string) => Promise<string>;

export interface RowLogos {
  /** Begins a run: the rows that are prepared together. */
  run(workspaceId: string): FetchRowLogo;
}

const later = () => new ClientError('UNAVAILABLE', 'The logo of this row has not been fetched yet');

/** Remembers recent time-outs by workspace. */
const createSilences = () => {
  const silences = createEntryCache<string, number[]>(workspacesMax, { ttl: silentKeptMs });
  const recent = (workspaceId: string): number[] =>
    (silences.get(workspaceId) ?? []).filter((atMs) => atMs > performance.now() - silentKeptMs);
  return {
    timeoutMsFor: (workspaceId: string): number =>
      recent(workspaceId).length < silentMax ? timeoutMs : shortTimeoutMs,
    add(workspaceId: string): void {
      silences.set(workspaceId, [...recent(workspaceId), performance.now()].slice(-silentMax));
    },
  };
};

/** The slots of one run's fetches. */
const createPlaces = () => {
  const all = pLimit(fetchesMax);
  const ofHost = new Map<string, LimitFunction>();
  return <T>(url: string, fetch: () => Promise<T>): Promise<T> => {
    const { host } = new URL(url);
    const own = ofHost.get(host) ?? pLimit(fetchesPerHostMax);
    ofHost.set(host, own);
    return own(() => all(fetch));
  };
};

export const createRowLogos = (safeFetch: SafeFetch): RowLogos => {
  const kept = new LRUCache<string, string>({
    maxSize: keptLengthMax,
    sizeCalculation: ({ length }) => length,
    ttl: keptMs,
  });
  const refusals = createEntryCache<string, ClientError>(refusalsMax, { ttl: keptMs });
  const silences = createSilences();

  const fetchNew = async (workspaceId: string, url: string, key: string): Promise<string> => {
    const givenMs = silences.timeoutMsFor(workspaceId);
    const beganMs = performance.now();
    try {
      const logo = await fetchLogo(safeFetch, url, { field: 'image', timeoutMs: givenMs });
      kept.set(key, logo);
      return logo;
    } catch (error) {
      if (error instanceof FetchFailed && performance.now() - beganMs > givenMs - slackMs)
        silences.add(workspaceId);
      if (error instanceof ClientError) refusals.set(key, error);
      throw error;
    }
  };

  return {
    run(workspaceId) {
      const beginsByMs = performance.now() + beginMsMax;
      const inPlace = createPlaces();
      const begun = new Map<string, Promise<string>>();
      let length = 0;

      const take = (logo: string): string => {
        length += logo.length;
        return logo;
      };
      const fetchOrLater = (url: string, key: string) => async (): Promise<string> => {
        if (performance.now() > beginsByMs || length > runLengthMax) throw later();
        return take(await fetchNew(workspaceId, url, key));
      };
      const begin = async (url: string): Promise<string> => {
        const key = `${workspaceId} ${url}`;
        const known = kept.get(key);
        if (known !== undefined) return take(known);
        const refusal = refusals.get(key);
        if (refusal) throw refusal;
        return inPlace(url, fetchOrLater(url, key));
      };
      return (url) => {
        const fetching = begun.get(url) ?? begin(url);
        begun.set(url, fetching);
        return fetching;
      };
    },
  };
};
