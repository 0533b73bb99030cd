/** The two sources of records: Redis, which has most of them, and the control plane, which has the truth. */
import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import {
  type CodeRecord,
  parseRecord,
  recordFormat,
  recordKey,
  timelineKey,
  UnreadableRecordError,
} from '#schemas/code-record.ts';
import type { Redis } from '#shared/redis.ts';

/** The answer of a source. An id that is neither among the records nor unreadable does not exist, as far as it knows. */
export interface Found<Kept = CodeRecord> {
  records: ReadonlyMap<string, Kept>;
  unreadable: readonly (Error & { readonly id: string | undefined })[];
  /** The latest timeline that the source knows of; 0 where it knows of none. */
  timeline: number;
}

/** Where records come from. Each asks for many at once. */
export interface RecordSource<Kept = CodeRecord> {
  readonly name: string;
  /**
   * @param held the record of an id in memory: may be given back, where the source has the same version
   * @throws when it cannot say
   */
  fetch(ids: string[], held: (id: string) => Kept | undefined): Promise<Found<Kept>>;
}

/** Reads each text by itself: one that cannot be read costs no other id its record. */
const read = (
  texts: readonly string[],
  held: (index: number) => CodeRecord | undefined,
): Pick<Found, 'records' | 'unreadable'> => {
  const records = new Map<string, CodeRecord>();
  const unreadable: UnreadableRecordError[] = [];
  for (const [index, text] of texts.entries()) {
    try {
      const record = parseRecord(text, held(index));
      records.set(record.id, record);
    } catch (error) {
      if (!(error instanceof UnreadableRecordError)) throw error;
      unreadable.push(error);
    }
  }
  return { records, unreadable };
};

/** A text that is no timeline counts as that of a database that was never restored. */
export const toTimeline = (text: string | null | undefined): number =>
  text && /^\d{1,8}$/.test(text) ? Number(text) : 0;

/** One MGET for all ids, and for the timeline that they must be of. */
export const createRedisSource = (redis: Redis): RecordSource => ({
  name: 'redis',
  async fetch(ids, held) {
    const [timeline, ...texts] = await redis.mget(timelineKey, ...ids.map(recordKey));
    const present = ids.flatMap((id, index) => {
      const text = texts[index];
      return typeof text === 'string' ? [{ id, text }] : [];
    });
    const found = read(
      present.map(({ text }) => text),
      (index) => held(present[index]!.id),
    );
    return { ...found, timeline: toTimeline(timeline) };
  },
});

const serializedRecords = z.array(z.string());

/**
 * The control plane's internal lookup, which also puts what it finds into Redis. The question names the format that this
 * release reads: a later release answers in it, an earlier one answers in its own, with what it knows of the code.
 * @param timeoutMs of one question
 */
export const createControlPlaneSource = (
  internalUrl: string,
  token: string,
  timeoutMs: number,
  dispatcher: Dispatcher,
): RecordSource => ({
  name: 'control-plane',
  async fetch(ids) {
    const { statusCode, body } = await request(
      `${internalUrl}/internal/codes?format=${recordFormat}&ids=${ids.map(encodeURIComponent).join(',')}`,
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
    return { ...read(serializedRecords.parse(await body.json()), () => undefined), timeline: 0 };
  },
});
