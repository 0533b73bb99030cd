/**
 * Routes verifications, and reads them while they are lent.
 *
 *   GET, HEAD /v/{itemId}/{signature}   a trailing slash is ignored
 *   other methods there                 405
 *   POST /api/verify/serial             the same as JSON, from apps, or the control plane for them; a slash may follow
 *   OPTIONS there                       204 with the methods; others 405
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { METHODS } from 'node:http';
import { serialBodyBytesMax } from '#schemas/api/serial-verification.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted, shortened } from '#shared/quoted.ts';
import { equalInConstantTime } from '#shared/signing.ts';
import type { Site } from '../domains/site.ts';
import { answers, pageOf, readerOfRequest } from '../pages/index.ts';
import { methodNotAllowed, onlyPostAllowed, postAllowed } from '../verify/answers.ts';
import type { Verifier } from '../verify/verifier.ts';
import { leadTo } from './durations.ts';
import { readSmallBody } from './exchange.ts';
import { HttpVerificationRequest } from './http-verification-request.ts';
import { Reply } from './reply.ts';
import { hasAsciiTarget, refuse } from './request-faults.ts';
import type { VisitReader } from './visit-reader.ts';

const jsonType = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i;
const charsetOf = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/** All values of a header, joined as the control plane joins them. */
const everyValue = (req: HttpRequest, wanted: string): string => {
  const values: string[] = [];
  req.forEach((name, value) => {
    if (name === wanted) values.push(value);
  });
  return values.join(', ');
};

const faultOf = (req: HttpRequest): string | undefined => {
  // Without a question mark the query is undefined, despite its type.
  const [parameter] = new URLSearchParams((req.getQuery() as string | undefined) ?? '').keys();
  if (parameter !== undefined)
    return `${shortened(parameter)} is not a known parameter; none is accepted here`;
  const type = req.getHeader('content-type');
  if (type !== '' && !jsonType.test(type))
    return `Content-Type must be application/json; given: ${quoted(type)}`;
  const charset = charsetOf.exec(type)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    return `Content-Type must be JSON in UTF-8; given: charset ${quoted(charset)}`;
  const coding = everyValue(req, 'content-encoding');
  if (coding !== '' && coding !== 'identity')
    return `Content-Encoding must not be set: send the body as it is; given: ${quoted(coding)}`;
  return undefined;
};

/**
 * Checks the head of a request with a JSON body, as strictly as the control plane does: a query, a type other than JSON
 * in UTF-8, and a content coding are refused. Without a type it is JSON.
 */
const jsonRequestFault = (req: HttpRequest): ClientError | undefined => {
  const fault = faultOf(req);
  return fault === undefined ? undefined : new ClientError('INVALID_REQUEST', fault);
};

export interface VerificationRouteParts {
  visits: VisitReader;
  verifier: Verifier;
  /** Shows that a request comes from the control plane, whose value for the client's address is trusted. */
  controlPlaneToken: string;
  /** Whether connections close after their answer. */
  isRetiring(): boolean;
}

const tokenHeader = 'x-waymark-proxy';

/** @param site the domain of the request; undefined: QR_HOST */
type Answer = (res: HttpResponse, req: HttpRequest, site?: Site) => void;

export interface VerificationRoutes {
  /** `/v/{itemId}/{signature}` @param printed both, as in the path */
  item(res: HttpResponse, req: HttpRequest, printed: PrintedItem, site?: Site): void;
  /** `/api/verify/serial` */
  serial: Answer;
}

export interface PrintedItem {
  itemId: string;
  signature: string;
}

export const createVerificationRoutes = ({
  visits,
  verifier,
  controlPlaneToken,
  isRetiring,
}: VerificationRouteParts): VerificationRoutes => {
  const item: VerificationRoutes['item'] = (res, req, { itemId, signature }, site) => {
    leadTo('/v/{itemId}/{signature}');
    const method = req.getMethod();
    const head = method === 'head';
    const reply = new Reply(res, head, isRetiring());
    if (!head && method !== 'get') return reply.send(methodNotAllowed);
    if (!hasAsciiTarget(req)) return reply.send(pageOf(answers.badTarget, readerOfRequest(req)));
    const request = new HttpVerificationRequest(reply, visits.visitOf(res, req, head), req, site);
    verifier.handle(request, itemId, signature);
  };

  const readPost = (res: HttpResponse, req: HttpRequest, last: boolean, site: Site | undefined) => {
    const visit = visits.visitOf(res, req, false);
    // Whatever it accepts: only programs post here.
    return new HttpVerificationRequest(new Reply(res, false, last), visit, req, site, 'json').detach();
  };

  const onOwnPost: Answer = (res, req, site) => {
    const length = Number(req.getHeader('content-length') || 0);
    // Refused before it is received.
    if (length > serialBodyBytesMax) return verifier.handlePost(readPost(res, req, true, site), undefined);
    const fault = jsonRequestFault(req);
    const request = readPost(res, req, isRetiring(), site);
    readSmallBody(res, serialBodyBytesMax, (body) => {
      if (!request.reply.aborted) verifier.handlePost(request, fault ?? body);
    });
  };

  const onPost: Answer = (res, req, site) => {
    const token = req.getHeader(tokenHeader);
    if (token !== '' && equalInConstantTime(token, controlPlaneToken))
      visits.asOwn(() => onOwnPost(res, req, site));
    else onOwnPost(res, req, site);
  };

  return {
    item,
    serial(res, req, site) {
      leadTo('/api/verify/serial');
      const method = req.getCaseSensitiveMethod();
      // As the control plane, which has the methods of Node, in capitals.
      if (!METHODS.includes(method)) return refuse(res, req, answers.unknownMethod);
      if (!hasAsciiTarget(req)) return refuse(res, req, answers.badTarget);
      if (method === 'POST') return onPost(res, req, site);
      new Reply(res, method === 'HEAD', isRetiring()).send(
        method === 'OPTIONS' ? postAllowed : onlyPostAllowed(method),
      );
    },
  };
};
