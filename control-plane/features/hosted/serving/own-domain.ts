/** On a domain of a workspace, only its own pages are shown. */
import type { ServedDomains } from '../../../api/access/served-domains.ts';
import type { PublicRequest } from '../../../api/http/operation.ts';
import type { HostedPage } from '../hosted-page.ts';
import { unknownPage } from './refusals.ts';

/** The redirector knows whose domain it is, and of its changes at once. @throws {ClientError} NOT_FOUND for a page of another workspace; what {@link ServedDomains.of} throws */
export const requireOnOwnDomain = async (
  servedDomains: ServedDomains,
  page: Pick<HostedPage, 'workspaceId' | 'kind'>,
  request: Pick<PublicRequest<unknown, unknown>, 'domain' | 'domainOwner'>,
): Promise<void> => {
  const domain = request.domain();
  if (domain === '') return;
  const workspaceId = request.domainOwner() || (await servedDomains.of(domain))?.workspaceId;
  if (workspaceId !== page.workspaceId) throw unknownPage(page.kind);
};
