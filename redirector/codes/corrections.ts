/**
 * Held records of which the truth has another version: Redis may have the same as is held, so only the truth is asked, until it
 * has answered. A correction that fails leaves the record disproved, and the next scan starts another.
 */
import type { CodeRecord } from '#schemas/code-record.ts';
import type { Flight, Flights } from '../held/flights.ts';
import type { HeldRecords } from './held-records.ts';

export interface Corrections {
  /**
   * The truth has this version of a code, 0 for none. Where another one is held, it is revalidated with the truth.
   * Resolves when that is over, whatever came of it.
   */
  correct(id: string, version: number): Promise<void>;
}

/** @param flightsMax flights beyond which none is started: the record stays disproved, and a scan starts its own */
export const createCorrections = (
  records: Pick<HeldRecords, 'peek' | 'disprove'>,
  flights: Flights<CodeRecord>,
  flightsMax: number,
): Corrections => {
  const isCorrect = (id: string, version: number): boolean => {
    const held = records.peek(id);
    return !held || (version > 0 && held.version >= version);
  };

  /** Resolves when the flight is over; its failure has been counted, and leaves the record as it is. */
  const over = async (flight: Flight<CodeRecord> | undefined): Promise<void> =>
    void (await flight?.promise.catch(() => {}));

  const fly = (id: string): Promise<void> =>
    over(flights.get(id) ?? (flights.size < flightsMax ? flights.start(id) : undefined));

  return {
    async correct(id, version) {
      if (isCorrect(id, version)) return;
      records.disprove(id);
      // One that is under way may have asked Redis, and have the record confirmed.
      await over(flights.get(id));
      if (isCorrect(id, version)) return;
      records.disprove(id);
      await fly(id);
    },
  };
};
