/**
 * Copies the scan counts that lists are sorted by from ClickHouse into `code_scans`, once a minute, for codes that were
 * scanned since. A count on the code's own row would be written for each scan, with all indexes of the codes. A list that
 * asks ClickHouse would have to sort a million codes there for each page, and would end when ClickHouse does. A copy is a
 * minute old, which no order of a list shows.
 */
import { createSparseLog } from '#shared/sparse-log.ts';
import type { Services } from '../../../framework/services.ts';
import type { Task } from '../../../jobs/tasks.ts';
import type { ReadCap } from '../explain/cap-state.ts';
import {
  copyCapsOf,
  copySlice,
  findAll,
  findScanned,
  findUnrecorded,
  type Sources,
  timeOf,
} from './copied-counts.ts';
import { type Held, hold, type Progress, release, saveProgress } from './copy-progress.ts';

/** The bounds of a run. */
export interface CopyBounds {
  /** Codes of a slice: their ids are in the URL of a query. */
  sliceMax: number;
  /** A run ends after this time, but not before its first slice; the next one continues. */
  runMsMax: number;
}

const defaultBounds: CopyBounds = { sliceMax: 250, runMsMax: 45_000 };
/**
 * A scan may be visible so much later than its time of recording says: that is the beginning of its INSERT, which may take 30 s
 * and then waits for its views.
 */
const overlapMs = 60_000;
/**
 * ClickHouse remembers for ten minutes which codes were scanned: this, the overlap and a run have room in them. After a longer
 * pause all codes are copied.
 */
const rememberedMs = 8 * 60_000;

/** Copies slices, and saves the place after each. */
const createSteps = (sources: Sources, held: Held, { sliceMax, runMsMax }: CopyBounds) => {
  const { db, clickhouse } = sources;
  const { progress } = held;
  const endMs = performance.now() + runMsMax;
  const goesOn = async (): Promise<boolean> => (await saveProgress(db, held)) && performance.now() < endMs;

  return {
    /** @returns whether all up to the moment were copied in time */
    async scanned(fromMs: number, to: Date): Promise<boolean> {
      progress.copyingTo = to;
      do {
        const ids = await findScanned(clickhouse, fromMs, to.getTime(), progress.copyingAfterId, sliceMax);
        await copySlice(sources, ids, true);
        progress.copyingAfterId = ids.at(-1) ?? progress.copyingAfterId;
        if (ids.length < sliceMax) return true;
      } while (await goesOn());
      return false;
    },
    async all(): Promise<void> {
      while (progress.allAfterId !== null && (await goesOn())) {
        const ids = await findAll(db, progress.allAfterId, sliceMax);
        await copySlice(sources, ids, false);
        const isDone = ids.length < sliceMax;
        progress.allAfterId = isDone ? (progress.allAgain ? '' : null) : ids.at(-1)!;
        if (isDone) progress.allAgain = false;
      }
    },
    /** Once around, or as far as the time reaches. */
    async caps(): Promise<void> {
      while (await goesOn()) {
        const ids = await findUnrecorded(db, progress.capsAfterId, sliceMax);
        await copyCapsOf(sources, ids);
        const isDone = ids.length < sliceMax;
        progress.capsAfterId = isDone ? '' : ids.at(-1)!;
        if (isDone) return;
      }
    },
  };
};

/** What was scanned is forgotten: all codes are copied. A copy of all that is under way comes to its end before. */
const copyAllAgain = (progress: Progress): void => {
  if (progress.allAfterId) progress.allAgain = true;
  else progress.allAfterId = '';
};

const run = async (sources: Sources, held: Held, bounds: CopyBounds): Promise<void> => {
  const { db, clickhouse } = sources;
  const { progress } = held;
  const steps = createSteps(sources, held, bounds);
  const now = await timeOf(clickhouse);
  const fromMs = progress.copiedTo?.getTime() ?? Number.NEGATIVE_INFINITY;
  const isForgotten = now.getTime() - fromMs > rememberedMs;
  if (isForgotten) copyAllAgain(progress);
  const to = isForgotten ? now : (progress.copyingTo ?? now);
  if (!isForgotten && !(await steps.scanned(fromMs - overlapMs, to))) return;
  Object.assign(progress, { copiedTo: to, copyingTo: null, copyingAfterId: '' });
  if (!(await saveProgress(db, held))) return;
  await steps.caps();
  await steps.all();
  await saveProgress(db, held);
};

/** Runs once a minute, in one process. While ClickHouse is away, the copy stays as it is. */
export const copyScansTask = (
  { connections, clickhouse, logger }: Pick<Services, 'connections' | 'clickhouse' | 'logger'>,
  readCap: ReadCap,
  bounds = defaultBounds,
): Task => {
  const sources = { db: connections.jobs, clickhouse, readCap };
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  return {
    task: 'copy-code-scans',
    schedule: '* * * * *',
    async run() {
      const held = await hold(sources.db);
      if (!held) return;
      try {
        await run(sources, held, bounds);
      } catch (error) {
        warn(
          'copy-code-scans',
          { err: error },
          'lists are sorted by older scan counts: they cannot be copied now',
        );
      } finally {
        await release(sources.db, held);
      }
    },
  };
};
