/** Turns a visit into a scan event. */
import type { CodeRecord } from '#schemas/code-record.ts';
import type { ScanEvent } from '#schemas/scan-event.ts';
import type { VisitorHasher } from '../visitor/visitor-hash.ts';
import type { Visit } from './visit.ts';

/** The rule and the variant that led to a decision. */
export interface Trace {
  ruleId: string;
  variantId: string;
}

/** @param source the id of one of the code's sources, or empty */
export type ToScanEvent = (
  visit: Visit,
  record: Pick<CodeRecord, 'id' | 'workspaceId'>,
  trace: Trace,
  source: string,
) => ScanEvent;

/** @param visitorHasher hashes the visitor of each visit */
export const createToScanEvent = (visitorHasher: VisitorHasher): ToScanEvent => {
  const hash = { high: 0, low: 0 };
  return (visit, record, { ruleId, variantId }, source) => {
    const { userAgent, address, atMs } = visit;
    visitorHasher.hash(address, userAgent, atMs, hash);
    return {
      tsMs: atMs,
      workspaceId: record.workspaceId,
      codeId: record.id,
      kind: visit.counts ? 'scan' : 'bot',
      device: userAgent.device,
      os: userAgent.os,
      visitorHigh: hash.high,
      visitorLow: hash.low,
      browser: userAgent.browser,
      country: visit.country,
      referrerHost: visit.referrerHost,
      source,
      variantId,
      ruleId,
    };
  };
};
