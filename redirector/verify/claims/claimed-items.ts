/**
 * Items that are known to be claimed: a verification of one is answered from here, without asking anyone. A claim is final, so nothing
 * here is ever wrong; the count goes on here, and in Redis in the background, which brings what the other processes have counted.
 */
import { LRUCache } from 'lru-cache';
import type { KnownClaim } from './claim-scripts.ts';

export interface ClaimedItem extends KnownClaim {
  readonly itemId: string;
  /** Scans that were counted here and that Redis has not been told of. */
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
