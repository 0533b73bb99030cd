/** A visit, as a request tells it, and the scan event that it becomes. */
import type { CodeRecord } from '#schemas/code-record.ts';
import type { ScanEvent } from '#schemas/scan-event.ts';
import type { Decision } from '#shared/decide.ts';
import type { Agent } from './agents.ts';
import type { Client } from './clients.ts';
import type { Visitors } from './visitor.ts';

export interface Visit {
  head: boolean;
  /** Fetched ahead of a tap that may never come. */
  prefetch: boolean;
  agent: Agent;
  client: Client;
  referrerHost: string;
}

type Redirect = Extract<Decision, { kind: 'redirect' }>;

/** Turns visits into events. */
export const createEvents = (visitors: Visitors) => {
  const hash = { high: 0, low: 0 };
  return (visit: Visit, record: CodeRecord, { ruleId, variantId }: Redirect, tsMs: number): ScanEvent => {
    const { agent, client } = visit;
    visitors.hash(client, agent, tsMs, hash);
    return {
      tsMs,
      workspaceId: record.workspaceId,
      codeId: record.id,
      kind: agent.bot || visit.prefetch || visit.head ? 'bot' : 'scan',
      device: agent.device,
      os: agent.os,
      visitorHigh: hash.high,
      visitorLow: hash.low,
      browser: agent.browser,
      country: '',
      referrerHost: visit.referrerHost,
      source: '',
      variantId,
      ruleId,
    };
  };
};
