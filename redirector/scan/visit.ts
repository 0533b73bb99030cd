/** A visit: the facts that the request of a scan tells of its visitor. */
import type { UserAgent } from '#shared/user-agent.ts';
import type { ClientAddress } from '../visitor/client-addresses.ts';

export interface Visit {
  atMs: number;
  userAgent: UserAgent;
  address: ClientAddress;
  /** ISO 3166-1 alpha-2, upper case; empty when unknown. */
  country: string;
  referrerHost: string;
  /** Whether a person scanned: not a bot, a HEAD, or a fetch ahead of a tap that may never come. */
  counts: boolean;
}
