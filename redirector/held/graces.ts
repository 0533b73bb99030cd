/** Records that no source could revalidate: for a moment each is served without another attempt. */
import { LRUCache } from 'lru-cache';

export interface Graces {
  has(id: string, nowMs: number): boolean;
  grant(id: string, nowMs: number): void;
  endAll(): void;
}

/** Until the next attempt. */
const graceMs = 1000;
/** Codes whose grace is remembered. */
const gracesMax = 100_000;

export const createGraces = (): Graces => {
  const untilMs = new LRUCache<string, number>({ max: gracesMax });
  return {
    has: (id, nowMs) => (untilMs.get(id) ?? Number.NEGATIVE_INFINITY) > nowMs,
    grant: (id, nowMs) => void untilMs.set(id, nowMs + graceMs),
    endAll: () => untilMs.clear(),
  };
};
