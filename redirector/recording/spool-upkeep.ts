/** The spool's periodic work. */
import { alignedInterval } from '#shared/aligned-interval.ts';
import type { SyncMode } from './segment-file.ts';
import type { SegmentWriter } from './segment-writer.ts';

const retryEveryMs = 1000;
/** How often the write under way and the open segment are checked for their age. */
const tickMs = 50;

export interface UpkeepOptions {
  sync: SyncMode;
  /** With `interval`. */
  syncEveryMs: number;
}

export interface UpkeepParts {
  writer: SegmentWriter;
  /** Whether nothing is in the spool or on its way there. */
  isEmpty(): boolean;
  isHanging(): boolean;
  onDiskBack(): void;
  rotateIfDue(): void;
  retry(): void;
}

export interface Upkeep {
  /** Must be called whenever a batch enters the spool. */
  watch(): void;
  stop(): void;
}

export const startUpkeep = (options: UpkeepOptions, parts: UpkeepParts): Upkeep => {
  const { writer } = parts;
  let wasHanging = false;
  let ticking: NodeJS.Timeout | undefined;
  const tick = (): void => {
    writer.writes.checkDeadline();
    const hangs = parts.isHanging();
    if (wasHanging && !hangs) parts.onDiskBack();
    wasHanging = hangs;
    parts.rotateIfDue();
    // Twenty ticks a second would be half of an idle process's work.
    if (hangs || !parts.isEmpty()) return;
    clearInterval(ticking);
    ticking = undefined;
  };
  const watch = (): void => {
    ticking ??= setInterval(tick, tickMs).unref();
  };
  const retry = (): void => {
    parts.retry();
    writer.files.retry();
  };
  const stops = [alignedInterval(retry, retryEveryMs)];
  if (options.sync === 'interval') stops.push(alignedInterval(() => void writer.sync(), options.syncEveryMs));
  watch();
  return {
    watch,
    stop() {
      clearInterval(ticking);
      for (const each of stops) each();
    },
  };
};
