/**
 * Routes the requests that the GS1 resolver answers.
 *
 *   GET, HEAD /01/…, /8004/… and other application identifiers, /eh…, /ex…   a Digital Link, or EPC binary
 *   GET, HEAD /.well-known/gs1resolver                                        the resolver's description of itself
 *   OPTIONS there                                                             CORS preflights of browsers
 *   other methods there                                                       405
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { isDigitalLinkPath } from '#schemas/served-paths.ts';
import type { Site } from '../domains/site.ts';
import { descriptionPath } from '../gs1/description.ts';
import type { Gs1Resolver } from '../gs1/gs1-resolver.ts';
import { leadTo } from './durations.ts';
import { HttpGs1Request } from './http-gs1-request.ts';
import { Reply } from './reply.ts';
import type { VisitReader } from './visit-reader.ts';

export interface Gs1RouteParts {
  visits: VisitReader;
  gs1: Gs1Resolver;
  /** Whether connections close after their answer. */
  isRetiring(): boolean;
}

export interface Gs1Routes {
  /** Whether the resolver answers requests for a path. */
  takes(path: string): boolean;
  /** @param path of the request @param site the domain of the request; undefined: QR_HOST */
  handle(res: HttpResponse, req: HttpRequest, path: string, site?: Site): void;
}

export const createGs1Routes = ({ visits, gs1, isRetiring }: Gs1RouteParts): Gs1Routes => ({
  takes: (path) => isDigitalLinkPath(path) || path === descriptionPath,
  handle(res, req, path, site) {
    leadTo('gs1');
    const method = req.getMethod();
    const head = method === 'head';
    const reply = new Reply(res, head, isRetiring());
    if (method === 'options') gs1.preflight(reply);
    else if (method !== 'get' && !head) gs1.refuseMethod(reply);
    else if (path === descriptionPath) gs1.describe(reply, site);
    else gs1.handle(new HttpGs1Request(reply, visits.visitOf(res, req, head), req, path, site));
  },
});
