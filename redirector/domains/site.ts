/** The workspace domain of a request. Requests to QR_HOST have none. */
import type { DomainDocument } from '#schemas/documents.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { Brand } from '../pages/index.ts';

export interface Site {
  /** Only this workspace's codes, items and links are served. */
  readonly workspaceId: string;
  /** As shown in the address bar. */
  readonly domain: string;
  /** Where unknown paths lead people; undefined: a page says that there is nothing. */
  readonly notFoundUrl: string | undefined;
  /** Where codes that lead nowhere lead people, unless they have words of their own for it. */
  readonly expiredUrl: string | undefined;
  /** Whether aliases that differ by case are different. */
  readonly hasExactAliases: boolean;
  /** The domain's own, in place of its workspace's. */
  readonly ownBrand: Brand | undefined;
  /** Its own, or that of its workspace if it is held: a page about nothing does not wait for it. */
  brand(): Brand | undefined;
}

/** Whether the site serves a workspace's content. @param site undefined: QR_HOST, which serves every workspace */
export const isServedAt = (site: Site | undefined, workspaceId: string): boolean =>
  site === undefined || site.workspaceId === workspaceId;

/** The origin of a site's URLs. Domains are always served over TLS. @param own the origin of QR_HOST */
export const originOf = (site: Site | undefined, own: string): string =>
  site === undefined ? own : `https://${site.domain}`;

const idAfter = (prefix: string, path: string): string | undefined => {
  if (!path.startsWith(prefix)) return undefined;
  const id = path.slice(prefix.length, path.endsWith('/') ? -1 : undefined);
  return isCodeIdShaped(id) ? id : undefined;
};

/** The code id in a path: after the domain's path, or after `/r/`, which is on codes printed earlier. */
export const codeIdAt = (domain: Pick<DomainDocument, 'path'>, path: string): string | undefined =>
  idAfter('/r/', path) ?? idAfter(domain.path, path);

/** The code id in the path of a preview, which has a plus sign after it. */
export const previewedIdAt = (domain: Pick<DomainDocument, 'path'>, path: string): string | undefined =>
  /(?:\+|%2b)\/?$/i.test(path) ? codeIdAt(domain, path.replace(/(?:\+|%2b)\/?$/i, '')) : undefined;
