/**
 * `scanCount` of codes, from the daily totals. It comes from another database than the code, and reading codes must
 * not depend on that one: with ClickHouse away, the last count this process has seen stands in, 0 where there is none,
 * and the answer says that it is not current.
 *
 * A query costs ClickHouse about 3 ms however few codes it is about, and the embedded one 8. So a count that is known to
 * be current (scan-changes.ts) is not asked for again, and there is one query at a time: what is asked for meanwhile goes
 * together into the next one. A single reader waits for nothing, a thousand share a few queries.
 */
import { LRUCache } from 'lru-cache';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { Logger } from '#shared/logger.ts';
import { createScanChanges } from './scan-changes.ts';

/** A count that takes longer is not waited for. */
const timeoutMs = 1_000;
/** After a failure, this long nobody asks: a request must not pay for an outage that is known. */
const pauseAfterFailureMs = 1_000;
/** Last seen counts that are kept: about 20 MB. */
const rememberedMax = 100_000;
/** The ids stand in the query's URL: these many, each of another workspace, take 12 of the usual 16 KB. */
const batchIdsMax = 250;
/** More than this wait only where ClickHouse is too slow to be asked: they get what is remembered. */
const waitingBatchesMax = 20;

export interface ScanCounts {
  /** Never fails. At most {@link batchIdsMax} ids. */
  of(workspaceId: string, ids: readonly string[]): Promise<ScanCountAnswer>;
}

export interface ScanCountAnswer {
  counts: ReadonlyMap<string, number>;
  /** Whether the counts are from memory. */
  stale: boolean;
}

/** A count, and when ClickHouse was asked for it, by performance.now(). */
interface Remembered {
  count: number;
  askedAtMs: number;
}

/** What goes into one query. */
interface Batch {
  workspaceIds: Set<string>;
  ids: Set<string>;
  answer: PromiseWithResolvers<ScanCountAnswer>;
}

export const createScanCounts = (clickhouse: ClickHouseClient, logger: Logger): ScanCounts => {
  const remembered = new LRUCache<string, Remembered>({ max: rememberedMax });
  const changes = createScanChanges(clickhouse, logger);
  const waiting: Batch[] = [];
  let asking = false;
  let askAgainAtMs = 0;

  const fromMemory = (ids: Iterable<string>, stale: boolean): ScanCountAnswer => ({
    counts: new Map(Array.from(ids, (id) => [id, remembered.get(id)?.count ?? 0])),
    stale,
  });

  const isCurrent = (id: string): boolean => {
    // Asked in any case, so that changes are watched from the first read on.
    const known = remembered.get(id);
    return changes.isCurrent(id, known?.askedAtMs ?? Number.NEGATIVE_INFINITY);
  };

  const ask = async ({ workspaceIds, ids }: Batch): Promise<ScanCountAnswer> => {
    const askedAtMs = performance.now();
    try {
      const counts = await queryCounts(clickhouse, [...workspaceIds], [...ids]);
      for (const [id, count] of counts) remembered.set(id, { count, askedAtMs });
      return { counts, stale: false };
    } catch (error) {
      askAgainAtMs = performance.now() + pauseAfterFailureMs;
      logger.warn({ err: error }, 'scan counts are not current: ClickHouse did not answer');
      return fromMemory(ids, true);
    }
  };

  const work = async (): Promise<void> => {
    asking = true;
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      batch.answer.resolve(performance.now() < askAgainAtMs ? fromMemory(batch.ids, true) : await ask(batch));
    }
    asking = false;
  };

  return {
    of(workspaceId, ids) {
      if (ids.every(isCurrent)) return Promise.resolve(fromMemory(ids, false));
      if (performance.now() < askAgainAtMs || waiting.length >= waitingBatchesMax) {
        return Promise.resolve(fromMemory(ids, true));
      }
      const batch = roomFor(waiting, ids.length);
      batch.workspaceIds.add(workspaceId);
      for (const id of ids) batch.ids.add(id);
      if (!asking) void work();
      return batch.answer.promise;
    },
  };
};

/** The last batch that waits, or a new one behind it. */
const roomFor = (waiting: Batch[], ids: number): Batch => {
  const last = waiting.at(-1);
  if (last && last.ids.size + ids <= batchIdsMax) return last;
  const batch: Batch = { workspaceIds: new Set(), ids: new Set(), answer: Promise.withResolvers() };
  waiting.push(batch);
  return batch;
};

const queryCounts = async (
  clickhouse: ClickHouseClient,
  workspaceIds: readonly string[],
  ids: readonly string[],
): Promise<Map<string, number>> => {
  const result = await clickhouse.query({
    query: `SELECT code_id AS id, sum(scans) AS scans FROM scans_daily
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
