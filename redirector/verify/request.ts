/** The verification of an item as the verifier sees it: who asks, and where to answer. */
import type { Site } from '../domains/site.ts';
import type { Reader } from '../pages/reader.ts';
import type { ScanReply } from '../scan/request.ts';
import type { Visit } from '../scan/visit.ts';

/** Fields that few verifications need are methods: they read the request, while it lives. */
export interface VerificationRequest {
  readonly reply: Pick<ScanReply, 'aborted' | 'send'>;
  /** `counts` is false for bots, HEAD and prefetches: these claim nothing. */
  readonly visit: Visit;
  /** The domain of the request; undefined: QR_HOST. */
  readonly site: Site | undefined;
  /** How many verifications its address has left after this one. */
  remaining: number;
  /** Who reads the answer. */
  reader(): Reader;
  /** Whether a browser prefetches: it must ask again when a person looks. */
  isPrefetch(): boolean;
  /**
   * Whether a page embeds or fetches the item, by Sec-Fetch-Dest (https://www.w3.org/TR/fetch-metadata/): no person has
   * opened it. Programs and older browsers do not send the header.
   */
  isEmbedded(): boolean;
  /** The header Accept-Language. */
  acceptLanguage(): string;
  /** The same request, for an answer after the handler has returned. */
  detach(): VerificationRequest;
}
