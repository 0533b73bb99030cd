/**
 * Routes verifications, and reads them while they live.
 *
 *   GET, HEAD /v/{itemId}/{signature}   a slash at the end makes no difference
 *   other methods there                 405
 *   POST /api/verify/serial             the same as JSON, from apps, or from the control plane in the name of one; so, too, with a slash
 *   OPTIONS there                       204 with the methods; others 405
 */
import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js';
import { equalInConstantTime } from '#shared/signing.ts';
import { wantsPage } from '#shared/wants-page.ts';
import { answers, pageOf } from '../pages/index.ts';
import { methodNotAllowed, onlyPostAllowed, postAllowed } from '../verify/answers.ts';
import { serialBodyBytesMax } from '../verify/serial-body.ts';
import type { Verifier } from '../verify/verifier.ts';
import { hasAsciiTarget, isAmbiguous } from './ambiguous-request.ts';
import { readSmallBody } from './exchange.ts';
import type { Handler } from './handler.ts';
import { HttpVerificationRequest } from './http-verification-request.ts';
import { jsonRequestFault } from './json-request.ts';
import { Reply } from './reply.ts';
import type { VisitReader } from './visit-reader.ts';

export interface VerificationRouteParts {
  visits: VisitReader;
  verifier: Verifier;
  /** Shows that a request comes from the control plane, whose word for the client's address is taken. */
  controlPlaneToken: string;
  /** Whether connections are to be closed after their answer. */
  isRetiring(): boolean;
}

const tokenHeader = 'x-waymark-proxy';

/** @returns adds the routes; `wrap` is applied to each handler */
export const createVerificationRoutes = ({
  visits,
  verifier,
  controlPlaneToken,
  isRetiring,
}: VerificationRouteParts): ((app: TemplatedApp, wrap: (handler: Handler) => Handler) => void) => {
  const onItem = (res: HttpResponse, req: HttpRequest, head: boolean): void => {
    const reply = new Reply(res, head, isRetiring());
    if (!hasAsciiTarget(req))
      return reply.send(pageOf(answers.badTarget, wantsPage(req.getHeader('accept'))));
    const request = new HttpVerificationRequest(reply, visits.visitOf(res, req, head), req);
    verifier.handle(request, req.getParameter(0) ?? '', req.getParameter(1) ?? '');
  };

  const onOtherMethod: Handler = (res) => new Reply(res, false, isRetiring()).send(methodNotAllowed);

  const readPost = (res: HttpResponse, req: HttpRequest, last: boolean) =>
    new HttpVerificationRequest(new Reply(res, false, last), visits.visitOf(res, req, false), req).detach();

  const onOwnPost: Handler = (res, req) => {
    const length = Number(req.getHeader('content-length') || 0);
    // Not even received.
    if (length > serialBodyBytesMax) return verifier.handlePost(readPost(res, req, true), undefined);
    const fault = jsonRequestFault(req);
    const request = readPost(res, req, isRetiring());
    readSmallBody(res, serialBodyBytesMax, (body) => {
      if (!request.reply.aborted) verifier.handlePost(request, fault ?? body);
    });
  };

  const onOtherThanPost: Handler = (res, req) => {
    if (isAmbiguous(req)) return void res.close();
    const method = req.getCaseSensitiveMethod();
    new Reply(res, method === 'HEAD', isRetiring()).send(
      method === 'OPTIONS' ? postAllowed : onlyPostAllowed(method),
    );
  };

  const onPost: Handler = (res, req) => {
    // Closed without an answer: after one, the rest of the body would be taken for the next request.
    if (isAmbiguous(req)) return void res.close();
    const token = req.getHeader(tokenHeader);
    if (token !== '' && equalInConstantTime(token, controlPlaneToken))
      visits.asOwn(() => onOwnPost(res, req));
    else onOwnPost(res, req);
  };

  const handlers = {
    get: (res, req) => onItem(res, req, false),
    head: (res, req) => onItem(res, req, true),
  } satisfies Record<string, Handler>;

  return (app, wrap) => {
    for (const path of ['/v/:item/:signature', '/v/:item/:signature/']) {
      app.get(path, wrap(handlers.get));
      app.head(path, wrap(handlers.head));
      app.any(path, wrap(onOtherMethod));
    }
    for (const path of ['/api/verify/serial', '/api/verify/serial/']) {
      app.post(path, wrap(onPost));
      app.any(path, wrap(onOtherThanPost));
    }
  };
};
