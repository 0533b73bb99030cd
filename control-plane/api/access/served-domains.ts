/** The owner of the domain that a request came to, and the path of its codes, if a redirector names only the domain. */
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../platform/db/pool.ts';

export interface ServedDomain {
  workspaceId: string;
  /** The path before a code's id on it, such as `/` or `/go/`. */
  path: string;
}

export interface ServedDomains {
  /**
   * As of up to ten seconds ago or, while PostgreSQL is down, as last known.
   * @param domain ASCII, in lower case @returns undefined if it has no owner, or is switched off
   * @throws PostgreSQL's error about a domain that was never looked up
   */
  of(domain: string): Promise<ServedDomain | undefined>;
}

const domainsMax = 1_000;
const freshMs = 10_000;
/** RFC 1035. */
const nameLengthMax = 253;

const find = async (db: Queryable, domain: string): Promise<ServedDomain | undefined> => {
  const { rows } = await db.query<ServedDomain>({
    name: 'find-served-domain',
    text: `SELECT workspace_id AS "workspaceId", path FROM domains WHERE domain = $1 AND status IN ('verified', 'missing')`,
    values: [domain],
  });
  return rows[0];
};

export const createServedDomains = (db: Queryable): ServedDomains => {
  const held = new LRUCache<string, { served: ServedDomain | undefined }>({
    max: domainsMax,
    ttl: freshMs,
    allowStaleOnFetchRejection: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (domain) => ({ served: await find(db, domain) }),
  });
  return {
    of: async (domain) => (domain.length > nameLengthMax ? undefined : (await held.fetch(domain))?.served),
  };
};
