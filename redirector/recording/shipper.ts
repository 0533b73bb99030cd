/**
 * Sends the spool's closed segments to a sink, oldest first, one at a time, until the sink has taken them. After a
 * failure a segment is retried under the same name, by which the sink must deduplicate.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import type { Segment } from './segment.ts';
import type { Spool } from './spool.ts';

export interface Sink {
  readonly name: string;
  /**
   * Resolves once the segment is stored for good.
   * @throws {SegmentRefusedError} if no retry can succeed; any other error is retried
   */
  send(segment: Segment, signal: AbortSignal): Promise<void>;
}

/** The sink can never take this segment: its bytes are wrong. */
export class SegmentRefusedError extends Error {
  override name = 'SegmentRefusedError';
}

/** The pause after a failure; it doubles with each further one … */
const retryPauseMs = 100;
/** … up to this. */
const retryPauseMaxMs = 5000;
/** A refusal may be the sink's own fault (a migration under way): a segment is rejected only after this many. */
const refusalsMax = 10;

export interface ShipperStatistics {
  rowsSent: number;
  segmentsSent: number;
  failures: number;
}

export interface Shipper {
  readonly statistics: ShipperStatistics;
  /**
   * Sends closed segments for at most `drainMs`, then stops; a second call may end that earlier. The next process
   * resends a segment that is under way then, and the sink deduplicates it by its name.
   * @returns the rows that were not sent
   */
  stop(drainMs: number): Promise<{ rows: number }>;
}

/** @param pauseMinMs after a first failure */
export const startShipper = (
  spool: Spool,
  sink: Sink,
  logger: Logger,
  pauseMinMs = retryPauseMs,
): Shipper => {
  const statistics: ShipperStatistics = { rowsSent: 0, segmentsSent: 0, failures: 0 };
  const stopping = new AbortController();
  let wake = () => {};
  spool.onClosed(() => wake());

  /** Whether the last attempt failed: only the first of several failures in a row is logged. */
  let failing = false;

  const pause = async (ms: number): Promise<void> => {
    await sleep(ms, undefined, { signal: stopping.signal }).catch(() => {
      // The only rejection is the abort, which the loop sees.
    });
  };

  const untilClosedSegment = async (): Promise<Segment | undefined> => {
    while (!stopping.signal.aborted) {
      const segment = spool.first();
      if (segment) return segment;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return undefined;
  };

  /** @param lastRefusal whether the segment is rejected if the sink refuses it now */
  const send = async (segment: Segment, lastRefusal: boolean): Promise<'taken' | 'failed' | 'refused'> => {
    try {
      await sink.send(segment, stopping.signal);
    } catch (error) {
      if (stopping.signal.aborted) return 'failed';
      statistics.failures++;
      const context = { err: error, sink: sink.name, segment: segment.name };
      if (!(error instanceof SegmentRefusedError)) {
        if (!failing) logger.warn(context, 'the sink did not take a segment; retrying');
        return 'failed';
      }
      if (!lastRefusal) return 'refused';
      logger.error(context, 'the sink refuses a segment; setting it aside');
      spool.reject(segment);
      return 'refused';
    }
    spool.remove(segment);
    statistics.rowsSent += segment.rows;
    statistics.segmentsSent++;
    return 'taken';
  };

  const run = async (): Promise<void> => {
    let refusals = 0;
    let pauseMs = pauseMinMs;
    let last: Segment | undefined;
    for (;;) {
      // Looked up again after a failure: while the disk hangs, the first may be a different one, in memory.
      const segment = await untilClosedSegment();
      if (segment === undefined) return;
      if (segment !== last) refusals = 0;
      last = segment;
      const outcome = await send(segment, refusals + 1 === refusalsMax);
      failing = outcome !== 'taken';
      if (outcome === 'refused') refusals++;
      if (!failing) pauseMs = pauseMinMs;
      else if (!stopping.signal.aborted) await pause(pauseMs);
      if (failing) pauseMs = Math.min(pauseMs * 2, retryPauseMaxMs);
    }
  };
  const running = run();

  return {
    statistics,
    async stop(drainMs) {
      const deadline = Date.now() + drainMs;
      while (spool.first() && Date.now() < deadline && !stopping.signal.aborted) await sleep(10);
      stopping.abort();
      wake();
      await running;
      return { rows: spool.closedRows() };
    },
  };
};
