/**
 * The answer to a scan, sent at once or when the scan is stored. It listens for the abort, as uWebSockets.js requires
 * until a response has ended, and does not touch an aborted response.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { type Answer, pageOf, readerOfRequest } from '../pages/index.ts';
import type { Page } from '../pages/page.ts';
import type { ScanReply } from '../scan/request.ts';
import { mustWait } from './answers-at-once.ts';
import { currentRoute, currentStart, end, statusOf } from './durations.ts';
import { endHead } from './end-head.ts';

const notModified = '304 Not Modified';

export class Reply implements ScanReply {
  aborted = false;
  /** The first answer is sent; later ones have no effect. */
  private answered = false;
  private readonly res: HttpResponse;
  private readonly head: boolean;
  private readonly last: boolean;
  private readonly startedMs = currentStart();
  private readonly route = currentRoute();
  private redirectHead = '';
  private location = '';
  private page: Page | undefined;

  /**
   * @param head whether it is a HEAD request
   * @param last whether the connection is closed after the answer, with `Connection: close`
   */
  constructor(res: HttpResponse, head: boolean, last: boolean) {
    this.res = res;
    this.head = head;
    this.last = last;
    res.onAborted(() => {
      this.aborted = true;
    });
  }

  /**
   * Prepares a redirect for `release`.
   * @param head see redirect-head.ts
   */
  prepareRedirect(head: string, location: string): void {
    this.redirectHead = head;
    this.location = location;
  }

  /** Prepares a page for `release`. */
  preparePage(page: Page): void {
    this.page = page;
  }

  release(): void {
    if (this.aborted || this.answered) return;
    if (mustWait(this.last)) {
      setImmediate(() => this.release());
      return;
    }
    this.answered = true;
    releasing = this;
    this.res.cork(writeReleasing);
  }

  /** Answers now. */
  send(page: Page): void {
    this.preparePage(page);
    this.release();
  }

  /** Only for `release`: writes the prepared answer. */
  write(): void {
    end(this.startedMs, this.route, statusOf(this.page?.status ?? this.redirectHead));
    if (this.page) this.writePage(this.page);
    else this.writeRedirect();
  }

  private writeRedirect(): void {
    this.res.writeStatus(this.redirectHead).writeHeader('Location', this.location).end(undefined, this.last);
  }

  /** A 304 has no length, and with a second argument uWebSockets.js would send one. */
  private endWithoutLength(): void {
    if (this.last) this.res.writeHeader('Connection', 'close');
    this.res.endWithoutBody();
  }

  private writePage({ status, headers, body }: Page): void {
    const { res } = this;
    res.writeStatus(status);
    for (const [name, value] of headers) res.writeHeader(name, value);
    if (status === notModified) this.endWithoutLength();
    else if (this.head) endHead(res, body.length, this.last);
    else if (this.last) res.end(body, true);
    else this.endAsRead(body);
  }

  /**
   * Gives the connection only what it takes. Of a client that does not read, uWebSockets.js would keep each answer; a request
   * that comes before the answer has been taken closes the connection instead.
   */
  private endAsRead(body: Buffer): void {
    const { res } = this;
    const start = res.getWriteOffset();
    const [isTaken] = res.tryEnd(body, body.length);
    if (!isTaken) res.onWritable((offset) => res.tryEnd(body.subarray(offset - start), body.length)[0]);
  }
}

// cork() takes a function. Replies are written one at a time, so all share one function instead of a closure each.
let releasing: Reply;
const writeReleasing = (): void => releasing.write();

/** The page or the JSON of an answer that is given, whatever the method is, as the last of its connection. */
export const lastPageOf = (req: HttpRequest, answer: Answer): Page => {
  const page = pageOf(answer, readerOfRequest(req));
  // uWebSockets.js keeps the connection of a HEAD open, even when asked to close it, if its answer is given a body length.
  return req.getCaseSensitiveMethod() === 'HEAD' ? { ...page, body: Buffer.alloc(0) } : page;
};
