/** The hosts at which the key that acts may make codes and aliases. */
import { ClientError } from '#shared/errors.ts';
import { currentKeyId } from '../../../platform/db/actions.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import { newLinkBase } from './link-base.ts';

const hostOf = (linkBase: string): string => `split_part(${linkBase}, '/', 3)`;

/**
 * SQL: whether a key may make codes of a workspace where they are made now. Without a key, an operator acts: it may. A key that is
 * gone may not: its domains are not known any more.
 * @param workspaceId SQL, as the others
 */
export const mayCreateAt = (keyId: string, workspaceId: string, sharedHost: string): string =>
  `(${keyId} IS NULL OR EXISTS (SELECT FROM api_keys AS k WHERE k.id = ${keyId} AND (k.domains IS NULL
      OR coalesce(${hostOf(newLinkBase(workspaceId))}, ${sharedHost}) = ANY (k.domains))))`;

/** Null: any. */
export type KeyDomains = readonly string[] | null;

/** Those of the key that acts: none if it is gone. */
export const findKeyDomains = async (db: Queryable): Promise<KeyDomains> => {
  const keyId = currentKeyId();
  if (keyId === null) return null;
  const { rows } = await db.query<{ domains: KeyDomains }>({
    name: 'find-domains-of-key',
    text: 'SELECT domains FROM api_keys WHERE id = $1',
    values: [keyId],
  });
  return rows[0] ? rows[0].domains : [];
};

/** @returns why the key that acts may not make codes of the workspace now; undefined if it may */
export const whyNoCode = async (
  db: Queryable,
  workspaceId: string,
  sharedHost: string,
): Promise<ClientError | undefined> => {
  const keyId = currentKeyId();
  if (keyId === null) return undefined;
  const { rows } = await db.query<{ host: string; allowed: boolean }>({
    name: 'find-host-of-new-codes',
    text: `SELECT coalesce(${hostOf(newLinkBase('$2::text'))}, $3::text) AS host,
             ${mayCreateAt('$1::text', '$2::text', '$3::text')} AS allowed`,
    values: [keyId, workspaceId, sharedHost],
  });
  const { host, allowed } = rows[0]!;
  return allowed
    ? undefined
    : new ClientError(
        'DOMAIN_NOT_ALLOWED',
        `The API key must not create codes at ${host}, where new codes of the workspace are`,
      );
};

/** @param field that names the domain @returns why a key may not make an alias at a host; undefined if it may */
export const whyNoAliasAt = (domains: KeyDomains, host: string, field: string): ClientError | undefined =>
  domains === null || domains.includes(host)
    ? undefined
    : new ClientError(
        'DOMAIN_NOT_ALLOWED',
        `${field} must be one of the domains of the API key; the alias would be at ${host}`,
      );
