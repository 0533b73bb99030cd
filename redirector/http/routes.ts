/**
 * Routes each request, and reads it while it is lent. Workspace domains have their own routes, see domain-routes.ts.
 *
 *   /r/{id}, /r/{alias}  codes, see code-routes.ts; a trailing slash is ignored
 *   verifications        see verification-routes.ts
 *   GS1 Digital Links    see gs1-routes.ts
 *   /fonts/…             fonts of hosted pages, see font-answers.ts
 *   any other path       passed through to the control plane
 */
import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js';
import type { DomainDocument } from '#schemas/documents.ts';
import type { Logger } from '#shared/logger.ts';
import type { Aliases } from '../aliases/aliases.ts';
import type { Brands } from '../domains/brands.ts';
import type { Domains } from '../domains/domains.ts';
import type { Gs1Resolver } from '../gs1/gs1-resolver.ts';
import { answers, fullAnswer, pageOf, readerOfRequest } from '../pages/index.ts';
import type { ScanHandler } from '../scan/handler.ts';
import type { Verifier } from '../verify/verifier.ts';
import { networkText } from '../visitor/client-network.ts';
import { type CodeRoutes, createCodeRoutes } from './code-routes.ts';
import { createDomainRoutes } from './domain-routes.ts';
import { leadTo } from './durations.ts';
import { announcedBytes, drainedBytesMax, openExchange, targetOf } from './exchange.ts';
import { answersFont } from './font-answers.ts';
import { createGs1Routes } from './gs1-routes.ts';
import type { Handler } from './handler.ts';
import { createHostRoutes } from './host-routes.ts';
import { createPageRoutes, type PageRouteParts } from './page-routes.ts';
import {
  answerThrough,
  createPassthroughWarning,
  noRoom,
  type Passthrough,
  type PassthroughClient,
} from './passthrough.ts';
import { Reply } from './reply.ts';
import { hasAsciiTarget, unlessAmbiguous, unlessBadMethod } from './request-faults.ts';
import { createVerificationRoutes } from './verification-routes.ts';
import type { VisitReader } from './visit-reader.ts';

export interface RouteParts extends Pick<PageRouteParts, 'pageServer' | 'pageDocuments'> {
  visits: VisitReader;
  brands: Pick<Brands, 'heldOrLoaded'>;
  scanHandler: ScanHandler;
  aliases: Aliases;
  verifier: Verifier;
  gs1: Gs1Resolver;
  /** The host of QR_HOST, with its port unless it is the scheme's default. */
  ownHost: string;
  domains: Domains;
  /** Shows that a request comes from the control plane. */
  controlPlaneToken: string;
  passthrough: Passthrough;
  logger: Logger;
  /** Whether connections close after their answer. */
  isRetiring(): boolean;
}

export interface Routes {
  /** Requests passed through since the start. */
  readonly passedThrough: number;
  /** Requests that wait until their domain, their page or their alias is looked up. */
  readonly waiting: number;
  /** @param wrap is applied to each handler */
  addTo(app: TemplatedApp, wrap: (handler: Handler) => Handler): TemplatedApp;
}

/** Above the API's own limit of 25 MiB, so that the API itself answers a body that is too large. */
const passthroughBodyBytesMax = 26 * 2 ** 20;

/** Takes the id, or the alias, from the path. */
const byParameter =
  (answer: CodeRoutes['get']): Handler =>
  (res, req) =>
    answer(res, req, req.getParameter(0) ?? '', undefined);

export const createRoutes = (parts: RouteParts): Routes => {
  const { visits, passthrough, logger, isRetiring } = parts;
  const warn = createPassthroughWarning(logger);
  const codes = createCodeRoutes(parts);
  const verifications = createVerificationRoutes(parts);
  const gs1 = createGs1Routes(parts);
  const hosts = createHostRoutes(parts.ownHost, parts.domains, visits.headersOf);
  let passedThrough = 0;

  const clientOf = (res: HttpResponse, req: HttpRequest, domain?: DomainDocument): PassthroughClient => {
    const { text, networkHigh, networkLow } = visits.addressOf(res, req);
    return { address: text, network: networkText(networkHigh, networkLow), domain };
  };

  const passOn = (res: HttpResponse, req: HttpRequest, client: PassthroughClient): void => {
    leadTo('passthrough');
    const bodyBytes = announcedBytes(req);
    if (!passthrough.admits(client.network, bodyBytes > 0)) {
      warn(noRoom, targetOf(req));
      const last = isRetiring() || bodyBytes > drainedBytesMax;
      const reply = new Reply(res, req.getCaseSensitiveMethod() === 'HEAD', last);
      return reply.send(pageOf(fullAnswer, readerOfRequest(req)));
    }
    passedThrough++;
    const exchange = openExchange(res, req, passthroughBodyBytesMax, isRetiring);
    void answerThrough(passthrough, exchange, client, warn);
  };

  const pages = createPageRoutes({ ...parts, passOn, clientOf });
  const onDomain = createDomainRoutes({
    ...parts,
    codes,
    verifications,
    gs1,
    pages,
    passOn: (res, req, domain) => passOn(res, req, clientOf(res, req, domain)),
  });

  const onOther: Handler = (res, req) => {
    // First: the checks of the others read the request again and again.
    const path = req.getUrl();
    if (gs1.takes(path)) return gs1.handle(res, req, path);
    const pageId = pages.idOf(req);
    if (pageId !== undefined) return pages.handle(res, req, pageId, undefined);
    if (answersFont(res, req, isRetiring())) return;
    if (hasAsciiTarget(req))
      return pages.refuses(res, req) ? undefined : passOn(res, req, clientOf(res, req));
    new Reply(res, false, isRetiring()).send(pageOf(answers.badTarget, readerOfRequest(req)));
  };

  const onItem: Handler = (res, req) =>
    verifications.item(res, req, { itemId: req.getParameter(0) ?? '', signature: req.getParameter(1) ?? '' });

  const handlers = {
    get: byParameter(codes.get),
    head: byParameter(codes.head),
    post: byParameter(codes.post),
    any: byParameter(codes.any),
  };

  return {
    get passedThrough() {
      return passedThrough;
    },
    get waiting() {
      return hosts.waiting + pages.waiting + codes.waiting;
    },
    addTo(app, wrap) {
      const add = (own: Handler): Handler =>
        unlessAmbiguous(
          visits.headersOf,
          hosts.split(wrap(own), (domain) => wrap((res, req) => onDomain(res, req, domain))),
        );
      const addAny = (own: Handler): Handler => unlessBadMethod(add(own));
      for (const slash of ['', '/']) {
        app.get(`/r/:id${slash}`, add(handlers.get));
        app.head(`/r/:id${slash}`, add(handlers.head));
        app.post(`/r/:id${slash}`, add(handlers.post));
        app.any(`/r/:id${slash}`, addAny(handlers.any));
        app.any(`/v/:item/:signature${slash}`, addAny(onItem));
        app.any(
          `/api/verify/serial${slash}`,
          addAny((res, req) => verifications.serial(res, req)),
        );
      }
      return app.any('/*', addAny(onOther));
    },
  };
};
