/** Conditions, schedule and parameters as redirectors read them. Unset parts are absent. */
import type { RoutingExtras } from '#schemas/api/code-routing.ts';
import { asciiDestination } from '#schemas/api/destination.ts';
import type { RoutingRules } from '#schemas/api/routing.ts';
import { weekdays } from '#schemas/api/routing-conditions.ts';
import type { CodeRecord, FurtherCondition, RoutingCondition } from '#schemas/code-record.ts';

type Condition = RoutingRules[number]['condition'];

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const toTime = ({
  days,
  from = '00:00',
  to = '24:00',
  timezone,
}: NonNullable<Condition['time']>): FurtherCondition['time'] => ({
  ...(days && { days: days.map((day) => weekdays.indexOf(day)) }),
  fromMinute: minuteOf(from),
  toMinute: minuteOf(to),
  timeZone: timezone,
});

const lowerCase = (texts: readonly string[]): string[] => texts.map((text) => text.toLowerCase());

export const toCondition = ({ country, device, os, ...further }: Condition): RoutingCondition => {
  const { language, browser, query, time, after, before } = further;
  return {
    ...(country && { country }),
    ...(device && { device }),
    ...(os && { os }),
    ...(Object.values(further).some((value) => value !== undefined) && {
      further: {
        ...(language && { language: lowerCase(language) }),
        ...(browser && { browser: lowerCase(browser) }),
        ...(query && { query }),
        ...(time && { time: toTime(time) }),
        ...(after !== undefined && { afterMs: Date.parse(after) }),
        ...(before !== undefined && { beforeMs: Date.parse(before) }),
      },
    }),
  };
};

type Routing = Pick<CodeRecord, 'startsAtMs' | 'beforeStartUrl' | 'expiredUrl' | 'schedule' | 'parameters'>;

export const toRouting = (extras: RoutingExtras): Routing => {
  const { startsAt, beforeStartUrl, expiredUrl, schedule, forwardQuery, parameters, scanIdParameter } =
    extras;
  return {
    ...(startsAt !== undefined && {
      startsAtMs: Date.parse(startsAt),
      ...(beforeStartUrl !== undefined && { beforeStartUrl: asciiDestination(beforeStartUrl) }),
    }),
    ...(expiredUrl !== undefined && { expiredUrl: asciiDestination(expiredUrl) }),
    ...(schedule && {
      schedule: schedule.map(({ at, destination }) => ({
        atMs: Date.parse(at),
        destination: asciiDestination(destination),
      })),
    }),
    ...((forwardQuery || parameters || scanIdParameter !== undefined) && {
      parameters: {
        ...(forwardQuery && { forward: true as const }),
        ...(parameters && { own: Object.entries(parameters) }),
        ...(scanIdParameter !== undefined && { scanId: scanIdParameter }),
      },
    }),
  };
};
