/**
 * Places an event in time: the day of its partition, and its position in the log. It is when the event happened, if
 * that is plausible: a process with a wrong clock, or a late report, does not get a partition of its own.
 */

const daysBackMax = 7;
const dayMs = 86_400_000;
const minutesAheadMax = 5;
const minuteMs = 60_000;

/**
 * While the event is younger than a week, only a function of the event: a repeated report gets the same place. To the
 * millisecond.
 */
export const placedAt = (occurredAt: Date, nowMs = Date.now()): Date => {
  const earliestMs = nowMs - daysBackMax * dayMs;
  const latestMs = nowMs + minutesAheadMax * minuteMs;
  return new Date(Math.min(Math.max(occurredAt.getTime(), earliestMs), latestMs));
};
