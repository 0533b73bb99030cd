/** Brand kits in PostgreSQL. */
import { type BrandKitFields, brandKitsMax } from '#schemas/api/brand-kits.ts';
import { prefixedIds } from '#shared/ids.ts';
import { countCapReached } from '../../api/access/plans.ts';
import { isNoChange, noteSubject } from '../../platform/db/actions.ts';
import { findOwned, type OwnedTable, seekOwned } from '../../platform/db/owned.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';
import type { BrandKit } from './brand-kit.ts';
import { forgetOldVersions, keepLogo, rememberVersion } from './versions.ts';

export const brandKitIds = prefixedIds('bk');

export const ownedKits: OwnedTable = {
  table: 'brand_kits',
  noun: 'brand kit',
  isIdShaped: (kitId) => /^bk_[1-9A-HJ-NP-Za-km-z]{16}$/.test(kitId),
};

const columns = `id AS "kitId", workspace_id AS "workspaceId", name, fields, created_by AS "createdBy",
  version::integer AS version, logo_version::integer AS "logoVersion", created_at AS "createdAt", updated_at AS "updatedAt",
  deleted_at IS NOT NULL AS deleted`;

export interface NewBrandKit {
  workspaceId: string;
  name: string;
  fields: BrandKitFields;
  createdBy: string;
  /** The picture behind the logoUrl, in base64; undefined if it is not fetched yet. */
  logo: string | undefined;
}

/**
 * One statement: a concurrent creation waits for the row of the count, and then sees the new count.
 * @throws {ClientError} CONFLICT if the workspace has as many kits as it may have
 */
export const createBrandKit = async (db: Queryable, kit: NewBrandKit): Promise<BrandKit> => {
  const { rows } = await db.query<BrandKit>({
    name: 'create-brand-kit',
    text: `WITH counted AS (
             INSERT INTO brand_kit_counts AS counts (workspace_id, kits) VALUES ($2, 1)
             ON CONFLICT (workspace_id) DO UPDATE SET kits = counts.kits + 1 WHERE counts.kits < $6
             RETURNING workspace_id
           ),
           made AS (
             INSERT INTO brand_kits (id, workspace_id, name, fields, created_by)
             SELECT $1, workspace_id, $3, $4, $5 FROM counted RETURNING *
           ),
           kept AS (
             INSERT INTO brand_kit_logos (kit_id, logo_version, image)
             SELECT id, logo_version, $7::text FROM made WHERE $7::text IS NOT NULL
           )
           SELECT ${columns} FROM made`,
    values: [
      brandKitIds.create(),
      kit.workspaceId,
      kit.name,
      JSON.stringify(kit.fields),
      kit.createdBy,
      brandKitsMax,
      kit.logo ?? null,
    ],
  });
  if (!rows[0])
    throw countCapReached(
      'brandKits',
      brandKitsMax,
      `A workspace has at most ${brandKitsMax} brand kits; delete one first`,
    );
  noteSubject({ resourceId: rows[0].kitId });
  return rows[0];
};

/** By sortOrder, kits without one last; then newest first. */
export const listBrandKits = async (db: Queryable, workspaceId: string): Promise<BrandKit[]> => {
  const { rows } = await db.query<BrandKit>({
    name: 'list-brand-kits',
    text: `SELECT ${columns} FROM brand_kits WHERE workspace_id = $1 AND deleted_at IS NULL
           ORDER BY (fields ->> 'sortOrder')::integer NULLS LAST, created_at DESC, id DESC`,
    values: [workspaceId],
  });
  return rows;
};

/** A kit of the workspace, deleted or not. */
export const seekBrandKit = (
  db: Queryable,
  workspaceId: string,
  kitId: string,
): Promise<BrandKit | undefined> =>
  seekOwned(db, ownedKits, workspaceId, kitId, {
    name: 'look-for-brand-kit',
    text: `SELECT ${columns} FROM brand_kits WHERE id = $1 AND workspace_id = $2`,
  });

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN if the kit is another workspace's */
export const findBrandKit = (db: Queryable, workspaceId: string, kitId: string): Promise<BrandKit> =>
  findOwned(db, ownedKits, workspaceId, kitId, {
    name: 'find-brand-kit',
    text: `SELECT ${columns} FROM brand_kits WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL`,
  });

/** Locks a kit until the transaction ends. @throws {ClientError} as {@link findBrandKit} */
const lockBrandKit = (tx: Transaction, workspaceId: string, kitId: string): Promise<BrandKit> =>
  findOwned(tx, ownedKits, workspaceId, kitId, {
    name: 'lock-brand-kit',
    text: `SELECT ${columns} FROM brand_kits WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL
           FOR NO KEY UPDATE`,
  });

export interface BrandKitChanges {
  name?: string | undefined;
  set: Partial<BrandKitFields>;
  cleared: readonly string[];
  /** Whether the URL was sent, even the same one: then the logo belongs to the new version. */
  newLogo: boolean;
}

/** The proven look after a visible change. */
export interface ChangedLook {
  /** The version that the proven look is based on: if another came between, nothing is changed. */
  seenVersion: number;
  /** The picture behind a new logoUrl, in base64; undefined if it is not fetched yet. */
  logo: string | undefined;
}

/**
 * @param look undefined if the change is not visible: then the version stays
 * @returns undefined if the version is not the one that was seen
 * @throws {ClientError} NOT_FOUND, or FORBIDDEN if the kit is another workspace's
 */
export const updateBrandKit = (
  pool: Pool,
  workspaceId: string,
  kitId: string,
  { name, set, cleared, newLogo }: BrandKitChanges,
  look: ChangedLook | undefined,
): Promise<BrandKit | undefined> =>
  inTransaction(pool, async (tx) => {
    const seen = await lockBrandKit(tx, workspaceId, kitId);
    if (look && look.seenVersion !== seen.version) {
      isNoChange(tx);
      return undefined;
    }
    if (look) await rememberVersion(tx, seen);
    const { rows } = await tx.query<BrandKit>({
      name: 'update-brand-kit',
      text: `UPDATE brand_kits SET name = coalesce($2, name), fields = (fields || $3::jsonb) - $4::text[],
               version = version + $5, logo_version = CASE WHEN $6 THEN version + $5 ELSE logo_version END,
               updated_at = now()
             WHERE id = $1 AND workspace_id = $7 RETURNING ${columns}`,
      values: [
        kitId,
        name ?? null,
        JSON.stringify(set),
        cleared,
        look ? 1 : 0,
        look !== undefined && newLogo,
        workspaceId,
      ],
    });
    const kit = rows[0]!;
    if (look?.logo !== undefined) await keepLogo(tx, kitId, kit.logoVersion, look.logo);
    if (look) await forgetOldVersions(tx, kit);
    return kit;
  });

/** @throws {ClientError} as {@link findBrandKit} */
export const deleteBrandKit = (pool: Pool, workspaceId: string, kitId: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    await lockBrandKit(tx, workspaceId, kitId);
    await tx.query('UPDATE brand_kits SET deleted_at = now() WHERE id = $1 AND workspace_id = $2', [
      kitId,
      workspaceId,
    ]);
    await tx.query('UPDATE brand_kit_counts SET kits = kits - 1 WHERE workspace_id = $1', [workspaceId]);
  });
