/**
 * Tells requests to domains of workspaces from those to QR_HOST, by the header Host alone: X-Forwarded-Host can be anybody's word.
 * A request to QR_HOST costs the reading of one header and a comparison.
 */
import type { DomainDocument } from '#schemas/documents.ts';
import type { Domains } from '../domains/domains.ts';
import { defer } from './deferred-request.ts';
import type { Handler } from './handler.ts';

export interface HostRoutes {
  /**
   * @param own handles what is for QR_HOST
   * @param onDomain handles what is for a domain; both must not throw
   */
  split(own: Handler, onDomain: (domain: DomainDocument) => Handler): Handler;
  /** Requests that wait until it is known which domain they are for. */
  readonly waiting: number;
}

/** @param ownHost the host of QR_HOST, with its port where that is not the scheme's */
export const createHostRoutes = (ownHost: string, domains: Domains): HostRoutes => {
  let waiting = 0;

  const load = async (host: string): Promise<DomainDocument | null> => {
    waiting++;
    const domain = await domains.load(host);
    waiting--;
    return domain;
  };

  return {
    split: (own, onDomain) => (res, req) => {
      const host = req.getHeader('host');
      if (host === ownHost) return own(res, req);
      const domain = domains.at(host);
      if (domain === null) return own(res, req);
      if (domain !== undefined) return onDomain(domain)(res, req);
      defer(res, req, load(host), (found) => (found ? onDomain(found) : own));
    },
    get waiting() {
      return waiting;
    },
  };
};
