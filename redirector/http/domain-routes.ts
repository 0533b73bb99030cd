/**
 * Routes a request to a workspace's domain. Everything served there belongs to the workspace.
 *
 *   /r/{id}, and {id} after the domain's own path    codes, see code-routes.ts
 *   /v/…, /api/verify/serial                         verifications, see verification-routes.ts
 *   GS1 Digital Links                                see gs1-routes.ts
 *   /                                                GET and HEAD: the owner's redirect for a typed domain
 *   hosted pages                                     see page-routes.ts
 *   fonts of hosted pages                            see font-answers.ts
 *   pictures of pages, app associations              passed through, with the domain and its workspace
 *   /{alias}                                         GET, HEAD, POST: codes by another name, see by-alias.ts
 *   any other path                                   the owner's URL for it, or 404 page
 *
 * A disabled domain serves nothing.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import type { DomainDocument } from '#schemas/documents.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { Brands } from '../domains/brands.ts';
import { codeIdAt, previewedIdAt, type Site } from '../domains/site.ts';
import { type Answer, answers, brandOf, pageOf, readerOfRequest } from '../pages/index.ts';
import { leadsToNotFoundUrl } from './by-alias.ts';
import type { CodeRoutes } from './code-routes.ts';
import { answersFont } from './font-answers.ts';
import type { Gs1Routes } from './gs1-routes.ts';
import type { PageRoutes } from './page-routes.ts';
import { Reply } from './reply.ts';
import { hasAsciiTarget } from './request-faults.ts';
import type { VerificationRoutes } from './verification-routes.ts';

export interface DomainRouteParts {
  codes: CodeRoutes;
  verifications: VerificationRoutes;
  gs1: Gs1Routes;
  pages: PageRoutes;
  brands: Pick<Brands, 'heldOrLoaded'>;
  /** Passes a request on to the control plane. @param domain sent along with it */
  passOn(res: HttpResponse, req: HttpRequest, domain: DomainDocument): void;
  /** Whether connections close after their answer. */
  isRetiring(): boolean;
}

export type DomainRoute = (res: HttpResponse, req: HttpRequest, domain: DomainDocument) => void;

/** What the control plane serves to a domain's visitors. */
const passedOn = /^\/(?:[pfmi]\/.|\.well-known\/(?:apple-app-site-association|assetlinks\.json)$)/;
const itemPath = /^\/v\/([^/]*)\/([^/]*)\/?$/;
/** After everything else: no alias takes the path of another answer. */
const aliasPath = /^\/([^/]+)\/?$/;
const serialPath = /^\/api\/verify\/serial\/?$/;

/** Never by getMethod(), which lowercases the request's own bytes: they may be passed on. */
const methodOf = (req: HttpRequest): string => req.getCaseSensitiveMethod();

const isRead = (req: HttpRequest): boolean => methodOf(req) === 'GET' || methodOf(req) === 'HEAD';

export const createDomainRoutes = (parts: DomainRouteParts): DomainRoute => {
  const { codes, verifications, gs1, pages, brands, isRetiring } = parts;

  const sites = new WeakMap<DomainDocument, Site>();

  const openSite = ({ id, version, workspaceId, domain, brand, ...rest }: DomainDocument): Site => {
    const ownBrand = brand && brandOf(`${id} ${version}`, brand);
    return {
      workspaceId,
      domain,
      notFoundUrl: rest.notFoundUrl,
      expiredUrl: rest.expiredUrl,
      hasExactAliases: rest.aliasCase === 'exact',
      ownBrand,
      brand: () => ownBrand ?? brands.heldOrLoaded(workspaceId),
    };
  };

  const siteOf = (document: DomainDocument): Site => {
    const site = sites.get(document) ?? openSite(document);
    sites.set(document, site);
    return site;
  };

  const replyTo = (res: HttpResponse, req: HttpRequest): Reply =>
    new Reply(res, methodOf(req) === 'HEAD', isRetiring());

  const onCode = (res: HttpResponse, req: HttpRequest, id: string, site: Site): void => {
    const method = methodOf(req);
    if (method === 'GET') codes.get(res, req, id, site);
    else if (method === 'HEAD') codes.head(res, req, id, site);
    else if (method === 'POST') codes.post(res, req, id, site);
    else codes.any(res, req, id, site);
  };

  const onRoot = (res: HttpResponse, req: HttpRequest, location: string): void => {
    const reply = replyTo(res, req);
    reply.prepareRedirect('302 Found\r\nCache-Control: private, no-store', location);
    reply.release();
  };

  const sendAnswer = (res: HttpResponse, req: HttpRequest, answer: Answer, site?: Site): void =>
    replyTo(res, req).send(
      pageOf(answer, readerOfRequest(req), { brand: site?.brand(), host: site?.domain }),
    );

  const onOther: DomainRoute = (res, req, domain) => {
    const path = req.getUrl();
    const site = siteOf(domain);
    if (serialPath.test(path)) return verifications.serial(res, req, site);
    if (!hasAsciiTarget(req)) return sendAnswer(res, req, answers.badTarget, site);
    if (path === '/' && domain.rootRedirect !== undefined && isRead(req))
      return onRoot(res, req, domain.rootRedirect);
    if (passedOn.test(path)) return pages.refuses(res, req) ? undefined : parts.passOn(res, req, domain);
    const previewed = previewedIdAt(domain, path);
    if (previewed !== undefined && isRead(req)) return onCode(res, req, `${previewed}+`, site);
    const alias = aliasPath.exec(path)?.[1];
    const isAsked = isRead(req) || methodOf(req) === 'POST';
    // An id is served after the path of the domain only.
    if (alias !== undefined && isAsked && !isCodeIdShaped(alias)) return onCode(res, req, alias, site);
    if (!leadsToNotFoundUrl(res, req, site, isRetiring)) sendAnswer(res, req, answers.nothingHere, site);
  };

  return (res, req, domain) => {
    if (!domain.active) return sendAnswer(res, req, answers.offDomain);
    const path = req.getUrl();
    const id = codeIdAt(domain, path);
    if (id !== undefined) return onCode(res, req, id, siteOf(domain));
    if (gs1.takes(path)) return gs1.handle(res, req, path, siteOf(domain));
    const [, itemId, signature] = itemPath.exec(path) ?? [];
    if (itemId !== undefined && signature !== undefined)
      return verifications.item(res, req, { itemId, signature }, siteOf(domain));
    const pageId = pages.idOf(req);
    if (pageId !== undefined) return pages.handle(res, req, pageId, domain);
    if (!answersFont(res, req, isRetiring())) onOther(res, req, domain);
  };
};
