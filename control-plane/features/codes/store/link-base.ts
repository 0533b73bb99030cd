/** The link base of new codes: the primary domain of their workspace. */
import type { Queryable } from '../../../platform/db/pool.ts';

/**
 * SQL. While the domain's record is missing, nothing is printed with it: it may soon be switched off.
 * @param workspaceId SQL
 */
export const newLinkBase = (workspaceId: string): string =>
  `(SELECT primary_domain.link_base FROM domains AS primary_domain
    WHERE primary_domain.workspace_id = ${workspaceId} AND primary_domain.is_primary AND primary_domain.status = 'verified')`;

/** The link base that a workspace's new codes get; null if it has no primary domain. */
export const findLinkBase = async (db: Queryable, workspaceId: string): Promise<string | null> => {
  const { rows } = await db.query<{ linkBase: string | null }>({
    name: 'find-link-base',
    text: `SELECT ${newLinkBase('$1')} AS "linkBase"`,
    values: [workspaceId],
  });
  return rows[0]!.linkBase;
};
