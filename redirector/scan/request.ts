/** A scan as the handler sees it: what it asks, and where its answer goes. */
import type { Site } from '../domains/site.ts';
import type { Page } from '../pages/page.ts';
import type { PendingAnswer } from '../recording/recorder.ts';
import type { Visit } from './visit.ts';

/** The answer to a scan: given at once, or prepared and given when it is released. */
export interface ScanReply extends PendingAnswer {
  /**
   * Prepares a redirect.
   * @param head see redirect-head.ts
   */
  prepareRedirect(head: string, location: string): void;
  /** Prepares a page. */
  preparePage(page: Page): void;
  /** Answers now. */
  send(page: Page): void;
}

/**
 * A scan and its reply. The fields that few scans need are methods, which read them from the request while it lives:
 * `detach` gives a scan that outlives its request.
 */
export interface ScanRequest {
  readonly reply: ScanReply;
  readonly id: string;
  readonly visit: Visit;
  /** The domain that was scanned; undefined: QR_HOST. */
  readonly site: Site | undefined;
  /** Whether a page is wanted, or JSON. */
  wantsPage(): boolean;
  /** The value of `?s=`, or empty. */
  source(): string;
  /** Path and query, to which the code's password is posted. */
  path(): string;
  detach(): ScanRequest;
}
