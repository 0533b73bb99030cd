/** The documents of domains, which tell redirectors what to serve on a host name. */
import type { NotFoundObject } from '#schemas/api/domains.ts';
import { type DomainDocument, domainDocumentId, domainDocuments } from '#schemas/documents.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { documentsChanged, type SourceOfDocuments } from '../../publishing/documents.ts';
import { detectLanguage } from '../hosted/layout/index.ts';
import { domainNameLengthMax } from './name.ts';

interface NameRow {
  domain: string;
  version: number;
  workspaceId: string | null;
  active: boolean | null;
  path: string | null;
  rootRedirect: string | null;
  notFound: NotFoundObject | null;
}

/** One statement, so that a document is consistent. Of several workspaces that had the name, the present one counts. */
const readNames = async (db: Queryable, names: readonly string[]): Promise<NameRow[]> => {
  const { rows } = await db.query<NameRow>({
    name: 'read-domain-names',
    text: `SELECT n.domain, n.version::double precision AS version, d.workspace_id AS "workspaceId", d.active, d.path,
             d.root_redirect AS "rootRedirect", d.not_found AS "notFound"
           FROM domain_names n LEFT JOIN LATERAL (
             SELECT *, status <> 'off' AS active FROM domains
             WHERE domains.domain = n.domain AND status <> 'pending'
             ORDER BY active DESC, missing_since DESC LIMIT 1) AS d ON true
           WHERE n.domain = ANY($1)`,
    values: [names],
  });
  return rows;
};

/** The language of the texts is not given. It is detected here, so that no visitor waits for it. */
const withLanguage = (notFound: NotFoundObject): NonNullable<DomainDocument['notFound']> => {
  const language = detectLanguage([notFound.headline, notFound.body]);
  return { ...notFound, ...(language && { language }) };
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
  ...(row.notFound && { notFound: withLanguage(row.notFound) }),
});

export const domainDocumentSource: SourceOfDocuments<DomainDocument> = {
  ...domainDocuments,
  isIdShaped: (id) =>
    id.length <= domainDocuments.prefix.length + domainNameLengthMax && /^domain:[a-z0-9.-]+$/.test(id),
  build: async (db, ids) =>
    (
      await readNames(
        db,
        ids.map((id) => id.slice(domainDocuments.prefix.length)),
      )
    ).map(toDocument),
};

/**
 * Publishes the document of a name; must be called in the transaction of the change. Locks the name until that ends.
 * @returns the id of the document, to be published after the commit
 */
export const nameChanged = async (tx: Transaction, domain: string): Promise<string> => {
  const { rows } = await tx.query<{ version: number }>({
    name: 'change-domain-name',
    text: `INSERT INTO domain_names AS n (domain) VALUES ($1)
           ON CONFLICT (domain) DO UPDATE SET version = n.version + 1
           RETURNING version::double precision AS version`,
    values: [domain],
  });
  const id = domainDocumentId(domain);
  await documentsChanged(tx, [{ id, version: rows[0]!.version }]);
  return id;
};
