/**
 * Reads the requests for a code while they are lent.
 *
 *   GET, HEAD        a scan
 *   POST             the password of a protected code
 *   other methods    405
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { Site } from '../domains/site.ts';
import { answers, pageOf, readerOfRequest } from '../pages/index.ts';
import type { ScanHandler } from '../scan/handler.ts';
import { readSmallBody } from './exchange.ts';
import { HttpScanRequest } from './http-scan-request.ts';
import { Reply } from './reply.ts';
import type { VisitReader } from './visit-reader.ts';

/** Reads the password from a body: a form, or JSON from programs. @returns an empty text without one */
const readPassword = (body: Buffer, contentType: string): string => {
  const text = body.toString('utf8');
  if (!contentType.startsWith('application/json')) return new URLSearchParams(text).get('password') ?? '';
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || !('password' in parsed)) return '';
    return typeof parsed.password === 'string' ? parsed.password : '';
  } catch {
    return ''; // a wrong password like any other
  }
};

export interface CodeRouteParts {
  visits: VisitReader;
  scanHandler: ScanHandler;
  /** Whether connections close after their answer. */
  isRetiring(): boolean;
}

/** @param site the domain of the request; undefined: QR_HOST */
type Answer = (res: HttpResponse, req: HttpRequest, id: string, site: Site | undefined) => void;

export interface CodeRoutes {
  get: Answer;
  head: Answer;
  post: Answer;
  any: Answer;
}

const passwordBodyBytesMax = 4096;

export const createCodeRoutes = ({ visits, scanHandler, isRetiring }: CodeRouteParts): CodeRoutes => {
  /** The scan, if the id is well-formed; otherwise answers. */
  const readScan = (
    res: HttpResponse,
    req: HttpRequest,
    id: string,
    head: boolean,
    site: Site | undefined,
  ): HttpScanRequest | undefined => {
    const reply = new Reply(res, head, isRetiring());
    if (isCodeIdShaped(id)) return new HttpScanRequest(reply, id, visits.visitOf(res, req, head), req, site);
    reply.send(
      pageOf(site ? answers.nothingHere : answers.unknown, readerOfRequest(req), {
        brand: site?.brand(),
        host: site?.domain,
      }),
    );
    return undefined;
  };

  return {
    get(res, req, id, site) {
      const request = readScan(res, req, id, false, site);
      if (request) scanHandler.handle(request);
    },
    head(res, req, id, site) {
      const request = readScan(res, req, id, true, site);
      if (request) scanHandler.handle(request);
    },
    post(res, req, id, site) {
      const request = readScan(res, req, id, false, site)?.detach();
      if (!request) return;
      const contentType = req.getHeader('content-type');
      readSmallBody(res, passwordBodyBytesMax, (body) => {
        if (!request.reply.aborted)
          void scanHandler.enterPassword(request, body ? readPassword(body, contentType) : '');
      });
    },
    any(res, req, _, site) {
      const reply = new Reply(res, false, isRetiring());
      reply.send(
        pageOf(answers.methodNotAllowed, readerOfRequest(req), { brand: site?.brand(), host: site?.domain }),
      );
    },
  };
};
