/** Rows that name dynamic codes of the workspace: their pictures are those of `GET /api/qr/codes/{id}/image`, to the byte. */
import { codePictureRow, formatOfRow, isCodePictureRow } from '#schemas/api/bulk-generate.ts';
import { ClientError } from '#shared/errors.ts';
import type { Pool } from '../../../db/pool.ts';
import { validateBody } from '../../../http/validation.ts';
import type { Drawn } from '../../images/drawn-pictures.ts';
import type { Pictures } from '../../images/pictures.ts';
import { requireSource } from '../../images/sources.ts';
import { findPicturedCodes, readStyle } from '../../images/store.ts';
import type { DrawRow } from './pictures.ts';

export interface CodeRowOptions {
  pool: Pool;
  pictures: Pick<Pictures, 'of'>;
}

/** The ids of those rows that name a code. */
export const codeIdsOf = (rows: readonly unknown[]): string[] =>
  rows.flatMap((row) => (isCodePictureRow(row) && typeof row.id === 'string' ? row.id : []));

/** What headers say of a single picture. */
const warningsOf = ({ warnings, sizeNeeded, isFallback }: Drawn): string[] => [
  ...warnings,
  ...(sizeNeeded
    ? [
        `It is too small to be read; it would be read from ${sizeNeeded.width} by ${sizeNeeded.height} pixels on`,
      ]
    : []),
  ...(isFallback
    ? ['It is not in the present look of its brand kit, which is not read or cannot be had']
    : []),
];

/** @returns a function that is called for each slice, and looks for all of its codes by one statement */
export const createCodeRows =
  ({ pool, pictures }: CodeRowOptions) =>
  async (workspaceId: string, rows: readonly unknown[]): Promise<DrawRow> => {
    const ids = codeIdsOf(rows);
    const codeOf = ids.length > 0 ? await findPicturedCodes(pool, workspaceId, ids) : undefined;
    return async (row) => {
      const { id, width, height, size, source, ...named } = validateBody(codePictureRow, row);
      const code = codeOf?.(id);
      if (!code || code instanceof ClientError) throw code;
      requireSource(code, source);
      const format = formatOfRow({ id, ...named });
      // Styles are read one by one: each may have a logo of a megabyte, and most are known.
      const picture = await pictures.of(code, { format, size, width, height, source }, () =>
        readStyle(pool, code),
      );
      const drawn = await picture.draw();
      return { bytes: drawn.body, format, warnings: warningsOf(drawn) };
    };
  };
