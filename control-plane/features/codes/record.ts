/** The record of a code: what redirectors know of it. */
import { isLocationType } from '#schemas/api/data-types.ts';
import { asciiDestination } from '#schemas/api/destination.ts';
import type { DeepLinkConfig, RoutingRules } from '#schemas/api/routing.ts';
import { type AppTarget, type CodeRecord, codeRecord, type RoutingRule } from '#schemas/code-record.ts';
import { toCondition, toRouting } from './routing-record.ts';
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
  active: code.status === 'active',
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
