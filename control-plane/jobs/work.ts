/** The work of a turn: the next slice of the first job of which something can be done. */
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../platform/db/pool.ts';
import type { Job, JobKind } from './kind.ts';
import { createSlices, type Progress } from './slices.ts';
import { listUnfinished } from './store.ts';
import { enqueueTurn, type Turn } from './turns.ts';

export interface WorkOptions {
  pool: Pool;
  kinds: readonly JobKind[];
  logger: Logger;
  onSlice(kind: string): void;
}

/** @throws what PostgreSQL says if it is down: then the queue tries again */
export type Work = (turn: Turn) => Promise<void>;

/**
 * Jobs that one turn tries without success: each may take as long as it takes to give up what is down. One more may be
 * tried, the first that was not set aside: held-up jobs, however many, keep none waiting that could go on.
 */
const heldUpMax = 2;
/** How long a turn waits if nothing could be done. */
const laterDelayMs = 1_000;

export const createWork = ({ pool, kinds, logger, onSlice }: WorkOptions): Work => {
  const runSlice = createSlices({ pool, logger, onSlice });
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const lanesWithTurns = new Set(kinds.filter(({ takesTurns }) => takesTurns).map(({ lane }) => lane));

  const goOn = async (job: Job): Promise<Progress> => {
    const kind = byName.get(job.kind);
    if (kind) return runSlice(job, kind);
    // Another process has a later release than this one.
    logger.warn({ jobId: job.id, kind: job.kind }, 'this kind of job is not known');
    return 'ended';
  };

  return async (turn) => {
    let heldUp = 0;
    for (const job of await listUnfinished(pool, turn, lanesWithTurns.has(turn.lane))) {
      if (heldUp >= heldUpMax && job.asideUntil !== null) continue;
      const progress = await goOn(job);
      if (progress === 'done' || progress === 'busy') return;
      if (progress === 'later' && ++heldUp > heldUpMax) break;
    }
    if (heldUp > 0) await enqueueTurn(pool, turn, laterDelayMs);
  };
};
