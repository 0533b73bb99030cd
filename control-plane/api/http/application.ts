/** The Koa application that every listener of this plane shares. */

import { randomUUID } from 'node:crypto';
import type Router from '@koa/router';
import Koa from 'koa';
import { ClientError } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { quoted, shortened } from '#shared/quoted.ts';
import type { ClientAddressOf } from '../access/client-address.ts';
import type { Middleware, State } from './context.ts';
import type { ErrorPageOf } from './error-page.ts';
import { errorEdge } from './errors.ts';
import { securityHeaders } from './security-headers.ts';

/** A caller's own id is accepted only if it is harmless in a log and a header. */
const saneId = /^[A-Za-z0-9._-]{8,64}$/;

/** Every response carries a `request-id`, so that a client's report can be matched with our log. */
const requestIds = (): Middleware => async (ctx, next) => {
  const given = ctx.get('request-id');
  ctx.state.requestId = saneId.test(given) ? given : randomUUID();
  ctx.set('request-id', ctx.state.requestId);
  await next();
};

export interface ApplicationOptions {
  router: Router<State>;
  logger: Logger;
  /** Whether this listener is reached over https. */
  secure: boolean;
  /** Whether an error means that a dependency is down. */
  isUnavailable: (error: unknown) => boolean;
  clientAddress: ClientAddressOf;
  errorPageOf?: ErrorPageOf;
  /** The URL of the page of /docs that explains the codes of errors. */
  docsUrl: string;
  /** Sees every answered request. */
  observe: Middleware;
  /** The same, for the log of requests. */
  note?: Middleware;
}

export const createApplication = (options: ApplicationOptions): Koa<State> => {
  const { router, logger, secure, isUnavailable, clientAddress, errorPageOf, docsUrl, observe, note } =
    options;
  const app = new Koa<State>();
  app.use(observe);
  if (note) app.use(note);
  app.use(requestIds());
  app.use(securityHeaders(secure));
  app.use(errorEdge({ logger, isUnavailable, clientAddress, docsUrl, ...(errorPageOf && { errorPageOf }) }));
  app.use(router.routes());
  app.use(unmatched(router));
  // Failures after the response has begun, mostly clients that disconnected.
  app.on('error', (error: Error) => logger.debug({ err: error }, 'response failed'));
  return app;
};

/** 404 for a path that is not ours, 405 with Allow for one that is. */
const unmatched =
  (router: Router<State>): Middleware =>
  (ctx) => {
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods));
    if (methods.has(ctx.method)) return;
    if (methods.size === 0)
      throw new ClientError(
        'NOT_FOUND',
        `There is nothing at the path ${quoted(ctx.path)}; /openapi.json lists the paths that exist`,
      );
    const allowed = [...methods, 'OPTIONS'].join(', ');
    ctx.set('allow', allowed);
    if (ctx.method !== 'OPTIONS') {
      throw new ClientError(
        'METHOD_NOT_ALLOWED',
        `The method ${shortened(ctx.method)} is not allowed at this path; allowed are ${allowed}`,
      );
    }
    ctx.status = 204;
  };
