/**
 * Goes on with what a process that has ended has left. The queue keeps the job of a dead process for hours; the work itself is free
 * at once, so that another job finds it.
 */
import type { Closeable } from '#shared/lifecycle.ts';
import type { Queryable } from '../db/pool.ts';
import type { Background } from './background.ts';
import type { WorkspaceTurns } from './workspace-turns.ts';

const intervalMs = 5_000;
/** How long work stands still, and nobody has its workspace's turn, before it gets another job. */
const idleSeconds = 5;

export interface ResumeOptions {
  db: Queryable;
  background: Background;
  turns: Pick<WorkspaceTurns, 'enqueue'>;
  /** What is looked for, for the log. */
  what: string;
  /** Workspaces with work that has made no progress for so long, and that nobody works on. */
  listStalled(db: Queryable, idleSeconds: number): Promise<readonly string[]>;
  /** Called after each look. */
  looked(): Promise<unknown>;
}

/** Begins with everything that is unfinished: this process may be the one that was killed. */
export const startResume = async (options: ResumeOptions): Promise<Closeable> => {
  const { db, background, turns, what, listStalled, looked } = options;
  const enqueueStalled = async (idle: number): Promise<void> => {
    for (const workspaceId of await listStalled(db, idle)) await turns.enqueue(db, workspaceId);
  };
  const look = async (): Promise<void> => {
    await enqueueStalled(idleSeconds);
    await looked();
  };
  await enqueueStalled(0);
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    const done = look().finally(() => {
      looking = false;
    });
    background.start(`looking for ${what} that stand still`, done);
  }, intervalMs);
  return {
    async close() {
      clearInterval(timer);
    },
  };
};
