/** The domain of a request, for those who answer it. Requests to QR_HOST have none. */
import type { DomainDocument } from '#schemas/documents.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { Answer } from '../pages/index.ts';

export interface Site {
  /** Only what is of this workspace is served. */
  readonly workspaceId: string;
  /** As the address bar shows it. */
  readonly domain: string;
  /** The answer where nothing is found. */
  notFound(): Answer;
}

/** Whether what is of a workspace is served. @param site undefined: QR_HOST, which serves everybody's */
export const isServedAt = (site: Site | undefined, workspaceId: string): boolean =>
  site === undefined || site.workspaceId === workspaceId;

/** The origin of the URLs of a site. Domains are always served over TLS. @param own that of QR_HOST */
export const originOf = (site: Site | undefined, own: string): string =>
  site === undefined ? own : `https://${site.domain}`;

const idAfter = (prefix: string, path: string): string | undefined => {
  if (!path.startsWith(prefix)) return undefined;
  const id = path.slice(prefix.length, path.endsWith('/') ? -1 : undefined);
  return isCodeIdShaped(id) ? id : undefined;
};

/** The id of a code in a path: after the path of the domain, or after `/r/`, under which codes were printed before. */
export const codeIdAt = (domain: Pick<DomainDocument, 'path'>, path: string): string | undefined =>
  idAfter('/r/', path) ?? idAfter(domain.path, path);
