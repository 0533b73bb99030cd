/** Held records of which the truth has another version: Redis may have the same as is held, so only the truth is asked. */
import type { Flights } from './flights.ts';
import type { HeldRecords } from './held-records.ts';

export interface Corrections {
  /**
   * The truth has this version of a code, 0 for none. Where another one is held, it is revalidated with the truth.
   * Resolves when that is over, whatever came of it.
   */
  correct(id: string, version: number): Promise<void>;
  /** Whether the id is to be asked of the truth alone. */
  has(id: string): boolean;
}

/** @param flightsMax flights beyond which none is started: the record stays invalid, and a scan starts its own */
export const createCorrections = (
  records: Pick<HeldRecords, 'peek' | 'invalidate'>,
  flights: () => Flights,
  flightsMax: number,
): Corrections => {
  const ids = new Set<string>();

  const isCorrect = (id: string, version: number): boolean => {
    const held = records.peek(id);
    return !held || (version > 0 && held.version >= version);
  };

  /** Resolves when the flight is over; its failure has been counted, and leaves the record as it is. */
  const fly = async (id: string): Promise<void> => {
    const flight = flights().get(id) ?? (flights().size < flightsMax ? flights().start(id) : undefined);
    await flight?.promise.catch(() => {});
  };

  return {
    async correct(id, version) {
      if (isCorrect(id, version)) return;
      records.invalidate(id);
      ids.add(id);
      // One that is under way may have asked Redis.
      if (flights().get(id)) await fly(id);
      if (!isCorrect(id, version)) await fly(id);
      ids.delete(id);
    },
    has: (id) => ids.has(id),
  };
};
