/** A scan over HTTP, read while its request is lent. */
import type { HttpRequest } from 'uWebSockets.js';
import type { CodeRecord } from '#schemas/code-record.ts';
import type { Site } from '../domains/site.ts';
import { type Brand, type Reader, readerOfRequest } from '../pages/index.ts';
import type { ScanRequest } from '../scan/request.ts';
import type { Visit } from '../scan/visit.ts';
import { targetOf } from './exchange.ts';
import type { Reply } from './reply.ts';

/** A class, since one is created per scan: closures for its methods would be more objects. */
export class HttpScanRequest implements ScanRequest {
  readonly reply: Reply;
  readonly id: string;
  readonly visit: Visit;
  readonly site: Site | undefined;
  brand: Brand | undefined = undefined;
  messages: CodeRecord['messages'] = undefined;
  private readonly req: HttpRequest;

  constructor(reply: Reply, id: string, visit: Visit, req: HttpRequest, site: Site | undefined) {
    this.reply = reply;
    this.id = id;
    this.visit = visit;
    this.req = req;
    this.site = site;
  }

  reader(): Reader {
    return readerOfRequest(this.req);
  }

  source(): string {
    return this.req.getQuery('s') ?? '';
  }

  path(): string {
    return targetOf(this.req);
  }

  acceptLanguage(): string {
    return this.req.getHeader('accept-language');
  }

  query(): string {
    // Without a question mark it is undefined, despite its type.
    return (this.req.getQuery() as string | undefined) ?? '';
  }

  detach(): ScanRequest {
    const { reply, id, visit, site, brand, messages } = this;
    const [reader, source, path] = [this.reader(), this.source(), this.path()];
    const [acceptLanguage, query] = [this.acceptLanguage(), this.query()];
    const detached: ScanRequest = {
      reply,
      id,
      visit,
      site,
      brand,
      messages,
      reader: () => reader,
      source: () => source,
      path: () => path,
      acceptLanguage: () => acceptLanguage,
      query: () => query,
      detach: () => detached,
    };
    return detached;
  }
}
