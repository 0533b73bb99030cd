/** Drawn pictures in memory, and pictures in progress. */
import { LRUCache } from 'lru-cache';
import type { Rendered } from '../../rendering/index.ts';

const bytesMax = 64 * 2 ** 20;
/** Overhead of a cache entry, in addition to the picture. */
const entryBytes = 500;
/** How long a fallback is kept: the server of a logo may answer again soon. */
const fallbackKeptMs = 60_000;

export interface Drawn extends Rendered {
  etag: string;
  /** Not in the brand kit's present look: a code must not be lost with its kit. */
  isFallback: boolean;
}

export const createDrawnPictures = () => {
  const pictures = new LRUCache<string, Drawn>({
    maxSize: bytesMax,
    sizeCalculation: ({ body }) => body.length + entryBytes,
  });
  const drawing = new Map<string, Promise<Drawn>>();

  return {
    get: (key: string): Drawn | undefined => pictures.get(key),
    keep(key: string, drawn: Drawn): Drawn {
      pictures.set(key, drawn, drawn.isFallback ? { ttl: fallbackKeptMs } : {});
      return drawn;
    },
    /** Draws a picture. Concurrent calls with the same name share one drawing. */
    once(name: string, draw: () => Promise<Drawn>): Promise<Drawn> {
      const begun = drawing.get(name);
      if (begun) return begun;
      const rendering = draw().finally(() => drawing.delete(name));
      drawing.set(name, rendering);
      return rendering;
    },
    statistics: () => ({ pictures: pictures.size, bytes: pictures.calculatedSize }),
  };
};
