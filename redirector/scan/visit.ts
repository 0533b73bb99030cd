/** Who scans, as the request tells it. */
import type { Agent } from '#shared/agents.ts';
import type { Client } from '../visitor/clients.ts';

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
