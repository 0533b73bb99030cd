/**
 * Items known to be claimed: they are verified from memory, without a request. A claim is final, so nothing here is
 * ever wrong. Scans are counted here, and in the background in Redis, which adds the counts of the other processes.
 */
import { LRUCache } from 'lru-cache';
import type { KnownClaim } from './claim-scripts.ts';

export interface ClaimedItem extends KnownClaim {
  readonly itemId: string;
  /** Scans counted here and not yet reported to Redis. */
  uncounted: number;
}

export interface ClaimedItems {
  get(itemId: string): ClaimedItem | undefined;
  hold(itemId: string, claim: KnownClaim): ClaimedItem;
  readonly size: number;
}

/** @param itemsMax of some 300 bytes each */
export const createClaimedItems = (itemsMax: number): ClaimedItems => {
  const items = new LRUCache<string, ClaimedItem>({ max: itemsMax });
  return {
    get: (itemId) => items.get(itemId),
    hold(itemId, claim) {
      const held = items.get(itemId);
      if (held) {
        held.scanCount = Math.max(held.scanCount, claim.scanCount);
        held.device ||= claim.device;
        return held;
      }
      const item: ClaimedItem = { ...claim, itemId, uncounted: 0 };
      items.set(itemId, item);
      return item;
    },
    get size() {
      return items.size;
    },
  };
};
