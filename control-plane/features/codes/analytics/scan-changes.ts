/**
 * Which counts of scans that were read are still current. Every half second ClickHouse is asked which codes scans were
 * recorded of lately; a count that was read later than that of its code was noticed is current, and so is that of a code
 * that nobody scanned. It is asked only while somebody reads counts.
 */
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { Logger } from '#shared/logger.ts';

const askEveryMs = 500;
/** After the last answer, nothing is certain for longer than this. */
const certainMs = 1_000;
/** Nobody has read a count for this long: ClickHouse is not asked until somebody does. */
const idleMs = 10_000;
/** How far back it is asked: an INSERT that takes longer, from its beginning until it can be read, may be missed … */
const windowS = 10;
/** … and what was missed is read again after this time. */
const currentMaxMs = 60_000;
/** More changed codes than this, and all counts are read again. */
const changesMax = 20_000;
const timeoutMs = 1_000;

export interface ScanChanges {
  /**
   * Whether a count is current that ClickHouse was asked for at this time.
   * @param askedAtMs by performance.now()
   */
  isCurrent(codeId: string, askedAtMs: number): boolean;
}

interface Change {
  id: string;
  at: string;
}

export const createScanChanges = (clickhouse: ClickHouseClient, logger: Logger): ScanChanges => {
  /** When it was last recorded of a code, by ClickHouse's clock, and when this was noticed, by ours. */
  let changes = new Map<string, { at: string; noticedAtMs: number }>();
  /** What was read before is not current: nobody watched, or there was too much to watch. */
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
      // What was recorded while nobody could ask may have left the window.
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
