/** Domains in PostgreSQL. */
import { aliasSpace } from '#schemas/aliases.ts';
import { domainsMax, type UpdateDomainBody } from '#schemas/api/domains.ts';
import { ClientError } from '#shared/errors.ts';
import { prefixedIds } from '#shared/ids.ts';
import { countCapReached } from '../../api/access/plans.ts';
import { noteSubject } from '../../platform/db/actions.ts';
import { findOwned, type OwnedTable } from '../../platform/db/owned.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';
import type { StoredBranding } from '../branding/stored-branding.ts';
import { findCaseCollision } from '../codes/aliases/store.ts';
import { namesChanged } from './documents.ts';
import { createToken, type Domain } from './domain.ts';

export const domainIds = prefixedIds('dom');

export const ownedDomains: OwnedTable = {
  table: 'domains',
  noun: 'domain',
  isIdShaped: (id) => /^dom_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id),
};

export const domainColumns = `id, workspace_id AS "workspaceId", domain, token, status, is_primary AS "primary", path,
  path_is_printed AS "pathIsPrinted", root_redirect AS "rootRedirect", not_found_url AS "notFoundUrl",
  expired_url AS "expiredUrl", alias_case AS "aliasCase", branding, verified_at AS "verifiedAt",
  last_checked_at AS "lastCheckedAt", last_check_error AS "lastCheckError", absences, absent_since AS "absentSince",
  missing_since AS "missingSince", checks, checking_since AS "checkingSince", next_check_at AS "nextCheckAt",
  version::integer AS version, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Serializes changes to a workspace's set of domains and its primary domain, until the transaction ends. */
const lockDomainsOf = async (tx: Transaction, workspaceId: string): Promise<void> => {
  await tx.query({
    name: 'lock-domains-of',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('domains ' || $1, 0))`,
    values: [workspaceId],
  });
};

export type NewDomain = Pick<
  Domain,
  'workspaceId' | 'domain' | 'path' | 'rootRedirect' | 'notFoundUrl' | 'expiredUrl' | 'aliasCase' | 'branding'
>;

/** All domains of a workspace, newest first. */
export const listDomains = async (db: Queryable, workspaceId: string): Promise<Domain[]> => {
  const { rows } = await db.query<Domain>({
    name: 'list-domains',
    text: `SELECT ${domainColumns} FROM domains WHERE workspace_id = $1 ORDER BY seq DESC`,
    values: [workspaceId],
  });
  return rows;
};

/** @throws {ClientError} CONFLICT if the workspace has the domain already, or as many as it may have */
export const createDomain = async (tx: Transaction, given: NewDomain): Promise<Domain> => {
  await lockDomainsOf(tx, given.workspaceId);
  const existing = await listDomains(tx, given.workspaceId);
  const same = existing.find(({ domain }) => domain === given.domain);
  if (same)
    throw new ClientError('CONFLICT', `domain: the workspace has ${given.domain} already: ${same.id}`);
  if (existing.length >= domainsMax)
    throw countCapReached(
      'domains',
      domainsMax,
      `A workspace has at most ${domainsMax} domains; delete one first`,
    );
  // The workspace may have had the domain before: its aliases are kept.
  if (given.aliasCase === 'fold') await requireFoldable(tx, given);
  const { rows } = await tx.query<Domain>({
    name: 'create-domain',
    text: `INSERT INTO domains (id, workspace_id, domain, token, path, root_redirect, branding, not_found_url,
             expired_url, alias_case)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${domainColumns}`,
    values: [
      domainIds.create(),
      given.workspaceId,
      given.domain,
      createToken(),
      given.path,
      given.rootRedirect,
      given.branding && JSON.stringify(given.branding),
      given.notFoundUrl,
      given.expiredUrl,
      given.aliasCase,
    ],
  });
  noteSubject({ resourceId: rows[0]!.id });
  return rows[0]!;
};

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN if the domain is another workspace's */
export const findDomain = (db: Queryable, workspaceId: string, id: string): Promise<Domain> =>
  findOwned(db, ownedDomains, workspaceId, id, {
    name: 'find-domain',
    text: `SELECT ${domainColumns} FROM domains WHERE id = $1 AND workspace_id = $2`,
  });

/** Locks a domain until the transaction ends. @throws {ClientError} as {@link findDomain} */
const lockDomain = (tx: Transaction, workspaceId: string, id: string): Promise<Domain> =>
  findOwned(tx, ownedDomains, workspaceId, id, {
    name: 'lock-domain',
    text: `SELECT ${domainColumns} FROM domains WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE`,
  });

/** A domain, and the ids of the documents that changed with it. */
export interface ChangedDomain {
  domain: Domain;
  documents: string[];
}

/** Printed links must keep working: `/r/` works with any path, but another path only while it is the domain's. */
const requireChangeablePath = ({ path, pathIsPrinted, domain }: Domain, wanted: string): void => {
  if (!pathIsPrinted || path === '/r/' || path === wanted) return;
  throw new ClientError(
    'CONFLICT',
    `path: codes may have been printed with https://${domain}${path}, which must go on working; it stays ${path}`,
  );
};

const requireVerified = ({ status, domain }: Domain): void => {
  if (status === 'verified') return;
  throw new ClientError('CONFLICT', `primary: ${domain} is ${status}; only a verified domain can be primary`);
};

/** Deleted aliases count: they may be printed, and would lead where the others do. */
const requireFoldable = async (
  tx: Transaction,
  { workspaceId, domain }: Pick<Domain, 'workspaceId' | 'domain'>,
): Promise<void> => {
  const collision = await findCaseCollision(tx, aliasSpace(workspaceId, domain));
  if (!collision) return;
  throw new ClientError(
    'CONFLICT',
    `aliasCase: ${domain} has aliases that differ by case only: ${collision.join(', ')}; it stays exact`,
  );
};

const removePrimary = (tx: Transaction, workspaceId: string) =>
  tx.query({
    name: 'remove-primary-domain',
    text: 'UPDATE domains SET is_primary = false, updated_at = clock_timestamp() WHERE workspace_id = $1 AND is_primary',
    values: [workspaceId],
  });

const writeSettings = async (tx: Transaction, domain: Domain): Promise<Domain> => {
  const { rows } = await tx.query<Domain>({
    name: 'write-domain-settings',
    text: `UPDATE domains SET is_primary = $2, path = $3, path_is_printed = path_is_printed OR $2, root_redirect = $4,
             branding = $5, not_found_url = $6, expired_url = $7, alias_case = $8, updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
           WHERE id = $1 RETURNING ${domainColumns}`,
    values: [
      domain.id,
      domain.primary,
      domain.path,
      domain.rootRedirect,
      domain.branding && JSON.stringify(domain.branding),
      domain.notFoundUrl,
      domain.expiredUrl,
      domain.aliasCase,
    ],
  });
  return rows[0]!;
};

/** What an owner changes of a domain. A branding of null is removed. */
export type DomainChanges = Omit<UpdateDomainBody, 'branding'> & { branding?: StoredBranding | null };

/**
 * @throws {ClientError} as {@link findDomain}; CONFLICT for a printed path, aliases that would
 * become the same, or a primary domain that is not verified
 */
export const changeDomain = (
  pool: Pool,
  workspaceId: string,
  id: string,
  changes: DomainChanges,
): Promise<ChangedDomain> =>
  inTransaction(pool, async (tx) => {
    await lockDomainsOf(tx, workspaceId);
    const before = await lockDomain(tx, workspaceId, id);
    if (Object.keys(changes).length === 0) return { domain: before, documents: [] };
    const wanted: Domain = {
      ...before,
      primary: changes.primary ?? before.primary,
      path: changes.path ?? before.path,
      rootRedirect: changes.rootRedirect === undefined ? before.rootRedirect : changes.rootRedirect,
      notFoundUrl: changes.notFoundUrl === undefined ? before.notFoundUrl : changes.notFoundUrl,
      expiredUrl: changes.expiredUrl === undefined ? before.expiredUrl : changes.expiredUrl,
      aliasCase: changes.aliasCase ?? before.aliasCase,
      branding: changes.branding === undefined ? before.branding : changes.branding,
    };
    requireChangeablePath(before, wanted.path);
    if (changes.primary) requireVerified(before);
    if (wanted.aliasCase === 'fold' && before.aliasCase === 'exact') await requireFoldable(tx, before);
    if (wanted.primary && !before.primary) await removePrimary(tx, workspaceId);
    const domain = await writeSettings(tx, wanted);
    return { domain, documents: domain.status === 'pending' ? [] : await namesChanged(tx, [domain.domain]) };
  });

/** After the deletion, scans of codes printed with the domain find nothing there. */
const requireForce = ({ status, domain, path, primary, pathIsPrinted }: Domain): void => {
  if (!pathIsPrinted || status === 'off') return;
  const consequence = primary
    ? `primary: new codes are printed with https://${domain}${path}, and all that were would be 404 there`
    : `domain: codes may have been printed with https://${domain}${path}, and would be 404 there`;
  throw new ClientError('CONFLICT', `${consequence}; DELETE it with ?force=true where that is meant`);
};

/**
 * @param force whether to delete a domain even if codes may have been printed with it
 * @returns the ids of the documents that changed
 * @throws {ClientError} as {@link findDomain}; CONFLICT if it needs force
 */
export const deleteDomain = (
  pool: Pool,
  workspaceId: string,
  id: string,
  force: boolean,
): Promise<string[]> =>
  inTransaction(pool, async (tx) => {
    await lockDomainsOf(tx, workspaceId);
    const deleted = await lockDomain(tx, workspaceId, id);
    if (!force) requireForce(deleted);
    await tx.query({
      name: 'delete-domain',
      text: 'DELETE FROM domains WHERE id = $1 AND workspace_id = $2',
      values: [id, workspaceId],
    });
    return deleted.status === 'pending' ? [] : namesChanged(tx, [deleted.domain]);
  });
