/** A verification over HTTP, read while its request is lent. */
import type { HttpRequest } from 'uWebSockets.js';
import { isPrefetch } from '#shared/prefetch.ts';
import type { Site } from '../domains/site.ts';
import { type Reader, readerOfRequest } from '../pages/index.ts';
import type { Visit } from '../scan/visit.ts';
import type { VerificationRequest } from '../verify/request.ts';
import type { Reply } from './reply.ts';

export class HttpVerificationRequest implements VerificationRequest {
  readonly reply: Reply;
  readonly visit: Visit;
  readonly site: Site | undefined;
  remaining = 0;
  private readonly req: HttpRequest;
  private readonly form: 'json' | 'accepted';

  /** @param form of the answer: given by the header Accept, or JSON */
  constructor(
    reply: Reply,
    visit: Visit,
    req: HttpRequest,
    site: Site | undefined,
    form: 'json' | 'accepted' = 'accepted',
  ) {
    this.reply = reply;
    this.visit = visit;
    this.req = req;
    this.site = site;
    this.form = form;
  }

  reader(): Reader {
    return this.form === 'accepted' ? readerOfRequest(this.req) : 'program';
  }

  isPrefetch(): boolean {
    return isPrefetch(this.req);
  }

  isEmbedded(): boolean {
    const destination = this.req.getHeader('sec-fetch-dest');
    return destination !== '' && destination !== 'document';
  }

  acceptLanguage(): string {
    return this.req.getHeader('accept-language');
  }

  detach(): VerificationRequest {
    const { reply, visit, site, remaining } = this;
    const [reader, prefetch, embedded] = [this.reader(), this.isPrefetch(), this.isEmbedded()];
    const language = this.acceptLanguage();
    const detached: VerificationRequest = {
      reply,
      visit,
      site,
      remaining,
      reader: () => reader,
      isPrefetch: () => prefetch,
      isEmbedded: () => embedded,
      acceptLanguage: () => language,
      detach: () => detached,
    };
    return detached;
  }
}
