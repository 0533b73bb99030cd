/**
 * Routes the requests for hosted pages.
 *
 *   GET, HEAD /p/{pageId}, and /m/{menuId} and /f/{formId} without a query   from memory, if the page can be held
 *   with a query (a filter, the thanks), other methods                       passed through to the control plane
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { type DomainDocument, pageDocumentId } from '#schemas/documents.ts';
import type { PageDocument } from '#schemas/page-document.ts';
import type { Documents } from '../documents/document-store.ts';
import type { PageRequest, PageServer } from '../hosted/page-server.ts';
import { readerOfRequest } from '../pages/index.ts';
import { defer } from './deferred-request.ts';
import { leadTo } from './durations.ts';
import type { Handler } from './handler.ts';
import type { PassthroughClient } from './passthrough.ts';
import { Reply } from './reply.ts';
import { hasAsciiTarget } from './request-faults.ts';
import type { VisitReader } from './visit-reader.ts';

export interface PageRouteParts {
  visits: VisitReader;
  pageServer: PageServer;
  pageDocuments: Pick<Documents<PageDocument>, 'held' | 'load'>;
  /** Passes a request on to the control plane. */
  passOn(res: HttpResponse, req: HttpRequest, client: PassthroughClient): void;
  clientOf(res: HttpResponse, req: HttpRequest, domain: DomainDocument | undefined): PassthroughClient;
  /** Whether connections close after their answer. */
  isRetiring(): boolean;
}

export interface PageRoutes {
  /** @returns the id of the page that a request is for, if it may be served from memory */
  idOf(req: HttpRequest): string | undefined;
  /**
   * Of any other request: counts it if it is a view under another spelling, which the control plane answers.
   * @returns whether its address has asked for too many pages, and has the refusal
   */
  refuses(res: HttpResponse, req: HttpRequest): boolean;
  /** @param domain of the request; undefined: QR_HOST */
  handle(res: HttpResponse, req: HttpRequest, id: string, domain: DomainDocument | undefined): void;
  /** Requests that wait for a document. */
  readonly waiting: number;
}

const pagePath =
  /^\/(?:p\/(page_[1-9A-HJ-NP-Za-km-z]{16})|m\/(menu_[1-9A-HJ-NP-Za-km-z]{16})|f\/(form_[1-9A-HJ-NP-Za-km-z]{16}))$/;

/** Where all pages are: the control plane also takes a slash at the end, and letters as percent-encoded bytes. */
const pagesPath = /^\/[pmf]\//;

const requestOf = (
  req: HttpRequest,
  id: string,
  visit: PageRequest['visit'],
  domain: DomainDocument | undefined,
): PageRequest => ({
  id,
  visit,
  remaining: 0,
  workspaceId: domain?.workspaceId,
  header: (name) => req.getHeader(name),
  reader: () => readerOfRequest(req),
});

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

export const createPageRoutes = (parts: PageRouteParts): PageRoutes => {
  const { visits, pageServer, pageDocuments, passOn, clientOf, isRetiring } = parts;

  let waiting = 0;

  /** Null also if no source can say: then the control plane is asked for the page itself. */
  const load = async (id: string): Promise<PageDocument | null> => {
    waiting++;
    try {
      return await pageDocuments.load(id);
    } catch {
      return null;
    } finally {
      waiting--;
    }
  };

  return {
    get waiting() {
      return waiting;
    },
    idOf(req) {
      const method = req.getCaseSensitiveMethod();
      if (!isRead(method) || !hasAsciiTarget(req)) return undefined;
      const [, pageId, menuId, formId] = pagePath.exec(req.getUrl()) ?? [];
      if (pageId !== undefined) return pageId;
      // Without a question mark the query is undefined, despite its type.
      return ((req.getQuery() as string | undefined) ?? '') === '' ? (menuId ?? formId) : undefined;
    },
    refuses(res, req) {
      const method = req.getCaseSensitiveMethod();
      if (!isRead(method) || !pagesPath.test(req.getUrl())) return false;
      const head = method === 'HEAD';
      const refusal = pageServer.refusalOf(requestOf(req, '', visits.visitOf(res, req, head), undefined));
      if (refusal) new Reply(res, head, isRetiring()).send(refusal);
      return refusal !== undefined;
    },
    handle(res, req, id, domain) {
      leadTo('hosted');
      const head = req.getCaseSensitiveMethod() === 'HEAD';
      // Read now: a request that is handled later is no longer known as this process's own.
      const client = clientOf(res, req, domain);
      const visit = visits.visitOf(res, req, head);
      const request = requestOf(req, id, visit, domain);
      const refusal = pageServer.refusalOf(request);
      if (refusal) return new Reply(res, head, isRetiring()).send(refusal);
      const { remaining } = request;

      const answerWith =
        (document: PageDocument | null): Handler =>
        (sameRes, sameReq) => {
          const current = { ...requestOf(sameReq, id, visit, domain), remaining };
          if (pageServer.takes(current, document))
            return pageServer.answer(current, document, new Reply(sameRes, head, isRetiring()));
          pageServer.passed();
          passOn(sameRes, sameReq, client);
        };

      const documentId = pageDocumentId(id);
      const held = pageDocuments.held(documentId);
      if (held === undefined) return defer(res, req, load(documentId), answerWith);
      answerWith(held)(res, req);
    },
  };
};
