/** The list at the end of an export's zip, made of the tables of its parts. */
import { buffer } from 'node:stream/consumers';
import type { Storage } from '../../../../platform/storage/storage.ts';
import type { ExportFile } from '../request.ts';
import type { StoredPart } from '../store/parts.ts';
import { entryOf } from './entry.ts';
import { centralHeader, endOfZip, localHeaderBytes } from './records.ts';
import { readTable, rowBytes, type TableRow } from './table.ts';

/** @throws {StorageFailure}; {Error} where the storage does not have it */
const tableOf = async (storage: Storage, { key, pictureBytes, items }: StoredPart): Promise<TableRow[]> => {
  const file = await storage.get(key);
  const last = pictureBytes + items * rowBytes - 1;
  if (file?.size !== last + 1)
    throw new Error(`the storage has no whole ${key}; do all control planes have the same STORAGE_URL?`);
  return readTable(await buffer(await file.read({ first: pictureBytes, last })));
};

/** @param parts all of them, in the order of their items */
export async function* listOf(
  storage: Storage,
  file: ExportFile,
  parts: readonly StoredPart[],
): AsyncGenerator<Buffer> {
  let [offset, entries, bytes] = [0, 0, 0];
  for (const part of parts) {
    const headers = (await tableOf(storage, part)).map((row) => {
      const entry = entryOf(file, row);
      const header = centralHeader(entry, file.createdAt, offset);
      offset += localHeaderBytes(entry.name) + entry.packedBytes;
      return header;
    });
    const joined = Buffer.concat(headers);
    entries += headers.length;
    bytes += joined.length;
    yield joined;
  }
  yield endOfZip(entries, bytes, offset);
}
