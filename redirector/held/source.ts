/** Where a store's things come from: Redis, which has most of them, and the control plane, which has the truth. */
import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { timelineKey } from '#schemas/code-record.ts';
import type { Versioned } from '#schemas/documents.ts';
import { UnreadableTextError } from '#schemas/unreadable-text.ts';
import type { Redis } from '#shared/redis.ts';

/** The answer of a source. An id that is neither among the records nor unreadable or undecided does not exist, as far as it knows. */
export interface Found<Kept> {
  records: ReadonlyMap<string, Kept>;
  unreadable: readonly UnreadableTextError[];
  /** Ids that were not looked for. They may exist or not. */
  undecided?: readonly string[];
  /** The latest timeline that the source knows of; 0 if it knows of none. */
  timeline: number;
}

/** Each source is asked for many ids at once. */
export interface Source<Kept> {
  readonly name: string;
  /**
   * @param held what is in memory under an id: may be returned, if the source has the same version
   * @throws if it cannot say
   */
  fetch(ids: string[], held: (id: string) => Kept | undefined): Promise<Found<Kept>>;
}

/** How the texts of a kind are found and read. */
export interface TextKind<Kept> {
  /** The Redis key of an id. */
  keyOf(id: string): string;
  /** The path and query of the control plane's lookup, without the ids. */
  lookup: string;
  /**
   * @param held what is in memory under the id: may be returned instead of parsing the same version again
   * @throws {UnreadableTextError}
   */
  parse(text: string, held?: Kept): Kept;
}

interface SentText<Kept> {
  text: string;
  /** Undefined if only the text says it. */
  id?: string;
  held?: Kept | undefined;
}

/** Reads each text by itself: one that cannot be read costs no other id its record. */
const read = <Kept extends Versioned>(
  { parse }: TextKind<Kept>,
  texts: readonly SentText<Kept>[],
): Pick<Found<Kept>, 'records' | 'unreadable'> => {
  const records = new Map<string, Kept>();
  const unreadable: UnreadableTextError[] = [];
  for (const { text, id, held } of texts) {
    try {
      const kept = parse(text, held);
      records.set(kept.id, kept);
    } catch (error) {
      if (!(error instanceof UnreadableTextError)) throw error;
      unreadable.push(
        id === undefined ? error : new UnreadableTextError(error.message, id, { cause: error }),
      );
    }
  }
  return { records, unreadable };
};

/** A text that is no timeline counts as that of a database that was never restored. */
const toTimeline = (text: string | null | undefined): number =>
  text && /^\d{1,8}$/.test(text) ? Number(text) : 0;

/** One MGET for all ids, and for the timeline that they must be of. */
const createRedisSource = <Kept extends Versioned>(kind: TextKind<Kept>, redis: Redis): Source<Kept> => ({
  name: 'redis',
  async fetch(ids, held) {
    const [timeline, ...texts] = await redis.mget(timelineKey, ...ids.map(kind.keyOf));
    const present = ids.flatMap((id, index) => {
      const text = texts[index];
      return typeof text === 'string' ? [{ id, text, held: held(id) }] : [];
    });
    return { ...read(kind, present), timeline: toTimeline(timeline) };
  },
});

export interface ControlPlane {
  /** The origin of its internal lookups. */
  internalUrl: string;
  token: string;
  /** Of one question. */
  timeoutMs: number;
  dispatcher: Dispatcher;
}

const texts = z.array(z.string());

/** The control plane's internal lookup, which also puts what it finds into Redis. */
const createControlPlaneSource = <Kept extends Versioned>(
  kind: TextKind<Kept>,
  { internalUrl, token, timeoutMs, dispatcher }: ControlPlane,
): Source<Kept> => ({
  name: 'control-plane',
  async fetch(ids) {
    const { statusCode, body } = await request(
      `${internalUrl}${kind.lookup}ids=${ids.map(encodeURIComponent).join(',')}`,
      {
        dispatcher,
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(timeoutMs),
      },
    );
    if (statusCode !== 200) {
      await body.dump();
      throw new Error(`the control plane answered ${statusCode} to a lookup`);
    }
    const sent = texts.parse(await body.json());
    return {
      ...read(
        kind,
        sent.map((text) => ({ text })),
      ),
      timeline: 0,
    };
  },
});

/** In the order in which they are asked; the last one has the truth. */
export const createSources = <Kept extends Versioned>(
  kind: TextKind<Kept>,
  redis: Redis,
  controlPlane: ControlPlane,
): Source<Kept>[] => [createRedisSource(kind, redis), createControlPlaneSource(kind, controlPlane)];
