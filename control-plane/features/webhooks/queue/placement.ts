/**
 * Where an event is placed in time: the day of its partition, and its place in the log. That is when it happened, as far as that may
 * be true. A process whose clock is wrong, or that reports late, makes no partition of its own by that.
 */

const daysBackMax = 7;
const dayMs = 86_400_000;
const minutesAheadMax = 5;
const minuteMs = 60_000;

/** A function of the event while it is younger than a week: reported again, it has the same place. To the millisecond. */
export const placedAt = (occurredAt: Date, nowMs = Date.now()): Date => {
  const earliestMs = nowMs - daysBackMax * dayMs;
  const latestMs = nowMs + minutesAheadMax * minuteMs;
  return new Date(Math.min(Math.max(occurredAt.getTime(), earliestMs), latestMs));
};
