/** The part of a zip that a slice stores: pictures, each after its record, and a table of them. */
import { randomUUID } from 'node:crypto';
import type { Storage } from '../../../../platform/storage/storage.ts';
import { entryOf } from '../archive/entry.ts';
import { localHeader } from '../archive/records.ts';
import { type TableRow, writeTable } from '../archive/table.ts';
import { exportPrefix } from '../keys.ts';
import type { ExportFile } from '../request.ts';
import type { StoredPart } from '../store/parts.ts';
import type { Drawn } from './drawing.ts';

const rowsOf = ({ itemIds, series }: Drawn): TableRow[] =>
  series.pictures.map((picture, index) => ({ ...picture, itemId: itemIds[index]! }));

/** The pictures of a series, each after its record. */
const packedOf = (file: ExportFile, rows: readonly TableRow[], data: Uint8Array): Buffer => {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const row of rows) {
    parts.push(localHeader(entryOf(file, row), file.createdAt), data.subarray(at, at + row.packedBytes));
    at += row.packedBytes;
  }
  return Buffer.concat(parts);
};

export interface NewPart {
  jobId: string;
  firstPosition: number;
  file: ExportFile;
}

/**
 * Stores what is drawn while it is drawn: memory holds a few series.
 * @throws {StorageFailure}, and what the drawing throws: then nothing is stored
 */
export const storePart = async (
  storage: Storage,
  { jobId, firstPosition, file }: NewPart,
  drawn: AsyncGenerator<Drawn>,
): Promise<StoredPart & { bytes: number }> => {
  const key = `${exportPrefix(jobId)}${randomUUID()}`;
  const rows: TableRow[] = [];
  let [pictureBytes, bytes] = [0, 0];
  async function* contents(): AsyncGenerator<Buffer> {
    for await (const each of drawn) {
      const added = rowsOf(each);
      const packed = packedOf(file, added, each.series.data);
      rows.push(...added);
      pictureBytes += packed.length;
      yield packed;
    }
    const table = writeTable(rows);
    bytes = pictureBytes + table.length;
    yield table;
  }
  await storage.put(key, contents());
  return { firstPosition, items: rows.length, key, pictureBytes, bytes };
};
