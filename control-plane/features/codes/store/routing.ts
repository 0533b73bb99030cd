/** The start, the schedule, the ways out and the parameters of a code, as answers show them. */
import type { RoutingExtras, ScheduleEntry } from '#schemas/api/code-routing.ts';

/** Whether an entry's time has come. */
export const isPast = ({ at }: ScheduleEntry, now: Date): boolean => at <= now.toISOString();

/** Of the schedule, the changes that are still to come. */
export const shownRouting = (routing: RoutingExtras | null, now: Date): RoutingExtras => {
  if (!routing?.schedule) return routing ?? {};
  const coming = routing.schedule.filter((entry) => !isPast(entry, now));
  const { schedule: _, ...rest } = routing;
  return { ...rest, ...(coming.length > 0 && { schedule: coming }) };
};
