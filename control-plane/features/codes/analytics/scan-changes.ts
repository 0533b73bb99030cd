/**
 * Tells which scan counts read earlier are still current. Every half second a query asks ClickHouse for codes with new
 * scans. A count is current if it was read after the last new scan of its code was noticed, or if its code has had
 * none. The queries run only while counts are being read.
 */
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { Logger } from '#shared/logger.ts';

const askEveryMs = 500;
/** After the last successful query, nothing is certain for longer than this. */
const certainMs = 1_000;
/** The queries pause if no count was read for this long. */
const idleMs = 10_000;
/** How far back a query looks. A scan whose INSERT takes longer until it is visible may be missed … */
const windowS = 10;
/** … and its count is read again after this time. */
const currentMaxMs = 60_000;
/** If more codes than this have changed, all counts are read again. */
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
  /** The last scan recorded of each code, by ClickHouse's clock, and when this process noticed it, by its own. */
  let changes = new Map<string, { at: string; noticedAtMs: number }>();
  /** Counts read before are not current: nothing was watched then, or there were too many changes. */
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
      // A scan recorded while no query succeeded may have left the window.
      if (askedAtMs > certainUntilMs) validFromMs = askedAtMs;
      try {
        take(await queryChanges(clickhouse));
        certainUntilMs = askedAtMs + certainMs;
        failed = false;
      } catch (error) {
        if (!failed)
          logger.warn({ err: error }, 'cannot watch for changed scan counts: reading each count instead');
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
