/** The picture of an item as a file of the zip. */
import type { ExportFile } from '../request.ts';
import type { ZipEntry } from './records.ts';
import type { TableRow } from './table.ts';

/** Others are compressed already. */
export const isDeflated = ({ format }: Pick<ExportFile, 'format'>): boolean => format === 'svg';

export const entryOf = (file: ExportFile, { itemId, ...sizes }: TableRow): ZipEntry => ({
  ...sizes,
  name: `${itemId}.${file.format}`,
  isDeflated: isDeflated(file),
});
