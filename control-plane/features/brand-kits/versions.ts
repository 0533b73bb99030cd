/** Earlier looks of brand kits in PostgreSQL, and the logos that they show. */
import type { Queryable } from '../../platform/db/pool.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import type { BrandKit } from './brand-kit.ts';

/** How many earlier looks of a kit are kept. */
const earlierVersionsMax = 20;

/** Earlier looks of the kit, newest first. */
export const listEarlierVersions = async (db: Queryable, kit: BrandKit): Promise<BrandKit[]> => {
  const { rows } = await db.query<Pick<BrandKit, 'version' | 'fields' | 'logoVersion'>>({
    name: 'list-brand-kit-versions',
    text: `SELECT version::integer AS version, fields, logo_version::integer AS "logoVersion"
           FROM brand_kit_versions WHERE kit_id = $1 AND version < $2 ORDER BY version DESC`,
    values: [kit.kitId, kit.version],
  });
  return rows.map((row) => ({ ...kit, ...row }));
};

/** Saves the present look of a kit that is about to change. */
export const rememberVersion = async (tx: Transaction, kit: BrandKit): Promise<void> => {
  await tx.query(
    'INSERT INTO brand_kit_versions (kit_id, version, fields, logo_version) VALUES ($1, $2, $3, $4)',
    [kit.kitId, kit.version, JSON.stringify(kit.fields), kit.logoVersion],
  );
};

/** Keeps the last {@link earlierVersionsMax}. Also deletes logos that no version shows. */
export const forgetOldVersions = async (tx: Transaction, kit: BrandKit): Promise<void> => {
  const { kitId, version, logoVersion } = kit;
  await tx.query('DELETE FROM brand_kit_versions WHERE kit_id = $1 AND version < $2', [
    kitId,
    version - earlierVersionsMax,
  ]);
  await tx.query(
    `DELETE FROM brand_kit_logos logos WHERE kit_id = $1 AND logo_version NOT IN (
       SELECT $2::bigint UNION ALL SELECT logo_version FROM brand_kit_versions WHERE kit_id = $1)`,
    [kitId, logoVersion],
  );
};

/** The picture behind the logoUrl that was sent with this version of the kit, in base64. */
export const findLogo = async (
  db: Queryable,
  kitId: string,
  logoVersion: number,
): Promise<string | undefined> => {
  const { rows } = await db.query<{ image: string }>({
    name: 'find-brand-kit-logo',
    text: 'SELECT image FROM brand_kit_logos WHERE kit_id = $1 AND logo_version = $2',
    values: [kitId, logoVersion],
  });
  return rows[0]?.image;
};

/**
 * Stores the logo of a version. The first one stored stays, so that every picture has the same.
 * @returns the stored logo
 */
export const keepLogo = async (
  db: Queryable,
  kitId: string,
  logoVersion: number,
  image: string,
): Promise<string> => {
  const { rows } = await db.query<{ image: string }>({
    name: 'keep-brand-kit-logo',
    text: `INSERT INTO brand_kit_logos AS logos (kit_id, logo_version, image) VALUES ($1, $2, $3)
           ON CONFLICT (kit_id, logo_version) DO UPDATE SET image = logos.image RETURNING image`,
    values: [kitId, logoVersion, image],
  });
  return rows[0]!.image;
};
