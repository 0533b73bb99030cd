/**
 * Tells which counts of scans that were read are still current. Every half second a query asks ClickHouse for the codes
 * that have had new scans lately. A count is current where it was read after the last new scan of its code was noticed, or
 * where its code has had none. The queries run only while somebody reads counts.
 */
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { Logger } from '#shared/logger.ts';

const askEveryMs = 500;
/** After the last answer, nothing is certain for longer than this. */
const certainMs = 1_000;
/** The queries pause when nobody has read a count for this long. */
const idleMs = 10_000;
/** How far back a query looks. An INSERT that takes longer, from its beginning until it can be read, may be missed … */
const windowS = 10;
/** … and a missed count is read again after this time. */
const currentMaxMs = 60_000;
/** With more changed codes than this, all counts are read again. */
const changesMax = 20_000;
const timeoutMs = 1_000;

export interface ScanChanges {
  /**
   * Whether the count of a code is current.
   * @param askedAtMs when ClickHouse was asked for the count, by performance.now()
   */
  isCurrent(codeId: string, askedAtMs: number): boolean;
}

interface Change {
  id: string;
  at: string;
}

export const createScanChanges = (clickhouse: ClickHouseClient, logger: Logger): ScanChanges => {
  /** The last record of a scan of each code, by ClickHouse's clock, and when it was noticed, by this process's clock. */
  let changes = new Map<string, { at: string; noticedAtMs: number }>();
  /** Counts that were read before are not current: nothing watched then, or there was too much to watch. */
  let validFromMs = Number.POSITIVE_INFINITY;
  let certainUntilMs = Number.NEGATIVE_INFINITY;
  let neededUntilMs = Number.NEGATIVE_INFINITY;
  let watching = false;

  const take = (found: readonly Change[]): void => {
    const noticedAtMs = performance.now();
    if (found.length > changesMax) validFromMs = noticedAtMs;
    changes = new Map(
      found.map(({ id, at }) => {
        const known = changes.get(id);
        return [id, known?.at === at ? known : { at, noticedAtMs }];
      }),
    );
  };

  const watch = async (): Promise<void> => {
    watching = true;
    validFromMs = performance.now();
    changes = new Map();
    let failed = false;
    while (performance.now() < neededUntilMs) {
      const askedAtMs = performance.now();
      // A scan that was recorded while no query succeeded may have left the window.
      if (askedAtMs > certainUntilMs) validFromMs = askedAtMs;
      try {
        take(await queryChanges(clickhouse));
        certainUntilMs = askedAtMs + certainMs;
        failed = false;
      } catch (error) {
        if (!failed) logger.warn({ err: error }, 'changes of scan counts cannot be read: each is asked for');
        failed = true;
      }
      await new Promise((resolve) => setTimeout(resolve, askEveryMs).unref());
    }
    watching = false;
  };

  return {
    isCurrent(codeId, askedAtMs) {
      const nowMs = performance.now();
      neededUntilMs = nowMs + idleMs;
      if (!watching) void watch();
      if (nowMs > certainUntilMs || askedAtMs < validFromMs || nowMs - askedAtMs > currentMaxMs) return false;
      const change = changes.get(codeId);
      return change === undefined || askedAtMs > change.noticedAtMs;
    },
  };
};

const queryChanges = async (clickhouse: ClickHouseClient): Promise<Change[]> => {
  const result = await clickhouse.query({
    query: `SELECT code_id AS id, toString(max(recorded_at)) AS at FROM scan_changes
            WHERE recorded_at > now64(3) - INTERVAL ${windowS} SECOND GROUP BY code_id LIMIT ${changesMax + 1}`,
    format: 'JSONEachRow',
    abort_signal: AbortSignal.timeout(timeoutMs),
  });
  return result.json<Change>();
};
