/** The sizes of a call's pictures, as far as they are known before drawing. */
import { isCodePictureRow } from '#schemas/api/bulk-generate.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import { findSavedSides } from '../../images/store.ts';
import type { CallRow } from '../engine/call-rows.ts';
import { codeIdsOf } from './code-rows.ts';

/** As sent: values may be invalid. */
export interface PictureSize {
  format: unknown;
  width: unknown;
  height: unknown;
}

type Row = CallRow['row'];

const ownSize = ({ format, returnType, size, width, height }: Row): PictureSize => ({
  format: format ?? returnType,
  width: size ?? width,
  height: size ?? height,
});

const hasSides = ({ width, height }: PictureSize): boolean => width !== undefined || height !== undefined;

/** Stored codes whose rows name no size have the size of their saved styles: one statement reads all of them. */
export const sizesOf = async (
  db: Queryable,
  workspaceId: string,
  rows: readonly CallRow[],
): Promise<PictureSize[]> => {
  const ids = codeIdsOf(rows.map(({ row }) => row).filter((row) => !hasSides(ownSize(row))));
  const saved = ids.length > 0 ? await findSavedSides(db, workspaceId, ids) : undefined;
  return rows.map(({ row }) => {
    const size = ownSize(row);
    if (hasSides(size) || !isCodePictureRow(row)) return size;
    return { ...size, ...saved?.get(String(row.id)) };
  });
};
