/** A scan as the handler sees it: its question, and the reply for its answer. */
import type { CodeRecord } from '#schemas/code-record.ts';
import type { Site } from '../domains/site.ts';
import type { Brand } from '../pages/brand.ts';
import type { Page } from '../pages/page.ts';
import type { Reader } from '../pages/reader.ts';
import type { PendingAnswer } from '../recording/recorder.ts';
import type { Visit } from './visit.ts';

/** The answer to a scan: sent at once, or prepared and sent on release. */
export interface ScanReply extends PendingAnswer {
  /**
   * Prepares a redirect.
   * @param head see redirect-head.ts
   */
  prepareRedirect(head: string, location: string): void;
  preparePage(page: Page): void;
  /** Answers now. */
  send(page: Page): void;
}

/**
 * A scan and its reply. Fields that few scans need are methods, which read them from the request while it is lent:
 * `detach` returns a scan that outlives its request.
 */
export interface ScanRequest {
  readonly reply: ScanReply;
  readonly id: string;
  readonly visit: Visit;
  /** The domain that was scanned; undefined: QR_HOST. */
  readonly site: Site | undefined;
  /** Of the code's owner, once the code is known. */
  brand: Brand | undefined;
  /** Of the code, once it is known. */
  messages: CodeRecord['messages'];
  /** Who reads the answer. */
  reader(): Reader;
  /** The value of `?s=`, or empty. */
  source(): string;
  /** Path and query, to which the code's password is posted. */
  path(): string;
  /** The header Accept-Language. */
  acceptLanguage(): string;
  /** The query as received, without the question mark. */
  query(): string;
  detach(): ScanRequest;
}
