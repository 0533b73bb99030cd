/** How many scans of a capped code are used: reads the redirectors' counter without changing it. */
import type { Result } from 'ioredis';
import type { ExplainedCap } from '#schemas/api/explain.ts';
import { capHistoryKey, capKey } from '#schemas/code-record.ts';
import type { Redis } from '#shared/redis.ts';
import type { ScanCounts } from '../analytics/scan-counts.ts';
import type { Code } from '../store/code.ts';

// KEYS: the counter, and its replication history. Returns -1 if redirectors would not trust it.
const readCapScript = `
local history = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)') or ''
if redis.call('GET', KEYS[2]) ~= history then return -1 end
return tonumber(redis.call('GET', KEYS[1]) or -1)`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    readCap(keyCount: number, ...keys: string[]): Result<number, Context>;
  }
}

/** @returns null if the code has no cap. Never fails: without the counter it gives the recorded scans. */
export type ReadCap = (
  code: Pick<Code, 'id' | 'workspaceId' | 'maxScans' | 'capEpoch'>,
) => Promise<ExplainedCap | null>;

export const createReadCap = (redis: Redis, scanCounts: ScanCounts): ReadCap => {
  redis.defineCommand('readCap', { lua: readCapScript });

  /** -1 without a counter, or if Redis does not answer: redirectors then use the recorded scans, and so does this. */
  const counterOf = (key: string): Promise<number> =>
    redis.readCap(2, key, capHistoryKey(key)).catch(() => -1);

  return async ({ id, workspaceId, maxScans: max, capEpoch }) => {
    if (max === null) return null;
    const taken = await counterOf(capKey(id, capEpoch!));
    if (taken >= 0) return { max, taken, exact: true };
    const { counts } = await scanCounts.of(workspaceId, [id]);
    return { max, taken: counts.get(id) ?? 0, exact: false };
  };
};
