/** Records that no source could revalidate: for a moment each is served without another attempt. */
import { LRUCache } from 'lru-cache';

export interface RevalidationPauses {
  has(id: string, nowMs: number): boolean;
  begin(id: string, nowMs: number): void;
  endAll(): void;
}

/** Until the next attempt. */
const pauseMs = 1000;
/** Ids whose pause is remembered. */
const pausesMax = 100_000;

export const createRevalidationPauses = (): RevalidationPauses => {
  const untilMs = new LRUCache<string, number>({ max: pausesMax });
  return {
    has: (id, nowMs) => (untilMs.get(id) ?? Number.NEGATIVE_INFINITY) > nowMs,
    begin: (id, nowMs) => void untilMs.set(id, nowMs + pauseMs),
    endAll: () => untilMs.clear(),
  };
};
