/** A visit, as a request tells it, and the scan event that it becomes. */
import type { CodeRecord } from '#schemas/code-record.ts';
import type { ScanEvent } from '#schemas/scan-event.ts';
import type { Agent } from '#shared/agents.ts';
import type { Client } from '../visitor/clients.ts';
import type { Visitors } from '../visitor/visitor-hash.ts';

export interface Visit {
  atMs: number;
  agent: Agent;
  client: Client;
  /** ISO 3166-1 alpha-2, upper case; empty when unknown. */
  country: string;
  referrerHost: string;
  /** Whether a person scanned: not a bot, a HEAD, or a fetch ahead of a tap that may never come. */
  counts: boolean;
}

/** The rule and the variant that a decision came by. */
export interface Trace {
  ruleId: string;
  variantId: string;
}

/** Turns visits into events. */
export const createEvents = (visitors: Visitors) => {
  const hash = { high: 0, low: 0 };
  /** @param source the id of one of the code's sources, or empty */
  return (visit: Visit, record: CodeRecord, { ruleId, variantId }: Trace, source: string): ScanEvent => {
    const { agent, client, atMs } = visit;
    visitors.hash(client, agent, atMs, hash);
    return {
      tsMs: atMs,
      workspaceId: record.workspaceId,
      codeId: record.id,
      kind: visit.counts ? 'scan' : 'bot',
      device: agent.device,
      os: agent.os,
      visitorHigh: hash.high,
      visitorLow: hash.low,
      browser: agent.browser,
      country: visit.country,
      referrerHost: visit.referrerHost,
      source,
      variantId,
      ruleId,
    };
  };
};
