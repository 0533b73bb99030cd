import { LRUCache } from 'lru-cache';

/**
 * The entries that were used last, at most so many. It takes memory as it fills: an LRUCache with `max` reserves the room for all
 * entries when it is made, 16 ms and 2.4 MB for 100,000.
 */
export const createEntryCache = <Key extends {}, Value extends {}>(
  entriesMax: number,
  options: { ttl?: number } = {},
): LRUCache<Key, Value> =>
  new LRUCache<Key, Value>({ maxSize: entriesMax, sizeCalculation: () => 1, ...options });
