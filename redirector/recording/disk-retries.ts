/** Work that a disk may refuse for as long as it likes: it is tried again until it is done. */
import type { Logger } from '#shared/logger.ts';

export interface DiskTask {
  /** The state of the file's segment, for the log. */
  readonly state: 'in memory' | 'sent' | 'refused';
  readonly file: string;
  work(): Promise<void>;
  onDone(): void;
  /** May give up by {@link DiskRetries.drop}. */
  onFailed?(): void;
}

export interface DiskRetries {
  /** Tries it at once. */
  add(task: DiskTask): void;
  /** Gives up: it is not tried again. */
  drop(task: DiskTask): void;
  /** Tries again what the disk has not done. */
  retry(): void;
  /** Resolves once nothing is being tried. */
  idle(): Promise<void>;
}

/** Logs the first of several failures in a row. */
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
        'the disk does not write, delete or set aside a file: it is tried again',
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
