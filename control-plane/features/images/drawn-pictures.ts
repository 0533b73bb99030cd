/** Pictures that were drawn, in memory, and those that are being drawn. */
import { LRUCache } from 'lru-cache';
import type { Rendered } from '../../rendering/index.ts';

const bytesMax = 64 * 2 ** 20;
/** An entry of the cache beside the picture itself. */
const entryBytes = 500;
/** The time for which a fallback is kept: the server of a logo may answer again soon. */
const fallbackKeptMs = 60_000;

export interface Drawn extends Rendered {
  etag: string;
  /** In another look than the brand kit's present one: a code must not be lost with its kit. */
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
    /** Draws a picture. Calls with the same name that come meanwhile get the same one. */
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
