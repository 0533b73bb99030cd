/** A visit: the facts about its visitor in a scan's request. */
import type { UserAgent } from '#shared/user-agent.ts';
import type { ClientAddress } from '../visitor/client-addresses.ts';

export interface Visit {
  atMs: number;
  userAgent: UserAgent;
  address: ClientAddress;
  /** ISO 3166-1 alpha-2, upper case; empty if unknown. */
  country: string;
  referrerHost: string;
  /** Whether a person scanned: not a bot, a HEAD, or a prefetch before a tap that may never come. */
  counts: boolean;
}
