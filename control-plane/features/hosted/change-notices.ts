/** Tells within a process that a hosted page has been changed: other processes hear of it from PostgreSQL, a moment later. */
import { oncePerProcess } from '../../feature.ts';

export interface ChangeNotices {
  /** To be called once a change is committed, and before it is answered: whoever looks at the page then sees it. */
  tell(id: string): void;
  /** Calls the listener with the id of each page that is changed here. */
  follow(listener: (id: string) => void): void;
}

export const createChangeNotices = (): ChangeNotices => {
  const listeners: ((id: string) => void)[] = [];
  return {
    tell(id) {
      for (const listener of listeners) listener(id);
    },
    follow(listener) {
      listeners.push(listener);
    },
  };
};

export const changeNoticesOf = oncePerProcess(createChangeNotices);
