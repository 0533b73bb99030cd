/** The record of a code: what redirectors know of it. */
import type { RoutingExtras } from '#schemas/api/code-routing.ts';
import { isLocationType } from '#schemas/api/data-types.ts';
import { asciiDestination } from '#schemas/api/destination.ts';
import type { DeepLinkConfig, RoutingRules } from '#schemas/api/routing.ts';
import { weekdays } from '#schemas/api/routing-conditions.ts';
import {
  type AppTarget,
  type CodeRecord,
  codeRecord,
  type FurtherCondition,
  type RoutingCondition,
  type RoutingRule,
} from '#schemas/code-record.ts';
import type { Code } from './store/code.ts';

/** The record of a code, or why it has none. */
export type Readable = { record: CodeRecord } | { problem: string };

/** The record of a code, if its row makes one that redirectors can read. Never throws. */
export const readRecord = (code: Code): Readable => {
  try {
    return { record: codeRecord.parse(toRecord(code)) };
  } catch (error) {
    return {
      problem: error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : String(error),
    };
  }
};

/** The parts of a code that a scan needs. Unset parts are absent. */
export const toRecord = (code: Code): CodeRecord => ({
  id: code.id,
  workspaceId: code.workspaceId,
  version: code.recordVersion,
  // A redirector of an earlier release, which knows no suspension, takes it for switched off.
  active: code.status === 'active' && !code.suspendedAt,
  ...(code.suspendedAt && { suspended: true as const }),
  ...(code.dataType !== 'url' && { dataType: code.dataType }),
  destination: isLocation(code) ? asciiDestination(code.destination) : code.destination,
  ...(code.encryption && { encrypted: code.encryption }),
  ...(code.passwordProtected && { passwordProtected: true as const }),
  ...(code.expiresAt && { expiresAtMs: code.expiresAt.getTime() }),
  ...(code.maxScans !== null && { cap: { max: code.maxScans, epoch: code.capEpoch! } }),
  ...(code.sources && { sources: code.sources.map(({ id }) => id) }),
  ...(code.routingRules && { rules: code.routingRules.map(toRule) }),
  ...(code.campaign?.status === 'active' && { variants: code.campaign.variants.map(withLocation) }),
  ...(code.deepLinkConfig && { deepLink: toDeepLink(code.deepLinkConfig) }),
  ...(code.messages && { messages: code.messages }),
  ...(code.routing && toRouting(code.routing)),
  ...(code.analytics === 'none' && { analytics: code.analytics }),
});

const toRule = ({ id, condition, destination }: RoutingRules[number]): RoutingRule => ({
  id,
  condition: toCondition(condition),
  destination: asciiDestination(destination),
});

const isLocation = ({ dataType, encryption }: Code): boolean =>
  encryption === null && isLocationType(dataType);

const withLocation = <Target extends { destination: string }>(target: Target): Target => ({
  ...target,
  destination: asciiDestination(target.destination),
});

const toAppTarget = (url: string, storeUrl: string | undefined): AppTarget => ({
  url: asciiDestination(url),
  ...(storeUrl !== undefined && { storeUrl: asciiDestination(storeUrl) }),
});

const toDeepLink = ({ ios, android }: DeepLinkConfig): CodeRecord['deepLink'] => ({
  ...(ios && { ios: toAppTarget(ios.url, ios.appStoreUrl) }),
  ...(android && { android: toAppTarget(android.url, android.playStoreUrl) }),
});

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

const toCondition = ({ country, device, os, ...further }: Condition): RoutingCondition => {
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

const toRouting = (extras: RoutingExtras): Routing => {
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
