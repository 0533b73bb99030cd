/**
 * Routes what the GS1 resolver answers.
 *
 *   GET, HEAD /01/…, /8004/… and other primary keys, /eh…, /ex…   a Digital Link, or EPC binary
 *   GET, HEAD /.well-known/gs1resolver                             what the resolver says of itself
 *   OPTIONS there                                                  what browsers ask first
 *   other methods there                                            405
 */
import type { HttpRequest } from 'uWebSockets.js';
import { primaryKeys } from '#shared/gs1/digital-link/key-path.ts';
import { canBeEpcPath } from '#shared/gs1/epc/parse.ts';
import { descriptionPath } from '../gs1/description.ts';
import type { Gs1Resolver } from '../gs1/gs1-resolver.ts';
import type { Handler } from './handler.ts';
import { HttpGs1Request } from './http-gs1-request.ts';
import { Reply } from './reply.ts';
import type { VisitReader } from './visit-reader.ts';

export interface Gs1RouteParts {
  visits: VisitReader;
  gs1: Gs1Resolver;
  /** Whether connections are to be closed after their answer. */
  isRetiring(): boolean;
}

/** A path that begins with a primary key. */
const digitalLinkPath = new RegExp(`^/(?:${primaryKeys.join('|')})(?:/|$)`);

export interface Gs1Routes {
  /** Whether the resolver answers a request. */
  takes(req: HttpRequest): boolean;
  handle: Handler;
}

export const createGs1Routes = ({ visits, gs1, isRetiring }: Gs1RouteParts): Gs1Routes => ({
  takes(req) {
    const path = req.getUrl();
    return digitalLinkPath.test(path) || canBeEpcPath(path) || path === descriptionPath;
  },
  handle(res, req) {
    const method = req.getMethod();
    const head = method === 'head';
    const reply = new Reply(res, head, isRetiring());
    if (method === 'options') gs1.preflight(reply);
    else if (method !== 'get' && !head) gs1.refuseMethod(reply);
    else if (req.getUrl() === descriptionPath) gs1.describe(reply);
    else gs1.handle(new HttpGs1Request(reply, visits.visitOf(res, req, head), req));
  },
});
