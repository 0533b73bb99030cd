/** For tests: workspaces add domains, and set their records. */
import { expect, vi } from 'vitest';
import { type DomainObject, domainObject } from '#schemas/api/domains.ts';
import type { Workspace } from '../../../testing/control-plane.ts';
import type { DnsServer } from './dns-server.ts';

let named = 0;

/** A new name for each domain of a test file. */
export const newName = (): string => `go${++named}.brand.example`;

export interface DomainOwner {
  /** A pending domain, of a new name unless the body has one. */
  add(body?: object, workspace?: Workspace): Promise<DomainObject>;
  /** A verified domain whose record is there. */
  addVerified(body?: object, workspace?: Workspace): Promise<DomainObject>;
}

/** @param own the owner of the domains, unless another workspace is given */
export const createDomainOwner = (dns: DnsServer, own: Workspace): DomainOwner => {
  const add: DomainOwner['add'] = async (body = {}, workspace = own) => {
    const answer = await workspace.call('POST', '/api/domains', { domain: newName(), ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return domainObject.parse(answer.body);
  };
  return {
    add,
    async addVerified(body = {}, workspace = own) {
      const domain = await add(body, workspace);
      dns.set(domain.dns.name, [domain.dns.value]);
      // On a busy machine its name server may not answer in time.
      return vi.waitFor(
        async () => {
          const answer = await workspace.call('POST', `/api/domains/${domain.id}/verify`);
          expect(answer.status, JSON.stringify(answer.body)).toBe(200);
          return domainObject.parse(answer.body);
        },
        { timeout: 30_000, interval: 100 },
      );
    },
  };
};
