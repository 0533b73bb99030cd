/** An HTTP request to the GS1 resolver, read while it is lent. */
import type { HttpRequest } from 'uWebSockets.js';
import type { Site } from '../domains/site.ts';
import type { Gs1Request } from '../gs1/request.ts';
import type { Visit } from '../scan/visit.ts';
import { HttpVerificationRequest } from './http-verification-request.ts';
import type { Reply } from './reply.ts';

export class HttpGs1Request extends HttpVerificationRequest implements Gs1Request {
  readonly path: string;
  readonly query: string;
  private readonly request: HttpRequest;

  constructor(reply: Reply, visit: Visit, req: HttpRequest, path: string, site: Site | undefined) {
    super(reply, visit, req, site);
    this.path = path;
    // Without a question mark the query is undefined, despite its type.
    this.query = (req.getQuery() as string | undefined) ?? '';
    this.request = req;
  }

  accept(): string {
    return this.request.getHeader('accept');
  }

  override detach(): Gs1Request {
    const { reply, path, query } = this;
    const accept = this.accept();
    const detached: Gs1Request = {
      ...super.detach(),
      reply,
      path,
      query,
      accept: () => accept,
      detach: () => detached,
    };
    return detached;
  }
}
