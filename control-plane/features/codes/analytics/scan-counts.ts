/**
 * `scanCount` of codes, from the daily totals. It comes from another database than the code, and reading codes must not
 * depend on it: if ClickHouse is away, the last count that this process has seen is used, or 0, and the answer says
 * that it is not current.
 *
 * A query costs ClickHouse about 3 ms however few codes it is about, and the embedded one 8. So a count known to be
 * current (scan-changes.ts) is not queried again, and there is one query at a time, which readers share.
 */

import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { createCoalescer } from '#shared/coalescer.ts';
import { createEntryCache } from '#shared/entry-cache.ts';
import type { Logger } from '#shared/logger.ts';
import { createScanChanges } from './scan-changes.ts';

/** A count that takes longer is not waited for. */
const timeoutMs = 1_000;
/** After a failure, skip ClickHouse for this long: requests must not wait for a known outage. */
const pauseAfterFailureMs = 1_000;
/** Remembered counts: about 20 MB. */
const rememberedMax = 100_000;
/** The ids are in the query's URL: this many, each of another workspace, take 12 of the usual 16 KB. */
export const batchIdsMax = 250;
/** More ids than this wait only if ClickHouse is too slow to be asked: they get their remembered counts. */
const waitingIdsMax = 20 * batchIdsMax;

export interface ScanCounts {
  /** Never fails. */
  of(workspaceId: string, ids: readonly string[]): Promise<ScanCountAnswer>;
}

export interface ScanCountAnswer {
  counts: ReadonlyMap<string, number>;
  /** Whether the counts are from memory. */
  stale: boolean;
}

/** A count, and when it was queried, by performance.now(). */
interface Remembered {
  count: number;
  askedAtMs: number;
}

interface OwnId {
  workspaceId: string;
  id: string;
}

interface IdAnswer {
  count: number;
  stale: boolean;
}

export const createScanCounts = (clickhouse: ClickHouseClient, logger: Logger): ScanCounts => {
  const remembered = createEntryCache<string, Remembered>(rememberedMax);
  const changes = createScanChanges(clickhouse, logger);
  let askAgainAtMs = 0;

  const inMemory = (id: string): number => remembered.get(id)?.count ?? 0;

  const allInMemory = (ids: readonly string[], stale: boolean): ScanCountAnswer => ({
    counts: new Map(ids.map((id) => [id, inMemory(id)])),
    stale,
  });

  const isCurrent = (id: string): boolean => {
    // Always ask, so that changes are watched from the first read on.
    const known = remembered.get(id);
    return changes.isCurrent(id, known?.askedAtMs ?? Number.NEGATIVE_INFINITY);
  };

  const ask = async (ids: readonly OwnId[]): Promise<boolean> => {
    if (performance.now() < askAgainAtMs) return false;
    const askedAtMs = performance.now();
    try {
      const counts = await queryCounts(clickhouse, ids);
      for (const [id, count] of counts) remembered.set(id, { count, askedAtMs });
      return true;
    } catch (error) {
      askAgainAtMs = performance.now() + pauseAfterFailureMs;
      logger.warn({ err: error }, 'scan counts are not current: ClickHouse did not answer');
      return false;
    }
  };

  const queries = createCoalescer<OwnId, IdAnswer>({
    keyOf: ({ id }) => id,
    async runBatch(ids) {
      const stale = !(await ask(ids));
      return new Map(ids.map(({ id }) => [id, { count: inMemory(id), stale }]));
    },
    batchMax: batchIdsMax,
    waitingMax: [waitingIdsMax],
    refusal: () => new Error('too many scan counts are being read'),
  });

  return {
    async of(workspaceId, ids) {
      if (ids.every(isCurrent)) return allInMemory(ids, false);
      if (performance.now() < askAgainAtMs || !queries.hasRoomFor(ids.length)) return allInMemory(ids, true);
      const answers = await queries.runAll(ids.map((id) => ({ workspaceId, id })));
      return {
        counts: new Map(ids.map((id, index) => [id, answers[index]!.count])),
        stale: answers.some((answer) => answer!.stale),
      };
    },
  };
};

/** Counts from ClickHouse. @param asked at most {@link batchIdsMax} */
export const queryCounts = async (
  clickhouse: ClickHouseClient,
  asked: readonly OwnId[],
): Promise<Map<string, number>> => {
  const ids = asked.map(({ id }) => id);
  const workspaceIds = [...new Set(asked.map(({ workspaceId }) => workspaceId))];
  const result = await clickhouse.query({
    // Days that are being erased may be below zero for a while.
    query: `SELECT code_id AS id, greatest(toInt64(sum(scans)), 0) AS scans FROM scans_daily
            WHERE workspace_id IN {workspaceIds:Array(String)} AND code_id IN {ids:Array(String)}
            GROUP BY code_id`,
    query_params: { workspaceIds, ids },
    format: 'JSONEachRow',
    abort_signal: AbortSignal.timeout(timeoutMs),
  });
  const counts = new Map(ids.map((id) => [id, 0]));
  for (const { id, scans } of await result.json<{ id: string; scans: string }>())
    counts.set(id, Number(scans));
  return counts;
};
