/** Screens URLs against the operator's lists, and by the web-risk service if there is one. */
import { setImmediate as nextIteration } from 'node:timers/promises';
import { type Coalescer, createCoalescer } from '#shared/coalescer.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import { inSteps } from '../../api/http/steps.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { type Entry, writtenEntry } from './entry.ts';
import { hashesOf, textsOf } from './expressions.ts';
import { placeOf } from './place.ts';
import { findEntries, findKinds, type Kinds } from './store.ts';
import { differentUrls, type FoundUrl, urlsOfEach } from './urls.ts';
import type { WebRisk } from './web-risk.ts';

/** A URL that is blocked. */
export interface Finding {
  field: string;
  url: string;
  /** The entry of a list, or the threat that the service names. */
  by: string;
}

/** What screens: the lists always answer, the service may be away. */
export const screeningParts = ['lists', 'webRisk'] as const;
export type ScreeningPart = (typeof screeningParts)[number];

export interface Screening {
  /**
   * Checks what a write would lead visitors to. While the service is away, or busy, only the lists decide.
   * @throws {ClientError} DESTINATION_BLOCKED naming the field; UNPROCESSABLE naming the field that brings too many URLs
   */
  requireAllowed(body: unknown, workspaceId: string): Promise<void>;
  /**
   * Every URL of what is stored that a part blocks. The service is not asked about what lists block.
   * @throws {Error} if the service does not answer
   */
  findingsIn(stored: readonly unknown[], part: ScreeningPart): Promise<Finding[][]>;
  /** Whether anything could be found at all. */
  isIdle(): Promise<boolean>;
  readonly hasWebRisk: boolean;
}

/** A process hears within a second of the first entry of all, and of one that is longer than all others. */
const kindsMs = 1_000;

/** What one query looks up at most, and in characters: it is written and sent in a few milliseconds. */
const lookupsMax = 5_000;
const lengthMax = 512 * 1024;

/** The event loop is held up no longer. */
const stepMs = 4;

interface Looked {
  found: FoundUrl;
  texts: string[];
  hashes: string[];
}

/** URLs that are looked up together. */
interface Slice {
  looked: readonly Looked[];
  lookups: ReadonlySet<string>;
  /** What is looked up, in characters. */
  length: number;
}

const lookedOf = (found: FoundUrl, { texts, hashes, lengthMax: longest }: Kinds): Looked => {
  const place = placeOf(found.url);
  return { found, texts: texts ? textsOf(place, longest) : [], hashes: hashes ? hashesOf(place) : [] };
};

/** Of one URL there are at most 212 look-ups of 350,000 characters: a slice exceeds its bound by no more. */
async function* slicesOf(urls: readonly FoundUrl[], kinds: Kinds): AsyncGenerator<Slice> {
  let looked: Looked[] = [];
  let lookups = new Set<string>();
  let length = 0;
  let untilMs = performance.now() + stepMs;
  const add = (lookup: string): void => {
    if (!lookups.has(lookup)) length += lookup.length;
    lookups.add(lookup);
  };
  for (const found of urls) {
    const each = lookedOf(found, kinds);
    looked.push(each);
    for (const text of each.texts) add(text);
    for (const hash of each.hashes) add(`#${hash.slice(0, 8)}`);
    if (lookups.size >= lookupsMax || length >= lengthMax) {
      yield { looked, lookups, length };
      [looked, lookups, length] = [[], new Set(), 0];
      untilMs = 0;
    }
    if (performance.now() < untilMs) continue;
    await nextIteration();
    untilMs = performance.now() + stepMs;
  }
  if (looked.length > 0) yield { looked, lookups, length };
}

/** Rows of a bulk call are prepared together: they share a few connections and queries. */
const coalesced = (db: Queryable): Coalescer<Slice, Entry[]> => {
  const keys = new WeakMap<Slice, string>();
  let last = 0;
  const keyOf = (item: Slice): string => {
    const key = keys.get(item) ?? String(++last);
    keys.set(item, key);
    return key;
  };
  return createCoalescer({
    keyOf,
    async runBatch(items) {
      const lookups = new Set(items.flatMap((item) => [...item.lookups]));
      const found = await findEntries(db, [...lookups]);
      if (found.length === 0) return new Map();
      return new Map(
        items.map((item) => [keyOf(item), found.filter(({ lookup }) => item.lookups.has(lookup))]),
      );
    },
    batchMax: 50,
    // A share of both bounds.
    weight: { of: ({ lookups, length }) => Math.max(lookups.size / lookupsMax, length / lengthMax), max: 1 },
    waitingMax: [5_000],
    refusal: () => new ClientError('UNAVAILABLE', 'Too many destinations wait to be checked'),
  });
};

/** The entry that blocks a URL. */
const entryOf = ({ texts, hashes }: Looked, byLookup: ReadonlyMap<string, readonly Entry[]>) => {
  const text = texts.find((each) => byLookup.has(each));
  if (text !== undefined) return byLookup.get(text)![0];
  for (const hash of hashes) {
    const entry = byLookup.get(`#${hash.slice(0, 8)}`)?.find(({ rest }) => hash.startsWith(rest, 8));
    if (entry) return entry;
  }
  return undefined;
};

/** The entries that block URLs, by URL. */
const blockedByLists = async (
  entries: Coalescer<Slice, Entry[]>,
  urls: readonly FoundUrl[],
  kinds: Kinds,
): Promise<Map<FoundUrl, string>> => {
  const blocked = new Map<FoundUrl, string>();
  if (!kinds.texts && !kinds.hashes) return blocked;
  for await (const slice of slicesOf(urls, kinds)) {
    const byLookup = Map.groupBy((await entries.run(slice)) ?? [], ({ lookup }) => lookup);
    if (byLookup.size === 0) continue;
    for (const each of slice.looked) {
      const entry = entryOf(each, byLookup);
      if (entry) blocked.set(each.found, writtenEntry(entry));
    }
  }
  return blocked;
};

/** The names of lists and entries are the operator's own affair. */
const refusalOf = ({ field, url }: FoundUrl): ClientError =>
  new ClientError(
    'DESTINATION_BLOCKED',
    `${field} must not lead to ${quoted(url.origin)}: the operator of this service blocks this destination`,
  );

/** What is about to be encrypted leaves this process in no form, not even as a few bytes of a hash. */
const isToBeSealed = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'encryption' in body && body.encryption !== undefined;

/** @param webRisk undefined: the lists alone decide */
export const createScreening = (db: Queryable, webRisk: WebRisk | undefined): Screening => {
  const entries = coalesced(db);
  let kinds: Promise<Kinds> | undefined;
  let kindsUntilMs = 0;

  const kindsNow = (): Promise<Kinds> => {
    if (kinds && performance.now() < kindsUntilMs) return kinds;
    kindsUntilMs = performance.now() + kindsMs;
    const reading = findKinds(db);
    kinds = reading;
    // A failure is the caller's; the next one asks again.
    reading.catch(() => {
      kindsUntilMs = 0;
    });
    return reading;
  };

  const blockedBy = async (
    part: ScreeningPart,
    urls: readonly FoundUrl[],
  ): Promise<Map<FoundUrl, string>> => {
    const listed = await blockedByLists(entries, urls, await kindsNow());
    if (part === 'lists') return listed;
    if (!webRisk) return new Map();
    return webRisk.patiently(urls.filter((each) => !listed.has(each)));
  };

  return {
    hasWebRisk: webRisk !== undefined,
    async requireAllowed(body, workspaceId) {
      // Too many URLs are refused whether or not anything is blocked.
      const urls = await inSteps(differentUrls(body));
      if (urls.length === 0) return;
      const present = await kindsNow();
      const [blocked] = (await blockedByLists(entries, urls, present)).keys();
      if (blocked) throw refusalOf(blocked);
      if (!webRisk || isToBeSealed(body)) return;
      const [risky] = (await webRisk.quickly(urls, workspaceId)).keys();
      if (risky) throw refusalOf(risky);
    },
    async findingsIn(stored, part) {
      const byThing = await inSteps(urlsOfEach(stored));
      const found = await blockedBy(part, byThing.flat());
      return byThing.map((urls) =>
        urls.flatMap((each) => {
          const by = found.get(each);
          return by === undefined ? [] : [{ field: each.field, url: each.url.href, by }];
        }),
      );
    },
    async isIdle() {
      const { texts, hashes } = await kindsNow();
      return !texts && !hashes && !webRisk;
    },
  };
};
