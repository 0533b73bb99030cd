/** Reads the history of a code; ../store/history.ts writes it. */
import type { ActorType } from '#schemas/api/actors.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { KeptValues, PasswordChange } from '../store/history.ts';

export interface StoredVersion {
  version: number;
  changedAt: Date;
  /** Null if the change was no action of a key or the operator. */
  actor: ActorType | null;
  keyId: string | null;
  keyName: string | null;
  /** By field: parts of the code, and what other tables hold of it. */
  before: Readonly<Record<string, unknown>>;
  after: Readonly<Record<string, unknown>>;
  password: PasswordChange | null;
}

/** Of a page: a single change may have half a megabyte of rules. */
const pageBytesMax = 2 ** 18;

export interface VersionPage {
  versions: StoredVersion[];
  hasMore: boolean;
}

/** The latest changes before a version, newest first: at least one, and not many more than 256 KB. */
export const listVersions = async (
  db: Queryable,
  codeId: string,
  beforeVersion: string | undefined,
  limit: number,
): Promise<VersionPage> => {
  const { rows } = await db.query<StoredVersion & { available: number }>({
    name: 'list-code-versions',
    text: `SELECT p.version::double precision AS version, p.changed_at AS "changedAt", p.actor, p.key_id AS "keyId",
        k.name AS "keyName", p.before, p.after, p.password, p.available
      FROM (
        SELECT *, count(*) OVER ()::integer AS available, sum(bytes) OVER (ORDER BY version DESC) - bytes AS bytes_above
        FROM (
          SELECT * FROM code_versions WHERE code_id = $1 AND version < coalesce($2, 9223372036854775807)
          ORDER BY version DESC LIMIT $3
        ) AS latest
      ) AS p LEFT JOIN api_keys k ON k.id = p.key_id
      WHERE p.bytes_above < ${pageBytesMax} ORDER BY p.version DESC`,
    // One more than a page has tells whether there is a next one.
    values: [codeId, beforeVersion ?? null, limit + 1],
  });
  const versions = rows.slice(0, limit);
  return { versions, hasMore: (rows[0]?.available ?? 0) > versions.length };
};

/** What has changed since a version of a code. */
export interface SinceVersion {
  /** How many of the changes since then are known. */
  known: number;
  passwordChanged: boolean;
  /** The values then of the parts that have changed since. */
  values: KeptValues;
}

export const readSince = async (db: Queryable, codeId: string, version: number): Promise<SinceVersion> => {
  const { rows } = await db.query<SinceVersion>({
    name: 'read-code-since',
    text: `WITH later AS (
        SELECT version, parts, password FROM code_versions WHERE code_id = $1 AND version > $2
      ), first AS (
        SELECT DISTINCT ON (part) part, version FROM later, unnest(parts) AS part ORDER BY part, version
      )
      SELECT (SELECT count(*) FROM later)::integer AS known,
        EXISTS (SELECT FROM later WHERE password IS NOT NULL) AS "passwordChanged",
        coalesce((SELECT json_object_agg(first.part, v.before -> first.part)
          FROM first JOIN code_versions v ON v.code_id = $1 AND v.version = first.version), '{}') AS values`,
    values: [codeId, version],
  });
  return rows[0]!;
};

/** A logo that a change replaced; undefined if it is no longer kept. */
export const findReplacedLogo = async (
  db: Queryable,
  codeId: string,
  hash: string,
): Promise<string | undefined> => {
  const { rows } = await db.query<{ image: string }>({
    name: 'find-replaced-logo',
    text: 'SELECT image FROM code_version_logos WHERE code_id = $1 AND hash = $2',
    values: [codeId, hash],
  });
  return rows[0]?.image;
};

/** The name of a key of the workspace; null if it has none. */
export const findKeyName = async (
  db: Queryable,
  workspaceId: string,
  keyId: string,
): Promise<string | null> => {
  const { rows } = await db.query<{ name: string | null }>({
    name: 'find-key-name',
    text: 'SELECT name FROM api_keys WHERE id = $1 AND workspace_id = $2',
    values: [keyId, workspaceId],
  });
  return rows[0]?.name ?? null;
};
