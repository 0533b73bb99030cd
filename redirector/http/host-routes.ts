/**
 * Tells requests to workspace domains from those to QR_HOST, only by the header Host: X-Forwarded-Host can be forged. A
 * request to QR_HOST costs a comparison. A malformed Host is refused, so that it is never taken for QR_HOST.
 */
import type { DomainDocument } from '#schemas/documents.ts';
import { isHost } from '#shared/host.ts';
import type { Domains } from '../domains/domains.ts';
import { answers } from '../pages/index.ts';
import { defer } from './deferred-request.ts';
import type { Handler } from './handler.ts';
import { refuse } from './request-faults.ts';
import type { ReadHeaders } from './visit-headers.ts';

export interface HostRoutes {
  /**
   * @param own handles requests to QR_HOST
   * @param onDomain handles requests to a domain; neither may throw
   */
  split(own: Handler, onDomain: (domain: DomainDocument) => Handler): Handler;
  /** Requests that wait until their domain is looked up. */
  readonly waiting: number;
}

/** @param ownHost the host of QR_HOST, with its port unless it is the scheme's default */
export const createHostRoutes = (ownHost: string, domains: Domains, headersOf: ReadHeaders): HostRoutes => {
  let waiting = 0;

  const load = async (host: string): Promise<DomainDocument | null> => {
    waiting++;
    const domain = await domains.load(host);
    waiting--;
    return domain;
  };

  return {
    split: (own, onDomain) => (res, req) => {
      const { host } = headersOf(req);
      if (host === ownHost) return own(res, req);
      const domain = domains.at(host);
      if (domain === null) return isHost(host) ? own(res, req) : refuse(res, req, answers.badHost);
      if (domain !== undefined) return onDomain(domain)(res, req);
      defer(res, req, load(host), (found) => (found ? onDomain(found) : own));
    },
    get waiting() {
      return waiting;
    },
  };
};
