/** The two sources of records: Redis, which has most, and the control plane, which has the truth. */
import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { type CodeRecord, parseRecord, recordKey } from '#schemas/code-record.ts';
import type { Redis } from '#shared/redis.ts';
import type { RecordSource } from './resolve.ts';

const toMap = (records: CodeRecord[]): Map<string, CodeRecord> =>
  new Map(records.map((record) => [record.id, record]));

/** One MGET for all ids. A record that cannot be read fails the batch: the next source is asked. */
export const createRedisSource = (redis: Redis): RecordSource => ({
  name: 'redis',
  async fetch(ids, held) {
    const texts = await redis.mget(ids.map(recordKey));
    const found = texts.map((text, index) => text !== null && parseRecord(text, held(ids[index]!)));
    return toMap(found.filter((record) => record !== false));
  },
});

const serializedRecords = z.array(z.string());

/**
 * The control plane's internal lookup; what it finds it also puts into Redis.
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
      `${internalUrl}/internal/codes?ids=${ids.map(encodeURIComponent).join(',')}`,
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
    return toMap(serializedRecords.parse(await body.json()).map((text) => parseRecord(text)));
  },
});
