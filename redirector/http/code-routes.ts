/**
 * Reads the requests for a code, by its id or an alias, while they are lent.
 *
 *   GET, HEAD        a scan; of `{id}+`, a preview of where it leads
 *   POST             the password of a protected code
 *   other methods    405
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { Aliases } from '../aliases/aliases.ts';
import type { Site } from '../domains/site.ts';
import { answers, pageOf, readerOfRequest } from '../pages/index.ts';
import type { ScanHandler } from '../scan/handler.ts';
import type { Visit } from '../scan/visit.ts';
import { createByAlias, type SendAnswer } from './by-alias.ts';
import { leadTo } from './durations.ts';
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
  aliases: Aliases;
  /** Whether connections close after their answer. */
  isRetiring(): boolean;
}

/** @param name an id or an alias, as in the path @param site the domain of the request; undefined: QR_HOST */
type Answer = (res: HttpResponse, req: HttpRequest, name: string, site: Site | undefined) => void;

export interface CodeRoutes {
  get: Answer;
  head: Answer;
  post: Answer;
  any: Answer;
  /** Requests that wait until their alias is looked up. */
  readonly waiting: number;
}

/** Takes the request for the code with an id. */
type Take = (res: HttpResponse, req: HttpRequest, id: string, site: Site | undefined, visit: Visit) => void;

const passwordBodyBytesMax = 4096;

/** No id and no alias has it. */
const previewMark = /(?:\+|%2b)$/i;

export const createCodeRoutes = ({
  visits,
  scanHandler,
  aliases,
  isRetiring,
}: CodeRouteParts): CodeRoutes => {
  const sendAnswer: SendAnswer = (res, req, head, answer, site, headers = []) => {
    const page = pageOf(answer, readerOfRequest(req), { brand: site?.brand(), host: site?.domain });
    new Reply(res, head, isRetiring()).send({ ...page, headers: [...page.headers, ...headers] });
  };

  /** Scans are answered by the id; other names are looked up first. @param previewed answers a name with a plus sign at its end */
  const named = (head: boolean, take: Take, previewed?: Answer): Answer => {
    const byAlias = createByAlias({ visits, aliases, sendAnswer, isRetiring }, head, take);
    return (res, req, name, site) => {
      leadTo('/r/{id}');
      if (isCodeIdShaped(name)) return take(res, req, name, site, visits.visitOf(res, req, head));
      if (previewed && previewMark.test(name))
        return previewed(res, req, name.replace(previewMark, ''), site);
      byAlias(res, req, name, site);
    };
  };

  const scan = (head: boolean): Answer => {
    const previewed = named(head, (res, req, id, site, visit) => {
      const reply = new Reply(res, head, isRetiring());
      void scanHandler.preview(new HttpScanRequest(reply, id, visit, req, site).detach());
    });
    return named(
      head,
      (res, req, id, site, visit) =>
        scanHandler.handle(new HttpScanRequest(new Reply(res, head, isRetiring()), id, visit, req, site)),
      previewed,
    );
  };

  const enter: Take = (res, req, id, site, visit) => {
    const reply = new Reply(res, false, isRetiring());
    const request = new HttpScanRequest(reply, id, visit, req, site).detach();
    const contentType = req.getHeader('content-type');
    readSmallBody(res, passwordBodyBytesMax, (body) => {
      if (!reply.aborted)
        void scanHandler.enterPassword(request, body ? readPassword(body, contentType) : '');
    });
  };

  return {
    get: scan(false),
    head: scan(true),
    post: named(false, enter),
    any: (res, req, _, site) => {
      leadTo('/r/{id}');
      sendAnswer(res, req, false, answers.methodNotAllowed, site);
    },
    get waiting() {
      return aliases.waiting;
    },
  };
};
