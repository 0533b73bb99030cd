/** Aliases in PostgreSQL. */
import type { AliasCase } from '#schemas/aliases.ts';
import type { DomainStatus } from '#schemas/api/domains.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

/** Where an alias is looked up: its space (schemas/aliases.ts) and its slug. */
export interface SlugKey {
  readonly space: string;
  readonly slug: string;
}

/** An alias of the table, deleted ones included. */
export interface KnownAlias extends SlugKey {
  seq: string;
  alias: string;
  /** Null: the shared host. */
  domain: string | null;
  workspaceId: string;
  codeId: string;
  isDeleted: boolean;
}

/** An alias as its code has it. */
export interface StoredAlias {
  seq: string;
  alias: string;
  /** Null: the shared host. */
  domain: string | null;
  /** Of the domain. */
  aliasCase: AliasCase | null;
  createdAt: Date;
}

export interface AliasDomain {
  domain: string;
  status: DomainStatus;
  aliasCase: AliasCase;
  primary: boolean;
}

const storedColumns = `seq::text AS seq, alias, domain, created_at AS "createdAt",
  (SELECT alias_case FROM domains d WHERE d.workspace_id = aliases.workspace_id AND d.domain = aliases.domain)
    AS "aliasCase"`;

/**
 * The domains of a workspace with these names, and its primary one.
 * @param isLocked whether their case rule stays as it is until the transaction ends
 */
export const readAliasDomains = async (
  db: Queryable,
  workspaceId: string,
  names: readonly string[],
  isLocked: boolean,
): Promise<AliasDomain[]> => {
  const { rows } = await db.query<AliasDomain>({
    name: isLocked ? 'lock-alias-domains' : 'read-alias-domains',
    text: `SELECT domain, status, alias_case AS "aliasCase", is_primary AS "primary" FROM domains
           WHERE workspace_id = $1 AND (domain = ANY($2) OR is_primary) ORDER BY id ${isLocked ? 'FOR SHARE' : ''}`,
    values: [workspaceId, names],
  });
  return rows;
};

/** No other transaction changes aliases with these slugs until this one ends. */
export const lockSlugs = async (tx: Transaction, keys: readonly SlugKey[]): Promise<void> => {
  await tx.query({
    name: 'lock-alias-slugs',
    // In one order, so that no two transactions wait for each other.
    text: `SELECT pg_advisory_xact_lock(key) FROM (
             SELECT DISTINCT hashtextextended('alias ' || space || '/' || slug, 0) AS key
             FROM unnest($1::text[], $2::text[]) AS asked (space, slug) ORDER BY key) AS keys`,
    values: [keys.map(({ space }) => space), keys.map(({ slug }) => slug)],
  });
};

/** Everything that is known of the slugs. */
export const findKnown = async (db: Queryable, keys: readonly SlugKey[]): Promise<KnownAlias[]> => {
  const { rows } = await db.query<KnownAlias>({
    name: 'find-known-aliases',
    text: `SELECT a.seq::text AS seq, a.space, a.slug, a.alias, a.domain, a.workspace_id AS "workspaceId",
             a.code_id AS "codeId", a.deleted_at IS NOT NULL AS "isDeleted"
           FROM aliases a JOIN (SELECT DISTINCT * FROM unnest($1::text[], $2::text[])) AS asked (space, slug)
             USING (space, slug) ORDER BY a.seq`,
    values: [keys.map(({ space }) => space), keys.map(({ slug }) => slug)],
  });
  return rows;
};

export interface NewAlias extends SlugKey {
  alias: string;
  domain: string | null;
  workspaceId: string;
  codeId: string;
}

export const insertAliases = async (tx: Transaction, given: readonly NewAlias[]): Promise<StoredAlias[]> => {
  if (given.length === 0) return [];
  const { rows } = await tx.query<StoredAlias>({
    name: 'insert-aliases',
    text: `INSERT INTO aliases (space, slug, alias, domain, workspace_id, code_id)
           SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
           RETURNING ${storedColumns}`,
    values: [
      given.map(({ space }) => space),
      given.map(({ slug }) => slug),
      given.map(({ alias }) => alias),
      given.map(({ domain }) => domain),
      given.map(({ workspaceId }) => workspaceId),
      given.map(({ codeId }) => codeId),
    ],
  });
  return rows;
};

/** Gives a deleted alias to a code, as it is written now. */
export const reviveAlias = async (
  tx: Transaction,
  seq: string,
  { alias, codeId }: NewAlias,
): Promise<StoredAlias> => {
  const { rows } = await tx.query<StoredAlias>({
    name: 'revive-alias',
    text: `UPDATE aliases SET alias = $2, code_id = $3, deleted_at = NULL, created_at = clock_timestamp(),
             version = version + 1
           WHERE seq = $1 RETURNING ${storedColumns}`,
    values: [seq, alias, codeId],
  });
  return rows[0]!;
};

export const deleteAlias = (tx: Transaction, seq: string) =>
  tx.query({
    name: 'delete-alias',
    text: 'UPDATE aliases SET deleted_at = clock_timestamp(), version = version + 1 WHERE seq = $1',
    values: [seq],
  });

/** The versions of the documents of slugs. */
export const readSlugVersions = async (
  db: Queryable,
  keys: readonly SlugKey[],
): Promise<(SlugKey & { version: number })[]> => {
  const { rows } = await db.query<SlugKey & { version: number }>({
    name: 'read-alias-versions',
    text: `SELECT space, slug, sum(a.version)::double precision AS version
           FROM aliases a JOIN (SELECT DISTINCT * FROM unnest($1::text[], $2::text[])) AS asked (space, slug)
             USING (space, slug) GROUP BY space, slug ORDER BY space, slug`,
    values: [keys.map(({ space }) => space), keys.map(({ slug }) => slug)],
  });
  return rows;
};

/** Counts new aliases, under a lock until the transaction ends. @returns how many the workspace has, and its plan */
export const countNew = async (
  tx: Transaction,
  workspaceId: string,
  added: number,
): Promise<{ aliases: number; plan: string }> => {
  const { rows } = await tx.query<{ aliases: number; plan: string }>({
    name: 'count-new-aliases',
    text: `WITH counted AS (
             INSERT INTO alias_counts AS c (workspace_id, aliases) VALUES ($1, $2)
             ON CONFLICT (workspace_id) DO UPDATE SET aliases = c.aliases + excluded.aliases RETURNING aliases)
           SELECT aliases::double precision AS aliases, ${planOf('$1')} AS plan FROM counted`,
    values: [workspaceId, added],
  });
  return rows[0]!;
};

/** The same without a lock, and without new ones. */
export const readCount = async (
  db: Queryable,
  workspaceId: string,
): Promise<{ aliases: number; plan: string }> => {
  const { rows } = await db.query<{ aliases: number; plan: string }>({
    name: 'read-alias-count',
    text: `SELECT coalesce((SELECT aliases FROM alias_counts WHERE workspace_id = $1), 0)::double precision AS aliases,
             ${planOf('$1')} AS plan`,
    values: [workspaceId],
  });
  return rows[0]!;
};

/** Test data has the aliases of the smallest plan: names exist once, for all workspaces. */
const planOf = (workspaceId: string): string =>
  `(SELECT CASE WHEN w.test_of IS NULL THEN s.plan ELSE 'free' END FROM workspaces w JOIN subscriptions s ON s.id = w.subscription_id WHERE w.id = ${workspaceId})`;

/** How many aliases a code has. */
export const countOfCode = async (db: Queryable, codeId: string): Promise<number> => {
  const { rows } = await db.query<{ aliases: number }>({
    name: 'count-aliases-of-code',
    text: 'SELECT count(*)::integer AS aliases FROM aliases WHERE code_id = $1 AND deleted_at IS NULL',
    values: [codeId],
  });
  return rows[0]!.aliases;
};

/** A page of a code's aliases, the first first. @param afterSeq of the last one of the page before; '0' for the first page */
export const listAliases = async (
  db: Queryable,
  codeId: string,
  afterSeq: string,
  limit: number,
): Promise<StoredAlias[]> => {
  const { rows } = await db.query<StoredAlias>({
    name: 'list-aliases',
    text: `SELECT ${storedColumns} FROM aliases
           WHERE code_id = $1 AND deleted_at IS NULL AND aliases.seq > $2 ORDER BY aliases.seq LIMIT $3`,
    values: [codeId, afterSeq, limit],
  });
  return rows;
};

/** The aliases of codes, by code. */
export const aliasesOfCodes = async (
  db: Queryable,
  codeIds: readonly string[],
): Promise<Map<string, StoredAlias[]>> => {
  const { rows } = await db.query<StoredAlias & { codeId: string }>({
    name: 'aliases-of-codes',
    text: `SELECT ${storedColumns}, code_id AS "codeId" FROM aliases
           WHERE code_id = ANY($1) AND deleted_at IS NULL ORDER BY aliases.seq`,
    values: [codeIds],
  });
  return Map.groupBy(rows, ({ codeId }) => codeId);
};

/** An alias that leads to a code. */
export interface NamedCode {
  alias: string;
  domain: string | null;
  codeId: string;
  aliasCase: AliasCase | null;
}

/** The present aliases of a workspace with a slug, wherever they are. */
export const findBySlug = async (db: Queryable, workspaceId: string, slug: string): Promise<NamedCode[]> => {
  const { rows } = await db.query<NamedCode>({
    name: 'find-alias-by-slug',
    text: `SELECT a.alias, a.domain, a.code_id AS "codeId", d.alias_case AS "aliasCase" FROM aliases a
           LEFT JOIN domains d ON d.workspace_id = a.workspace_id AND d.domain = a.domain
           WHERE a.workspace_id = $1 AND a.slug = $2 AND a.deleted_at IS NULL ORDER BY a.seq LIMIT 100`,
    values: [workspaceId, slug],
  });
  return rows;
};

/** The spaces in which a code of the workspace has aliases. */
export const findSpaces = async (db: Queryable, workspaceId: string, codeId: string): Promise<string[]> => {
  const { rows } = await db.query<{ space: string }>({
    name: 'find-alias-spaces',
    text: `SELECT DISTINCT space FROM aliases
           WHERE code_id = $1 AND workspace_id = $2 AND deleted_at IS NULL ORDER BY space`,
    values: [codeId, workspaceId],
  });
  return rows.map(({ space }) => space);
};

/** Aliases of a domain that differ by case only, deleted ones included; undefined if there are none. */
export const findCaseCollision = async (
  db: Queryable,
  space: string,
): Promise<readonly string[] | undefined> => {
  const { rows } = await db.query<{ aliases: string[] }>({
    name: 'find-case-collision',
    text: `SELECT (array_agg(alias ORDER BY seq))[1:5] AS aliases FROM aliases
           WHERE space = $1 GROUP BY slug HAVING count(*) > 1 ORDER BY slug LIMIT 1`,
    values: [space],
  });
  return rows[0]?.aliases;
};
