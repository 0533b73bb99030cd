/** Writes what is published: to Redis, and to the change stream that announces a new version to redirectors. */
import type { Redis } from '#shared/redis.ts';
import { createConditionalWrite, type WriteConditions } from './conditional-write.ts';
import type { PublishedKind, VersionedText } from './kind.ts';

/** The database is on a later timeline than the text, which must be read again. */
export class OutdatedTimelineError extends Error {
  override name = 'OutdatedTimelineError';
}

/** Every function throws if Redis is away or does not answer in time. */
export interface Publisher {
  /**
   * Replaces the text in Redis and announces it, unless a newer one is there.
   * @throws {OutdatedTimelineError}
   */
  publish(kind: PublishedKind, one: VersionedText): Promise<void>;
  /**
   * The same if Redis has an older one. A text that Redis does not have at all is looked up by the next scan.
   * @returns whether Redis had an older one
   * @throws {OutdatedTimelineError}
   */
  confirm(kind: PublishedKind, one: VersionedText): Promise<boolean>;
  /**
   * Publishes a new thing, which no visitor has scanned yet: its counters begin at 0. If that fails, the first scan makes them
   * from the recorded scans.
   * @throws {OutdatedTimelineError}
   */
  publishNew(kind: PublishedKind, one: VersionedText): Promise<void>;
  /** Puts looked-up texts into Redis for the next lookup; announces nothing. */
  fill(kind: PublishedKind, some: readonly VersionedText[]): Promise<void>;
}

/** @param random from 0 to 1, spreads the expiry */
export const createPublisher = (redis: Redis, random: () => number = Math.random): Publisher => {
  const write = createConditionalWrite(redis, random);

  const announce = async (
    kind: PublishedKind,
    one: VersionedText,
    how: Omit<WriteConditions, 'announces'>,
  ): Promise<boolean> => {
    const written = await write(kind, one, { announces: true, ...how });
    if (written < 0) throw new OutdatedTimelineError(`${one.id} was read before a later timeline began`);
    return written === 1;
  };

  return {
    async publish(kind, one) {
      await announce(kind, one, { onlyOver: false });
    },
    confirm: (kind, one) => announce(kind, one, { onlyOver: true }),
    async publishNew(kind, one) {
      await announce(kind, one, { onlyOver: false, counters: one.counters });
    },
    async fill(kind, some) {
      await Promise.all(some.map((one) => write(kind, one, { announces: false, onlyOver: false })));
    },
  };
};
