/**
 * Goes on with what a process that has ended has left. The queue keeps the job of a dead process for hours; the rows
 * themselves are free at once, so that another job finds them.
 */
import type { Closeable } from '#shared/lifecycle.ts';
import type { Pool } from '../../../db/pool.ts';
import type { Background } from '../../../jobs/background.ts';
import { enqueue } from './queue.ts';
import { type Backlog, listStalled, readBacklog } from './store/operations.ts';

const intervalMs = 5_000;
/** How long an operation stands still, and nobody has its workspace's turn, before it gets another job. */
const idleSeconds = 5;

export interface Resume extends Closeable {
  /** As of the last look. */
  readonly backlog: Backlog;
}

const enqueueStalled = async (pool: Pool, idle: number): Promise<void> => {
  for (const workspaceId of await listStalled(pool, idle)) await enqueue(pool, workspaceId);
};

/** Begins with everything that is unfinished: this process may be the one that was killed. */
export const startResume = async (pool: Pool, background: Background): Promise<Resume> => {
  const backlog: Backlog = { operations: 0, rows: 0, oldestSeconds: 0 };
  const look = async (): Promise<void> => {
    await enqueueStalled(pool, idleSeconds);
    Object.assign(backlog, await readBacklog(pool));
  };
  await enqueueStalled(pool, 0);
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    const looked = look().finally(() => {
      looking = false;
    });
    background.start('looking for bulk operations that stand still', looked);
  }, intervalMs);
  return {
    backlog,
    async close() {
      clearInterval(timer);
    },
  };
};
