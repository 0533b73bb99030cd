/** The documents of domains, which tell redirectors what to serve on a host name. */
import type { AliasCase } from '#schemas/aliases.ts';
import { type DomainDocument, domainDocumentId, domainDocuments } from '#schemas/documents.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { documentsChanged, type SourceOfDocuments } from '../../publishing/documents.ts';
import { publishedOf, type StoredBranding } from '../branding/stored-branding.ts';
import { mapInSteps } from '../hosted/layout/index.ts';
import { domainNameLengthMax } from './name.ts';

interface NameRow {
  domain: string;
  version: number;
  workspaceId: string | null;
  active: boolean | null;
  path: string | null;
  rootRedirect: string | null;
  notFoundUrl: string | null;
  expiredUrl: string | null;
  aliasCase: AliasCase | null;
  /** Its own. */
  branding: StoredBranding | null;
  certified: boolean;
}

/** One statement, so that a document is consistent. Of several workspaces that had the name, the present one counts. */
const readNames = async (db: Queryable, names: readonly string[]): Promise<NameRow[]> => {
  const { rows } = await db.query<NameRow>({
    name: 'read-domain-names',
    text: `SELECT n.domain, n.version::double precision AS version, d.workspace_id AS "workspaceId", d.active, d.path,
             d.root_redirect AS "rootRedirect", d.not_found_url AS "notFoundUrl", d.expired_url AS "expiredUrl",
             d.alias_case AS "aliasCase", d.branding,
             d.status IN ('verified', 'missing') AND n.approved_at IS NOT NULL AS certified
           FROM domain_names n LEFT JOIN LATERAL (
             SELECT *, status <> 'off' AS active FROM domains
             WHERE domains.domain = n.domain AND status <> 'pending'
             ORDER BY active DESC, missing_since DESC LIMIT 1) AS d ON true
           WHERE n.domain = ANY($1)`,
    values: [names],
  });
  return rows;
};

/** A deleted domain gets an inactive document without a workspace, which replaces the one that redirectors hold. */
const toDocument = ({ domain, version, ...row }: NameRow): DomainDocument => ({
  id: domainDocumentId(domain),
  version,
  workspaceId: row.workspaceId ?? '',
  domain,
  active: row.active ?? false,
  path: row.path ?? '/r/',
  ...(row.rootRedirect !== null && { rootRedirect: row.rootRedirect }),
  ...(row.notFoundUrl !== null && { notFoundUrl: row.notFoundUrl }),
  ...(row.expiredUrl !== null && { expiredUrl: row.expiredUrl }),
  ...(row.aliasCase === 'exact' && { aliasCase: 'exact' as const }),
  ...(row.branding && { brand: publishedOf(row.branding) }),
  ...(row.certified && { certified: true as const }),
});

export const domainDocumentSource: SourceOfDocuments<DomainDocument> = {
  ...domainDocuments,
  isIdShaped: (id) =>
    id.length <= domainDocuments.prefix.length + domainNameLengthMax && /^domain:[a-z0-9.-]+$/.test(id),
  build: async (db, ids) => {
    const names = ids.map((id) => id.slice(domainDocuments.prefix.length));
    return mapInSteps(await readNames(db, names), toDocument);
  },
};

/**
 * Publishes the documents of names; must be called in the transaction of the change. Locks the names until that ends.
 * @returns the ids of the documents, to be published after the commit
 */
export const namesChanged = async (tx: Transaction, domains: readonly string[]): Promise<string[]> => {
  if (domains.length === 0) return [];
  const { rows } = await tx.query<{ domain: string; version: number }>({
    name: 'change-domain-names',
    // In one order, so that no two transactions wait for each other.
    text: `INSERT INTO domain_names AS n (domain)
           SELECT domain FROM unnest($1::text[]) AS changed (domain) ORDER BY domain COLLATE "C"
           ON CONFLICT (domain) DO UPDATE SET version = n.version + 1
           RETURNING domain, version::double precision AS version`,
    values: [domains],
  });
  const changed = rows.map(({ domain, version }) => ({ id: domainDocumentId(domain), version }));
  await documentsChanged(tx, changed);
  return changed.map(({ id }) => id);
};
