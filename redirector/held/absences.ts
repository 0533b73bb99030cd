/** Ids that are known to be absent, for a short time, and in a cache of its own: invented ids displace no held record. */
import { LRUCache } from 'lru-cache';

export interface AbsenceOptions {
  /** Absences that are held, and for how long. */
  absentMax: number;
  absentMs: number;
}

export interface Absences {
  has(id: string, nowMs: number): boolean;
  /** When its absence was found, however long ago. */
  since(id: string): number | undefined;
  hold(id: string, nowMs: number): void;
  forget(id: string): void;
  forgetAll(): void;
}

export const createAbsences = ({ absentMax, absentMs }: AbsenceOptions): Absences => {
  const sinceMs = new LRUCache<string, number>({ max: absentMax });
  return {
    has(id, nowMs) {
      const ms = sinceMs.get(id);
      return ms !== undefined && nowMs - ms < absentMs;
    },
    since: (id) => sinceMs.peek(id),
    hold: (id, nowMs) => void sinceMs.set(id, nowMs),
    forget: (id) => void sinceMs.delete(id),
    forgetAll: () => sinceMs.clear(),
  };
};
