/**
 * Counts views in memory and adds them to the database in batches: no view waits for it, and a process that is killed loses half a
 * second of them. A batch whose answer is lost is sent again as it was, and counts once.
 */
import { randomUUID } from 'node:crypto';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import type { ViewBatch } from './view-rows.ts';

const flushIntervalMs = 500;
/** Pages in one batch: a statement of some 50 ms. */
const batchPagesMax = 5_000;
/** Pages whose views wait while the database is away; views of further pages are dropped. */
const waitingPagesMax = 50_000;

export const viewOutcomes = ['counted', 'dropped'] as const;

export interface ViewCountsOptions {
  /** Adds a batch, once for each number. */
  add(batch: ViewBatch): Promise<void>;
  /** Told what has become of views. */
  onViews(outcome: (typeof viewOutcomes)[number], views: number): void;
  logger: Logger;
}

export interface ViewCounts extends Closeable {
  count(pageId: string): void;
  /** Pages whose views wait. */
  waiting(): number;
}

const sumOf = (views: ReadonlyMap<string, number>): number =>
  views.values().reduce((sum, one) => sum + one, 0);

export const createViewCounts = ({ add, onViews, logger }: ViewCountsOptions): ViewCounts => {
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  const writer = randomUUID();
  const waiting = new Map<string, number>();
  let batches = 0;
  /** Sent, and perhaps added. */
  let pending: ViewBatch | undefined;
  let flushing: Promise<void> | undefined;

  const takeBatch = (): ViewBatch | undefined => {
    if (waiting.size === 0) return undefined;
    const views = new Map(waiting.entries().take(batchPagesMax));
    for (const id of views.keys()) waiting.delete(id);
    return { writer, number: ++batches, views };
  };

  const flush = async (): Promise<void> => {
    for (pending ??= takeBatch(); pending; pending = takeBatch()) {
      await add(pending);
      onViews('counted', sumOf(pending.views));
    }
  };

  const flushSafely = (): Promise<void> => {
    flushing ??= flush()
      .catch((error: unknown) =>
        warn('views', { err: error }, 'views of hosted pages could not be added yet'),
      )
      .finally(() => {
        flushing = undefined;
      });
    return flushing;
  };
  const timer = setInterval(flushSafely, flushIntervalMs);

  return {
    count(pageId) {
      const views = waiting.get(pageId);
      if (views === undefined && waiting.size >= waitingPagesMax) onViews('dropped', 1);
      else waiting.set(pageId, (views ?? 0) + 1);
    },
    waiting: () => waiting.size + (pending?.views.size ?? 0),
    async close() {
      clearInterval(timer);
      await flushing;
      await flushSafely();
      const lost = sumOf(waiting) + (pending ? sumOf(pending.views) : 0);
      if (lost > 0)
        logger.error({ views: lost }, 'views of hosted pages are lost: the database is away at the end');
    },
  };
};
