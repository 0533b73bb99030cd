/** A request to the resolver as it sees it: what it asks, and where its answer goes. */
import type { ScanReply } from '../scan/request.ts';
import type { VerificationRequest } from '../verify/request.ts';

/** The fields that few requests need are methods, which read them from the request while it lives. */
export interface Gs1Request extends VerificationRequest {
  readonly reply: ScanReply;
  /** As it came, without the query. */
  readonly path: string;
  /** As it came, without `?`; empty where there is none. */
  readonly query: string;
  /** The header Accept. */
  accept(): string;
  detach(): Gs1Request;
}
