/** The link base of codes that are made now: that of the primary domain of their workspace. */
import type { Queryable } from '../../../db/pool.ts';

/** SQL. While its record is missing, nothing is printed with a domain that may soon be switched off. @param workspaceId SQL */
export const newLinkBase = (workspaceId: string): string =>
  `(SELECT primary_domain.link_base FROM domains AS primary_domain
    WHERE primary_domain.workspace_id = ${workspaceId} AND primary_domain.is_primary AND primary_domain.status = 'verified')`;

/** As the codes that a workspace makes now get it; null where it has no primary domain. */
export const findLinkBase = async (db: Queryable, workspaceId: string): Promise<string | null> => {
  const { rows } = await db.query<{ linkBase: string | null }>({
    name: 'find-link-base',
    text: `SELECT ${newLinkBase('$1')} AS "linkBase"`,
    values: [workspaceId],
  });
  return rows[0]!.linkBase;
};
