/**
 * Routes each request, and reads it while it lives.
 *
 *   GET, HEAD /r/{id}         a scan; a slash at the end makes no difference
 *   POST /r/{id}              the password of a protected code
 *   other methods on /r/{id}  405
 *   verifications             see verification-routes.ts
 *   GS1 Digital Links         see gs1-routes.ts
 *   any other path            passed through to the control plane
 */
import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { Logger } from '#shared/logger.ts';
import { wantsPage } from '#shared/wants-page.ts';
import type { Gs1Resolver } from '../gs1/gs1-resolver.ts';
import { type Answer, answers, pageOf } from '../pages/index.ts';
import type { ScanHandler } from '../scan/handler.ts';
import type { Verifier } from '../verify/verifier.ts';
import { networkText } from '../visitor/client-network.ts';
import { hasAsciiTarget, isAmbiguous } from './ambiguous-request.ts';
import { openExchange, readSmallBody } from './exchange.ts';
import { createGs1Routes } from './gs1-routes.ts';
import type { Handler } from './handler.ts';
import { HttpScanRequest } from './http-scan-request.ts';
import { answerThrough, createPassthroughWarning, type Passthrough } from './passthrough.ts';
import { readPassword } from './password-form.ts';
import { Reply } from './reply.ts';
import { createVerificationRoutes } from './verification-routes.ts';
import type { VisitReader } from './visit-reader.ts';

export interface RouteParts {
  visits: VisitReader;
  scanHandler: ScanHandler;
  verifier: Verifier;
  gs1: Gs1Resolver;
  /** Shows that a request comes from the control plane. */
  controlPlaneToken: string;
  passthrough: Passthrough;
  logger: Logger;
  /** Whether connections are to be closed after their answer. */
  isRetiring(): boolean;
}

export interface Routes {
  /** Requests passed through since the start. */
  readonly passedThrough: number;
  /** @param wrap is applied to each handler */
  addTo(app: TemplatedApp, wrap: (handler: Handler) => Handler): TemplatedApp;
}

/** Above the API's own limit of 25 MiB, so that the API answers a body that is too large. */
const passthroughBodyBytesMax = 26 * 2 ** 20;
const passwordBodyBytesMax = 4096;

export const createRoutes = (parts: RouteParts): Routes => {
  const { visits, scanHandler, passthrough, logger, isRetiring } = parts;
  const warn = createPassthroughWarning(logger);
  const addVerifications = createVerificationRoutes(parts);
  const gs1Routes = createGs1Routes(parts);
  let passedThrough = 0;

  const answer = (res: HttpResponse, req: HttpRequest, head: boolean, how: Answer): void =>
    new Reply(res, head, isRetiring()).send(pageOf(how, wantsPage(req.getHeader('accept'))));

  /** The scan, if the path has what can be an id; otherwise answers. */
  const readScan = (res: HttpResponse, req: HttpRequest, head: boolean): HttpScanRequest | undefined => {
    const id = req.getParameter(0) ?? '';
    if (isCodeIdShaped(id))
      return new HttpScanRequest(new Reply(res, head, isRetiring()), id, visits.visitOf(res, req, head), req);
    answer(res, req, head, answers.unknown);
    return undefined;
  };

  const onScan = (res: HttpResponse, req: HttpRequest, head: boolean): void => {
    const request = readScan(res, req, head);
    if (request) scanHandler.handle(request);
  };

  const onPassword: Handler = (res, req) => {
    // Closed without an answer: after one, the rest of the body would be taken for the next request.
    if (isAmbiguous(req)) return void res.close();
    const request = readScan(res, req, false)?.detach();
    if (!request) return;
    const contentType = req.getHeader('content-type');
    readSmallBody(res, passwordBodyBytesMax, (body) => {
      if (!request.reply.aborted)
        void scanHandler.unlock(request, body ? readPassword(body, contentType) : '');
    });
  };

  const onOther: Handler = (res, req) => {
    if (isAmbiguous(req)) return void res.close();
    if (gs1Routes.takes(req)) return gs1Routes.handle(res, req);
    if (!hasAsciiTarget(req)) return answer(res, req, false, answers.badTarget);
    passedThrough++;
    const { text, networkHigh, networkLow } = visits.addressOf(res, req);
    const client = { address: text, network: networkText(networkHigh, networkLow) };
    const exchange = openExchange(res, req, passthroughBodyBytesMax, isRetiring);
    void answerThrough(passthrough, exchange, client, warn);
  };

  const handlers = {
    get: (res, req) => onScan(res, req, false),
    head: (res, req) => onScan(res, req, true),
    post: onPassword,
    any: (res, req) => answer(res, req, false, answers.methodNotAllowed),
  } satisfies Record<string, Handler>;

  return {
    get passedThrough() {
      return passedThrough;
    },
    addTo(app, wrap) {
      for (const path of ['/r/:id', '/r/:id/']) {
        app.get(path, wrap(handlers.get));
        app.head(path, wrap(handlers.head));
        app.post(path, wrap(handlers.post));
        app.any(path, wrap(handlers.any));
      }
      addVerifications(app, wrap);
      return app.any('/*', wrap(onOther));
    },
  };
};
