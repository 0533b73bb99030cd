/** What a scan asks, and where its answer goes. */
import type { Page } from '../pages/page.ts';
import type { Held } from '../recording/recorder.ts';
import type { Visit } from './visit.ts';

/** The answer to a scan: given at once, or prepared and given when it is released. */
export interface ScanReply extends Held {
  /**
   * Prepares a redirect.
   * @param head see redirect-head.ts
   */
  holdRedirect(head: string, location: string): void;
  /** Prepares a page. */
  holdPage(page: Page): void;
  /** Answers now. */
  send(page: Page): void;
}

/**
 * A scan and how it is answered. What few scans need is read when it is asked for, which is possible only while the
 * request lives: `detach` gives one that outlives it.
 */
export interface ScanRequest {
  readonly reply: ScanReply;
  readonly id: string;
  readonly visit: Visit;
  /** Whether a page is wanted, or JSON. */
  wantsPage(): boolean;
  /** The value of `?s=`, or empty. */
  source(): string;
  /** Path and query, to which the code's password is posted. */
  path(): string;
  detach(): ScanRequest;
}
