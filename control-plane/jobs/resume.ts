/**
 * Resumes what a process that has ended has left. The queue keeps the job of a dead process for hours; the turn itself is
 * free at once, so that another run takes it. Also reads how much waits.
 */
import type { Closeable } from '#shared/lifecycle.ts';
import type { Queryable } from '../platform/db/pool.ts';
import type { Background } from './background.ts';
import { type Backlog, listStalledTurns, readBacklog } from './store.ts';
import { enqueueTurn } from './turns.ts';

const intervalMs = 5_000;
/** How long a job makes no progress, with a free turn, before the turn is enqueued again. */
const idleSeconds = 5;

export interface Resume extends Closeable {
  /** As of the last check. */
  backlog(): readonly Backlog[];
}

/** Begins with every unfinished job: this process may be the one that was killed. */
export const startResume = async (db: Queryable, background: Background): Promise<Resume> => {
  let backlog: readonly Backlog[] = [];
  const enqueueStalled = async (idle: number): Promise<void> => {
    for (const turn of await listStalledTurns(db, idle)) await enqueueTurn(db, turn);
  };
  const check = async (): Promise<void> => {
    await enqueueStalled(idleSeconds);
    backlog = await readBacklog(db);
  };
  await enqueueStalled(0);
  let checking = false;
  const timer = setInterval(() => {
    if (checking) return;
    checking = true;
    const done = check().finally(() => {
      checking = false;
    });
    background.start('looking for stalled jobs', done);
  }, intervalMs);
  return {
    backlog: () => backlog,
    async close() {
      clearInterval(timer);
    },
  };
};
