/**
 * `scanCount` of codes, from the daily totals. It comes from another database than the code, and reading codes must
 * not depend on that one: with ClickHouse away, the last count this process has seen stands in, 0 where there is none,
 * and the answer says that it is not current.
 */
import { LRUCache } from 'lru-cache';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { Logger } from '#shared/logger.ts';

/** A count that takes longer is not waited for. */
const timeoutMs = 1_000;
/** After a failure, this long nobody asks: a request must not pay for an outage that is known. */
const pauseAfterFailureMs = 1_000;
/** Last seen counts that are kept: about 15 MB. */
const rememberedMax = 100_000;

export interface ScanCounts {
  /** Never fails; one query, however many ids. */
  of(
    workspaceId: string,
    ids: readonly string[],
  ): Promise<{ counts: ReadonlyMap<string, number>; stale: boolean }>;
}

export const createScanCounts = (clickhouse: ClickHouseClient, logger: Logger): ScanCounts => {
  const remembered = new LRUCache<string, number>({ max: rememberedMax });
  let askAgainAtMs = 0;

  const ask = async (workspaceId: string, ids: readonly string[]): Promise<Map<string, number>> => {
    const result = await clickhouse.query({
      query: `SELECT code_id AS id, sum(scans) AS scans FROM scans_daily
              WHERE workspace_id = {workspaceId:String} AND code_id IN {ids:Array(String)}
              GROUP BY code_id`,
      query_params: { workspaceId, ids },
      format: 'JSONEachRow',
      abort_signal: AbortSignal.timeout(timeoutMs),
    });
    const rows = await result.json<{ id: string; scans: string }>();
    const counts = new Map(ids.map((id) => [id, 0]));
    for (const { id, scans } of rows) counts.set(id, Number(scans));
    return counts;
  };

  return {
    async of(workspaceId, ids) {
      if (ids.length === 0) return { counts: new Map(), stale: false };
      if (performance.now() >= askAgainAtMs) {
        try {
          const counts = await ask(workspaceId, ids);
          for (const [id, count] of counts) remembered.set(id, count);
          return { counts, stale: false };
        } catch (error) {
          askAgainAtMs = performance.now() + pauseAfterFailureMs;
          logger.warn({ err: error }, 'scan counts are not current: ClickHouse did not answer');
        }
      }
      return { counts: new Map(ids.map((id) => [id, remembered.get(id) ?? 0])), stale: true };
    },
  };
};
