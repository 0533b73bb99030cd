/**
 * The timeline of the database, as far as this process knows: a restore of the database begins the next one, see
 * `versionOn` in schemas/code-record.ts. Redis, a record and the change stream each may be the first to tell of it.
 */
import type { Logger } from '#shared/logger.ts';

export interface Timeline {
  readonly current: number;
  /** The database is on this timeline. An earlier one than the current is old news. */
  enter(timeline: number): void;
}

/** @param onLater called once for each later timeline */
export const createTimeline = (onLater: () => void, logger: Logger): Timeline => {
  let current = 0;
  return {
    get current() {
      return current;
    },
    enter(timeline) {
      if (timeline <= current) return;
      current = timeline;
      logger.warn({ timeline }, 'the database is on a later timeline: every held record will be revalidated');
      onLater();
    },
  };
};
