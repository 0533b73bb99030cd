/** The jobs of a process: the task that works on them, the resumption of stalled ones, and the figures of the backlog. */
import type { Logger } from '#shared/logger.ts';
import type { Connections } from '../platform/db/connections.ts';
import type { Background } from './background.ts';
import type { JobKind } from './kind.ts';
import { type Resume, startResume } from './resume.ts';
import type { Backlog } from './store.ts';
import type { Task } from './tasks.ts';
import { removeDeadTurns, turnOf, turnTask } from './turns.ts';
import { createWork } from './work.ts';

/** As metrics.ts has them. */
interface Metrics {
  gauges(name: string, help: string, label: string, values: () => readonly [string, number][]): void;
  counter<Value extends string>(
    name: string,
    help: string,
    label: string,
    values: readonly Value[],
  ): (value: Value, times?: number) => void;
}

export interface StartOptions {
  connections: Pick<Connections, 'jobs' | 'requests'>;
  /** Of all features. */
  kinds: readonly JobKind[];
  metrics: Metrics;
  background: Background;
  logger: Logger;
  onClose(close: () => unknown): void;
}

const observe = (metrics: Metrics, kinds: readonly JobKind[], { backlog }: Resume): void => {
  const figures: [name: string, help: string, read: (backlog: Backlog) => number][] = [
    ['jobs_waiting', 'Jobs that are not finished, by kind', ({ jobs }) => jobs],
    ['job_items_waiting', 'Their items that are not done', ({ items }) => items],
    ['job_oldest_seconds', 'Age of the oldest of them', ({ oldestSeconds }) => oldestSeconds],
  ];
  for (const [name, help, read] of figures)
    metrics.gauges(name, help, 'kind', () =>
      kinds.map(({ name: kind }) => {
        const waiting = backlog().find((each) => each.kind === kind);
        return [kind, waiting ? read(waiting) : 0];
      }),
    );
};

/** @returns the tasks that do the work */
export const startWork = async (options: StartOptions): Promise<Task[]> => {
  const { connections, kinds, metrics, background, logger, onClose } = options;
  const names = kinds.map(({ name }) => name);
  const onSlice = metrics.counter('job_slices_total', 'Slices of jobs, by kind', 'kind', names);
  const work = createWork({ pool: connections.jobs, kinds, logger, onSlice });
  const resume = await startResume(connections.requests, background);
  onClose(() => resume.close());
  observe(metrics, kinds, resume);
  return [
    { task: turnTask, run: (payload) => work(turnOf(payload)) },
    { task: 'sweep-turns', schedule: '30 3 * * *', run: () => removeDeadTurns(connections.jobs) },
  ];
};
