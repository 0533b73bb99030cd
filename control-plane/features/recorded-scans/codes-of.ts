/**
 * What PostgreSQL knows of codes and ClickHouse does not: filters by it become filters by code, and groups by code become
 * groups by it. Both are bounded: at most {@link codesMax} codes.
 */
import type { CodeFilter, ListFilter, ScanFilters } from '#schemas/api/scan-filters.ts';
import { tagKey } from '#schemas/api/tags.ts';
import { ClientError } from '#shared/errors.ts';
import { redirectUrl } from '#shared/redirect-url.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { findTagIds } from '../tags/store.ts';

/** Their ids are 120 kB of a statement. */
export const codesMax = 10_000;

export interface CodeFacts {
  db: Queryable;
  /** The origin of codes without a domain. */
  qrHost: string;
}

const hostOf = (url: string): string => new URL(url).host;

interface LinkBases {
  /** Of the codes at the hosts that are asked for; null: the shared one. */
  wanted: (string | null)[];
  codes: number;
}

/** How many codes are at hosts, by the counters of their link bases: no code is read. */
const linkBasesOf = async (
  { db, qrHost }: CodeFacts,
  workspaceId: string,
  hosts: ReadonlySet<string>,
): Promise<LinkBases> => {
  const { rows } = await db.query<{ linkBase: string | null; codes: number }>({
    name: 'codes-by-link-base',
    text: `WITH named AS (
             SELECT value, sum(codes) AS codes FROM code_facets WHERE workspace_id = $1 AND facet = 'domain' GROUP BY value
           )
           SELECT value AS "linkBase", codes::double precision AS codes FROM named WHERE codes > 0
           UNION ALL
           SELECT NULL, (coalesce((SELECT sum(codes) FROM code_counts WHERE workspace_id = $1), 0)
             - coalesce((SELECT sum(codes) FROM named), 0))::double precision`,
    values: [workspaceId],
  });
  const wanted = rows.filter(({ linkBase }) => hosts.has(hostOf(linkBase ?? qrHost)));
  return {
    wanted: wanted.map(({ linkBase }) => linkBase),
    codes: wanted.reduce((sum, { codes }) => sum + codes, 0),
  };
};

/** Codes by the hosts that they are printed with. @returns undefined if they are too many */
const idsByDomain: IdsBy = async (facts, workspaceId, values) => {
  const hosts = new Set(values.map((host) => host.toLowerCase()));
  const { wanted, codes } = await linkBasesOf(facts, workspaceId, hosts);
  if (codes > codesMax) return undefined;
  const { rows } = await facts.db.query<{ id: string }>({
    name: 'codes-by-domain',
    text: `SELECT id FROM codes WHERE workspace_id = $1 AND link_base = ANY ($2)
           UNION ALL
           SELECT id FROM codes WHERE workspace_id = $1 AND link_base IS NULL AND $3 LIMIT ${codesMax + 1}`,
    values: [workspaceId, wanted.filter((linkBase) => linkBase !== null), wanted.includes(null)],
  });
  return rows.map(({ id }) => id);
};

/** Codes by tags, whatever these were called before. One that does not exist has no codes. */
const idsByTag: IdsBy = async ({ db }, workspaceId, names) => {
  const tags = (await findTagIds(db, workspaceId, names.map(tagKey))).flat();
  if (tags.length === 0) return [];
  const { rows } = await db.query<{ id: string }>({
    name: 'codes-by-tags',
    text: `SELECT id FROM codes WHERE workspace_id = $1 AND tag_ids && $2::integer[] LIMIT ${codesMax + 1}`,
    values: [workspaceId, tags],
  });
  return rows.map(({ id }) => id);
};

/** A folder that is deleted has no codes, although these name it until they are swept. */
const idsByFolder: IdsBy = async ({ db }, workspaceId, folders) => {
  const { rows } = await db.query<{ id: string }>({
    name: 'codes-by-folders',
    text: `SELECT id FROM codes WHERE workspace_id = $1 AND folder_id = ANY(ARRAY(
             SELECT id FROM folders WHERE workspace_id = $1 AND id = ANY($2) AND deleted_at IS NULL
           )) LIMIT ${codesMax + 1}`,
    values: [workspaceId, folders],
  });
  return rows.map(({ id }) => id);
};

/** Finds the codes that have one of the values. @returns undefined if they are too many to be read */
type IdsBy = (
  facts: CodeFacts,
  workspaceId: string,
  values: readonly string[],
) => Promise<readonly string[] | undefined>;

const idsBy: Readonly<Record<CodeFilter, IdsBy>> = {
  code: async (_facts, _workspaceId, values) => values,
  domain: idsByDomain,
  tag: idsByTag,
  folder: idsByFolder,
};

/**
 * The filters that are about codes, as filters by the ids of codes.
 * @throws {ClientError} INVALID_REQUEST if a filter has more than {@link codesMax} codes
 */
export const codeIdsOf = async (
  facts: CodeFacts,
  workspaceId: string,
  filters: ScanFilters,
): Promise<ListFilter[]> => {
  const found: ListFilter[] = [];
  for (const name of Object.keys(idsBy) as CodeFilter[]) {
    const filter = filters[name];
    if (!filter) continue;
    const values = await idsBy[name](facts, workspaceId, filter.values);
    if (!values || values.length > codesMax)
      throw new ClientError('INVALID_REQUEST', `${name} must have at most ${codesMax} codes; it has more`);
    found.push({ not: filter.not, values });
  }
  return found;
};

/** The values of codes by which scans can be grouped: a code may have several, or none. */
export type ValuesOf = (
  facts: CodeFacts,
  workspaceId: string,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, readonly string[]>>;

const domainsOf: ValuesOf = async ({ db, qrHost }, workspaceId, ids) => {
  const { rows } = await db.query<{ id: string; linkBase: string | null }>({
    name: 'domains-of-codes',
    text: `SELECT id, link_base AS "linkBase" FROM codes WHERE workspace_id = $1 AND id = ANY($2)`,
    values: [workspaceId, ids],
  });
  const hosts = new Map<string | null, string[]>();
  return new Map(
    rows.map(({ id, linkBase }) => {
      const known = hosts.get(linkBase) ?? [hostOf(redirectUrl(qrHost, { id, linkBase }))];
      hosts.set(linkBase, known);
      return [id, known];
    }),
  );
};

const tagsOf: ValuesOf = async ({ db }, workspaceId, ids) => {
  const { rows } = await db.query<{ id: string; names: string[] }>({
    name: 'tags-of-codes',
    text: `SELECT codes.id, array_agg(DISTINCT live.name) AS names
           FROM codes CROSS JOIN unnest(codes.tag_ids) AS held JOIN tags AS own ON own.id = held
           JOIN tags AS live ON live.id = coalesce(own.merged_into, own.id) AND live.gone_at IS NULL
           WHERE codes.workspace_id = $1 AND codes.id = ANY($2) GROUP BY codes.id`,
    values: [workspaceId, ids],
  });
  return new Map(rows.map(({ id, names }) => [id, names]));
};

const foldersOf: ValuesOf = async ({ db }, workspaceId, ids) => {
  const { rows } = await db.query<{ id: string; folderId: string }>({
    name: 'folders-of-codes',
    text: `SELECT codes.id, folders.id AS "folderId"
           FROM codes JOIN folders ON folders.id = codes.folder_id AND folders.deleted_at IS NULL
           WHERE codes.workspace_id = $1 AND codes.id = ANY($2)`,
    values: [workspaceId, ids],
  });
  return new Map(rows.map(({ id, folderId }) => [id, [folderId]]));
};

/** Groups of scans by a fact of their code. */
export const codeGroups = { domain: domainsOf, tag: tagsOf, folder: foldersOf } as const satisfies Record<
  string,
  ValuesOf
>;

export type CodeGroup = keyof typeof codeGroups;

export const isCodeGroup = (name: string): name is CodeGroup => Object.hasOwn(codeGroups, name);
