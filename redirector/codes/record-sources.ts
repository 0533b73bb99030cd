/** The two sources of records: Redis, which has most, and the control plane, which has the truth. */
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
import type { Found, RecordSource } from './resolve.ts';

/** Reads each text by itself: one that cannot be read costs nobody else his record. */
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

/** A timeline that is none is that of a database that was never restored. */
const toTimeline = (text: string | null | undefined): number =>
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
 * The control plane's internal lookup; what it finds it also puts into Redis. It is told the format that can be read here:
 * a later release answers in it, an earlier one answers in its own, with what it knows of the code.
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
