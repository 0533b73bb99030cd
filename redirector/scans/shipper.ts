/**
 * Sends the spool's closed segments to a sink, oldest first, one at a time, until the sink has taken them. A segment
 * is sent again after any failure, under the same name: the sink must know a batch that it already has.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import type { Segment, Spool } from './spool.ts';

export interface Sink {
  readonly name: string;
  /**
   * Resolves once the segment is stored for good.
   * @throws {SegmentRefusedError} when no later try can succeed; anything else is tried again
   */
  send(segment: Segment, signal: AbortSignal): Promise<void>;
}

/** The sink cannot ever take this segment: its bytes are wrong, not the moment. */
export class SegmentRefusedError extends Error {
  override name = 'SegmentRefusedError';
}

const retryPauseMinMs = 100;
const retryPauseMaxMs = 5000;
/** A refusal may be a fault of the sink's own (a migration under way): only after this many is a segment set aside. */
const refusalsMax = 10;

export interface ShipperStatistics {
  rowsSent: number;
  segmentsSent: number;
  failures: number;
}

export interface Shipper {
  readonly statistics: ShipperStatistics;
  /**
   * Sends what is closed, for at most the time given, then stops. A segment that is under way then is sent again by
   * the next process, and the sink knows it by its name.
   * @returns what was not sent
   */
  stop(drainMs: number): Promise<{ rows: number }>;
}

export const startShipper = (spool: Spool, sink: Sink, logger: Logger): Shipper => {
  const statistics: ShipperStatistics = { rowsSent: 0, segmentsSent: 0, failures: 0 };
  const stopping = new AbortController();
  let wake = () => {};
  spool.onClosed(() => wake());

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

  const sendUntilTaken = async (segment: Segment): Promise<void> => {
    let pauseMs = retryPauseMinMs;
    for (let refusals = 0; !stopping.signal.aborted; ) {
      try {
        await sink.send(segment, stopping.signal);
        spool.remove(segment);
        statistics.rowsSent += segment.rows;
        statistics.segmentsSent++;
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        statistics.failures++;
        if (error instanceof SegmentRefusedError && ++refusals >= refusalsMax) {
          logger.error(
            { err: error, sink: sink.name, segment: segment.name },
            'segment refused for good: set aside',
          );
          spool.reject(segment);
          return;
        }
        if (pauseMs === retryPauseMinMs) {
          logger.warn(
            { err: error, sink: sink.name, segment: segment.name },
            'segment not taken: will be sent again',
          );
        }
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {
          // The only rejection is the abort, which the loop's condition sees.
        });
        pauseMs = Math.min(pauseMs * 2, retryPauseMaxMs);
      }
    }
  };

  const run = async (): Promise<void> => {
    for (;;) {
      const segment = await untilClosedSegment();
      if (segment === undefined) return;
      await sendUntilTaken(segment);
    }
  };
  const running = run();

  return {
    statistics,
    async stop(drainMs) {
      const deadline = Date.now() + drainMs;
      while (spool.first() && Date.now() < deadline) await sleep(10);
      stopping.abort();
      wake();
      await running;
      return { rows: spool.closedRows() };
    },
  };
};
