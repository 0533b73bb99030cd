/**
 * Announces changes of hosted pages within this process. Other processes learn of them from PostgreSQL, a moment
 * later.
 */
import { oncePerProcess } from '../../feature.ts';
import type { PageChange } from './page-change.ts';

/** Never fails, and takes no longer than a Redis command may. */
type Listener = (change: PageChange) => Promise<void>;

export interface ChangeNotices {
  /**
   * Call this after the commit and await it before answering, so that every view after the answer shows the change.
   */
  tell(change: PageChange): Promise<void>;
  /** Calls the listener with each change made in this process. */
  follow(listener: Listener): void;
}

export const createChangeNotices = (): ChangeNotices => {
  const listeners: Listener[] = [];
  return {
    async tell(change) {
      await Promise.all(listeners.map((listener) => listener(change)));
    },
    follow(listener) {
      listeners.push(listener);
    },
  };
};

export const changeNoticesOf = oncePerProcess(createChangeNotices);
