/** Disk work that may fail for any length of time: it is retried until it succeeds. */
import type { Logger } from '#shared/logger.ts';

export interface DiskTask {
  /** The state of the file's segment, for the log. */
  readonly state: 'in memory' | 'sent' | 'refused';
  readonly file: string;
  work(): Promise<void>;
  onDone(): void;
  /** May abandon the task with {@link DiskRetries.drop}. */
  onFailed?(): void;
}

export interface DiskRetries {
  /** Tries the task at once. */
  add(task: DiskTask): void;
  /** Abandons the task. */
  drop(task: DiskTask): void;
  /** Retries all failed tasks. */
  retry(): void;
  /** Resolves once no task is running. */
  idle(): Promise<void>;
}

/** Logs only the first of several failures in a row. */
export const createDiskRetries = (logger: Logger): DiskRetries => {
  const pending = new Set<DiskTask>();
  const busy = new Set<DiskTask>();
  const attempts = new Set<Promise<void>>();
  let failing = false;

  const failed = (task: DiskTask, error: unknown): void => {
    const { file, state } = task;
    if (!failing) {
      logger.warn(
        { err: error, file, state },
        'the disk does not write, delete or set aside a file; retrying',
      );
    }
    failing = true;
    task.onFailed?.();
  };

  const attempt = async (task: DiskTask): Promise<void> => {
    if (busy.has(task)) return;
    busy.add(task);
    try {
      await task.work();
      if (pending.delete(task)) task.onDone();
      failing = false;
    } catch (error) {
      failed(task, error);
    } finally {
      busy.delete(task);
    }
  };

  const start = (task: DiskTask): void => {
    const attempting = attempt(task).finally(() => attempts.delete(attempting));
    attempts.add(attempting);
  };

  return {
    add(task) {
      pending.add(task);
      start(task);
    },
    drop: (task) => void pending.delete(task),
    retry() {
      for (const task of pending) start(task);
    },
    async idle() {
      while (attempts.size > 0) await Promise.all(attempts);
    },
  };
};
