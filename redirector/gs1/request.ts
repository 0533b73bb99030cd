/** A request to the resolver: its target, and the reply for its answer. */
import type { ScanReply } from '../scan/request.ts';
import type { VerificationRequest } from '../verify/request.ts';

/** Fields that few requests need are methods, which read them from the request while it is lent. */
export interface Gs1Request extends VerificationRequest {
  readonly reply: ScanReply;
  /** As received, without the query. */
  readonly path: string;
  /** As received, without `?`; empty without a query. */
  readonly query: string;
  /** The header Accept. */
  accept(): string;
  detach(): Gs1Request;
}
