/** Goes on with operations that stand still, and knows how many wait. */
import type { Closeable } from '#shared/lifecycle.ts';
import type { Pool } from '../../../db/pool.ts';
import type { Background } from '../../../jobs/background.ts';
import { startResume as startResuming } from '../../../jobs/resume.ts';
import { turns } from './queue.ts';
import { type Backlog, listStalled, readBacklog } from './store/operations.ts';

export interface Resume extends Closeable {
  /** As of the last look. */
  readonly backlog: Backlog;
}

export const startResume = async (pool: Pool, background: Background): Promise<Resume> => {
  const backlog: Backlog = { operations: 0, rows: 0, oldestSeconds: 0 };
  const resuming = await startResuming({
    db: pool,
    background,
    turns,
    what: 'bulk operations',
    listStalled,
    looked: async () => Object.assign(backlog, await readBacklog(pool)),
  });
  return { backlog, close: () => resuming.close() };
};
