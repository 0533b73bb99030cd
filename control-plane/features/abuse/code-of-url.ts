/** From the URL in a code to the code. */
import { normalAlias, slugOf } from '#schemas/aliases.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { Queryable } from '../../platform/db/pool.ts';

const aliasTextMax = 256;

const lastSegmentOf = ({ pathname }: URL): string | undefined => {
  const segment = pathname
    .split('/')
    .findLast((each) => each !== '')
    ?.replace(/\+$/, '');
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};

/** @param domain null: the shared host */
const findByAlias = async (
  db: Queryable,
  domain: string | null,
  given: string,
): Promise<string | undefined> => {
  const { rows } = await db.query<{ codeId: string }>({
    name: domain === null ? 'code-of-shared-alias' : 'code-of-alias-at-domain',
    text:
      domain === null
        ? `SELECT code_id AS "codeId" FROM aliases WHERE slug = $1 AND domain IS NULL AND deleted_at IS NULL
           ORDER BY alias = $2 DESC LIMIT 1`
        : `SELECT a.code_id AS "codeId" FROM domains d
           JOIN aliases a ON a.workspace_id = d.workspace_id AND a.slug = $1 AND a.domain = d.domain
           WHERE d.domain = $3 AND d.status IN ('verified', 'missing') AND a.deleted_at IS NULL ORDER BY a.alias = $2 DESC LIMIT 1`,
    values: domain === null ? [slugOf(given), given] : [slugOf(given), given, domain],
  });
  return rows[0]?.codeId;
};

/** @param sharedHost the host name of QR_HOST @returns undefined if it is no code's */
export const createCodeOfUrl =
  (db: Queryable, sharedHost: string) =>
  async (url: URL): Promise<string | undefined> => {
    const name = lastSegmentOf(url);
    if (name === undefined || isCodeIdShaped(name)) return name;
    if (name.length > aliasTextMax || !name.isWellFormed() || /\p{Cc}/u.test(name)) return undefined;
    const host = url.hostname.replace(/\.$/, '');
    return findByAlias(db, host === sharedHost ? null : host, normalAlias(name));
  };
