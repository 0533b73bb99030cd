/** Lookups under way: one flight for each id, one batch for all ids of an event-loop iteration. */
export interface Flight<Kept> {
  /** An answer of a source is true as of this moment, or later. */
  readonly startedAtMs: number;
  readonly promise: Promise<Kept | null>;
  resolve(record: Kept | null): void;
  reject(error: unknown): void;
  /** A version that the change stream brought while the flight was under way. */
  newer: Kept | undefined;
  /** Whether there is a version that the flight may not have seen. */
  invalidated: boolean;
  /** The latest version that was announced meanwhile: an older one is not held. */
  announced: number;
}

export interface Flights<Kept> {
  readonly size: number;
  get(id: string): Flight<Kept> | undefined;
  /** There must be no flight of the id. */
  start(id: string): Flight<Kept>;
  /** Removes the flight, which the caller then resolves or rejects. */
  end(id: string): Flight<Kept>;
}

/** Ids per question to a source, if their things are small. */
export const lookupIdsMax = 256;

const createFlight = <Kept>(startedAtMs: number): Flight<Kept> => {
  const { promise, resolve, reject } = Promise.withResolvers<Kept | null>();
  return { startedAtMs, promise, resolve, reject, newer: undefined, invalidated: false, announced: 0 };
};

/**
 * @param lookUp looks a batch up and ends the flight of each of its ids
 * @param idsMax of a batch: its answer is parsed at once
 * @param now a clock that is never set, in ms
 */
export const createFlights = <Kept>(
  lookUp: (ids: string[]) => void,
  idsMax: number,
  now: () => number,
): Flights<Kept> => {
  const flights = new Map<string, Flight<Kept>>();
  let waiting: string[] = [];

  const lookUpWaiting = (): void => {
    const ids = waiting;
    waiting = [];
    for (let start = 0; start < ids.length; start += idsMax) lookUp(ids.slice(start, start + idsMax));
  };

  return {
    get size() {
      return flights.size;
    },
    get: (id) => flights.get(id),
    start(id) {
      const flight = createFlight<Kept>(now());
      flights.set(id, flight);
      if (waiting.push(id) === 1) setImmediate(lookUpWaiting);
      return flight;
    },
    end(id) {
      const flight = flights.get(id)!;
      flights.delete(id);
      return flight;
    },
  };
};
