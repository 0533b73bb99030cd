/** Rows that name dynamic codes of the workspace: the same pictures as `GET /api/qr/codes/{id}/image`, to the byte. */
import { codePictureRow, formatOfRow, isCodePictureRow } from '#schemas/api/bulk-generate.ts';
import { ClientError } from '#shared/errors.ts';
import { validateBody } from '../../../api/http/validation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { requireSource } from '../../images/sources.ts';
import { findPicturedCodes, readStyle } from '../../images/store.ts';
import type { Drawn } from '../../pictures/drawn-pictures.ts';
import type { Pictures } from '../../pictures/pictures.ts';
import type { DrawRow } from './pictures.ts';

export interface CodeRowOptions {
  pool: Pool;
  pictures: Pick<Pictures, 'of'>;
}

/** The ids in the rows that name a code. */
export const codeIdsOf = (rows: readonly unknown[]): string[] =>
  rows.flatMap((row) => (isCodePictureRow(row) && typeof row.id === 'string' ? row.id : []));

/** The warnings that a single picture carries in its headers. */
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

/** @returns a function that is called for each slice and reads all of its codes in one statement */
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
      // Styles are read one at a time: each may have a logo of a megabyte, and most are cached.
      const picture = await pictures.of(code, { format, size, width, height, source }, () =>
        readStyle(pool, code),
      );
      const drawn = await picture.draw();
      return { bytes: drawn.body, format, warnings: warningsOf(drawn) };
    };
  };
