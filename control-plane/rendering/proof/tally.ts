/**
 * Counts how many pictures of a kind were read in a row. A logo hides different modules in each code, so one picture
 * that is read says too little about others of the same look.
 *
 * If a share p of the codes is read, n in a row are read with probability p^n, and then 1 - p of the others are not. Of
 * all codes that is 1 / (e (n + 1)) at worst: 2 % for n = 16, at p = 94 %. Among many codes 16 in a row occur by chance
 * (at p = 69 % once in 1,200; 8 in a row once in 60), so a kind that was refused needs more of them.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Codes that must be read in a row before the kind holds for later ones. */
export const readsNeeded = 16;
/** The same after a refusal. */
export const readsNeededAfterRefusal = 128;
/** After this many refusals without a single code read, the kind is refused. */
export const refusalsNeeded = 8;
/** A forgotten kind is counted from zero. */
const kindsMax = 1_000;

interface Tally {
  /** Texts that were read in a row. Reading the same text twice proves nothing further. */
  readonly texts: Set<string>;
  hasBeenRead: boolean;
  refusals: number;
}

export interface Tallies {
  /** @returns whether the kind now holds for all of its codes */
  read(kind: string, text: string): boolean;
  /** Restarts the count. @returns whether the kind is refused for all of its codes */
  refused(kind: string): boolean;
}

export const createTallies = (): Tallies => {
  const tallies = new LRUCache<string, Tally>({ max: kindsMax });

  const tallyOf = (kind: string): Tally => {
    const tally = tallies.get(kind) ?? { texts: new Set(), hasBeenRead: false, refusals: 0 };
    tallies.set(kind, tally);
    return tally;
  };

  return {
    read(kind, text) {
      const tally = tallyOf(kind);
      tally.hasBeenRead = true;
      const needed = tally.refusals > 0 ? readsNeededAfterRefusal : readsNeeded;
      if (tally.texts.size < needed) tally.texts.add(hash('sha256', text, 'base64url'));
      return tally.texts.size >= needed;
    },
    refused(kind) {
      const tally = tallyOf(kind);
      tally.texts.clear();
      tally.refusals++;
      return !tally.hasBeenRead && tally.refusals >= refusalsNeeded;
    },
  };
};
