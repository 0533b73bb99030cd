/** Tells within a process that a page has been changed: other processes hear of it from PostgreSQL, a moment later. */
import { oncePerProcess } from '../../feature.ts';

export interface PageChanges {
  /** To be called once the change is committed, and before it is answered: whoever looks next sees it. */
  changed(id: string): void;
  onChanged(listener: (id: string) => void): void;
}

export const createPageChanges = (): PageChanges => {
  const listeners: ((id: string) => void)[] = [];
  return {
    changed(id) {
      for (const listener of listeners) listener(id);
    },
    onChanged(listener) {
      listeners.push(listener);
    },
  };
};

export const pageChangesOf = oncePerProcess(createPageChanges);
