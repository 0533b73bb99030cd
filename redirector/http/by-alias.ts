/** Finds the code of an alias, and hands the request on with its id. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import type { Aliases } from '../aliases/aliases.ts';
import type { Site } from '../domains/site.ts';
import { type Answer, answers, readerOfRequest, redirectPage } from '../pages/index.ts';
import type { Visit } from '../scan/visit.ts';
import { defer } from './deferred-request.ts';
import { Reply } from './reply.ts';
import type { VisitReader } from './visit-reader.ts';

type Headers = readonly (readonly [name: string, value: string])[];

/** Answers now, with a page or JSON. */
export type SendAnswer = (
  res: HttpResponse,
  req: HttpRequest,
  head: boolean,
  answer: Answer,
  site: Site | undefined,
  headers?: Headers,
) => void;

export interface ByAliasParts {
  visits: VisitReader;
  aliases: Aliases;
  sendAnswer: SendAnswer;
  isRetiring(): boolean;
}

/**
 * Leads people where a domain says that unknown paths lead.
 * @returns whether it does; otherwise the request has no answer yet
 */
export const leadsToNotFoundUrl = (
  res: HttpResponse,
  req: HttpRequest,
  site: Site | undefined,
  isRetiring: () => boolean,
): boolean => {
  const method = req.getCaseSensitiveMethod();
  if (site?.notFoundUrl === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  if (readerOfRequest(req) === 'program') return false;
  new Reply(res, method === 'HEAD', isRetiring()).send(redirectPage(site.notFoundUrl));
  return true;
};

export const createByAlias = (
  { visits, aliases, sendAnswer, isRetiring }: ByAliasParts,
  head: boolean,
  take: (res: HttpResponse, req: HttpRequest, id: string, site: Site | undefined, visit: Visit) => void,
) => {
  const refuseUnknown = (res: HttpResponse, req: HttpRequest, site: Site | undefined): void => {
    if (leadsToNotFoundUrl(res, req, site, isRetiring)) return;
    sendAnswer(res, req, head, site ? answers.nothingHere : answers.unknown, site);
  };

  return (res: HttpResponse, req: HttpRequest, segment: string, site: Site | undefined): void => {
    const asked = aliases.read(segment, site);
    const held = asked ? aliases.held(asked) : null;
    if (!asked || held === null) return refuseUnknown(res, req, site);
    // Read now: a request that is handled later is no longer known as this process's own.
    const visit = visits.visitOf(res, req, head);
    if (held !== undefined) return take(res, req, held, site, visit);
    defer(res, req, aliases.load(asked, visit.address, visit.atMs), (lookup) => (sameRes, sameReq) => {
      if ('answer' in lookup) sendAnswer(sameRes, sameReq, head, lookup.answer, site, lookup.headers);
      else if (lookup.codeId === null) refuseUnknown(sameRes, sameReq, site);
      else take(sameRes, sameReq, lookup.codeId, site, visit);
    });
  };
};
