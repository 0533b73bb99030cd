/** Tells within a process that a hosted page has been changed: other processes hear of it from PostgreSQL, a moment later. */
import { oncePerProcess } from '../../feature.ts';
import type { PageChange } from './page-change.ts';

/** Never fails, and takes no longer than a command of Redis may. */
type Listener = (change: PageChange) => Promise<void>;

export interface ChangeNotices {
  /** To be called once a change is committed, and awaited before it is answered: whoever looks at the page then sees it. */
  tell(change: PageChange): Promise<void>;
  /** Calls the listener with each change that is made here. */
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
