/** The verification of an item as the verifier sees it: who asks, and where the answer goes. */
import type { Site } from '../domains/site.ts';
import type { ScanReply } from '../scan/request.ts';
import type { Visit } from '../scan/visit.ts';

/** The fields that few verifications need are methods, which read them from the request while it lives. */
export interface VerificationRequest {
  readonly reply: Pick<ScanReply, 'aborted' | 'send'>;
  /** `counts` is false for bots, HEAD and whatever is fetched ahead of a tap: these claim nothing. */
  readonly visit: Visit;
  /** The domain that was asked; undefined: QR_HOST. */
  readonly site: Site | undefined;
  /** How many verifications its address has left, once this one is counted. */
  remaining: number;
  /** Whether a page is wanted, or JSON. */
  wantsPage(): boolean;
  /** Whether a browser fetches ahead of a tap: it must ask again when somebody looks. */
  isPrefetch(): boolean;
  /**
   * Whether a page embeds or fetches what it asks for, by Sec-Fetch-Dest (https://www.w3.org/TR/fetch-metadata/): nobody has opened
   * it. Programs and older browsers do not send the header.
   */
  isEmbedded(): boolean;
  /** The header Accept-Language. */
  acceptLanguage(): string;
  /** The same, for answers after the handler has returned. */
  detach(): VerificationRequest;
}
