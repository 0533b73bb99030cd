/**
 * Rebuilds the counter of a cap from the recorded scans before any scan is let through. First, every living process
 * must have delivered the scans it answered before. Then ClickHouse is asked, and the counter is set if it is still
 * missing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CodeRecord } from '#schemas/code-record.ts';
import type { Logger } from '#shared/logger.ts';
import type { Membership } from '../instance/membership.ts';
import type { CapScripts } from './cap-scripts.ts';

export interface RebuildOptions {
  /** How long a scan waits for a counter that is being rebuilt. */
  rebuildWaitMs: number;
  /** A rebuild that takes longer fails. */
  rebuildTimeoutMs: number;
}

export interface Rebuilds {
  /** Rebuilds the counter, once for all scans waiting for it. @returns whether it was rebuilt in time */
  rebuild(record: CodeRecord, key: string): Promise<boolean>;
  readonly statistics: { rebuilt: number };
}

/**
 * A changed record reaches every process within this time of its announcement; a process cut off for longer is not
 * waited for. Longer than the time from a confirmation to letting its scan through, see cap-slots.ts.
 */
const propagationMs = 1000;
const pollMs = 200;

/** @param countRecorded a code's scans in ClickHouse; throws if ClickHouse cannot answer */
export const createRebuilds = (
  options: RebuildOptions,
  scripts: CapScripts,
  membership: Membership,
  countRecorded: (record: CodeRecord) => Promise<number>,
  logger: Logger,
): Rebuilds => {
  const underWay = new Map<string, Promise<boolean>>();
  const statistics = { rebuilt: 0 };

  /** Waits until ClickHouse has every scan that any process has answered so far. */
  const untilDelivered = async (): Promise<void> => {
    const deadlineMs = Date.now() + options.rebuildTimeoutMs;
    const barrierMs = (await membership.beat()).nowMs + propagationMs;
    for (;;) {
      const { complete, deliveredUntilMs } = await membership.beat();
      if (complete && deliveredUntilMs > barrierMs) return;
      if (Date.now() > deadlineMs) throw new Error('scans were not delivered in time');
      await sleep(pollMs);
    }
  };

  const restore = async (record: CodeRecord, key: string): Promise<boolean> => {
    try {
      const history = await scripts.history();
      await untilDelivered();
      const count = await countRecorded(record);
      if (!(await scripts.restore(key, count, history)))
        throw new Error('Redis was restarted during the rebuild');
      statistics.rebuilt++;
      logger.info({ code: record.id, count }, 'scan counter rebuilt from the recorded scans');
      return true;
    } catch (error) {
      logger.warn({ err: error, code: record.id }, 'could not rebuild the scan counter');
      return false;
    } finally {
      underWay.delete(key);
    }
  };

  return {
    rebuild(record, key) {
      let rebuilding = underWay.get(key);
      if (rebuilding === undefined) {
        rebuilding = restore(record, key);
        underWay.set(key, rebuilding);
      }
      return Promise.race([rebuilding, sleep(options.rebuildWaitMs, false)]);
    },
    statistics,
  };
};
