/** From what stands in a path, an id or an alias, to the id of a code. */
import { aliasLengthMax, normalAlias, slugOf } from '#schemas/aliases.ts';
import { ClientError } from '#shared/errors.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import { quoted } from '#shared/quoted.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import { findBySlug, type NamedCode } from './store.ts';
import { aliasDomainName } from './targets.ts';

/** Text that PostgreSQL takes. */
const isAliasText = (text: string): boolean =>
  text.length <= 3 * aliasLengthMax && text.isWellFormed() && !/\p{Cc}/u.test(text);

/** Whether the alias leads to its code when it is written so. */
const isWrittenSo = ({ alias, aliasCase }: NamedCode, given: string): boolean =>
  aliasCase !== 'exact' || alias === given;

/**
 * @param name an id, or an alias of a code of the workspace in any of its places
 * @param options.sharedHost the host name of QR_HOST
 * @returns an id, which may be unknown; the name itself if it is neither
 * @throws {ClientError} INVALID_REQUEST if the alias leads to several codes
 */
export const idOfName = async (
  db: Queryable,
  workspaceId: string,
  name: string,
  { domain, sharedHost }: { domain?: string | undefined; sharedHost: string },
): Promise<string> => {
  if (isCodeIdShaped(name) || !isAliasText(name)) return name;
  const given = normalAlias(name);
  const place = domain === undefined ? undefined : aliasDomainName(domain, sharedHost);
  const found = (await findBySlug(db, workspaceId, slugOf(given))).filter(
    (each) => (place === undefined || each.domain === place) && isWrittenSo(each, given),
  );
  const ids = new Set(found.map(({ codeId }) => codeId));
  if (ids.size > 1)
    throw new ClientError(
      'INVALID_REQUEST',
      `domain is required: the alias ${quoted(given)} leads to several codes, depending on its domain`,
    );
  return found[0]?.codeId ?? name;
};
