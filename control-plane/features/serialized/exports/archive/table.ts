/** The table at the end of a part: the id of each item and the sizes of its picture, so that the list of the zip needs no other source. */
import type { SeriesPicture } from '../../../../rendering/index.ts';

export interface TableRow extends SeriesPicture {
  itemId: string;
}

const idBytes = 12;
export const rowBytes = idBytes + 12;

export const writeTable = (rows: readonly TableRow[]): Buffer => {
  const table = Buffer.alloc(rows.length * rowBytes);
  for (const [index, { itemId, bytes, packedBytes, crc }] of rows.entries()) {
    const at = index * rowBytes;
    table.write(itemId, at, 'latin1');
    table.writeUInt32LE(bytes, at + idBytes);
    table.writeUInt32LE(packedBytes, at + idBytes + 4);
    table.writeUInt32LE(crc, at + idBytes + 8);
  }
  return table;
};

export const readTable = (table: Buffer): TableRow[] =>
  Array.from({ length: Math.floor(table.length / rowBytes) }, (_, index) => {
    const at = index * rowBytes;
    return {
      itemId: table.toString('latin1', at, at + idBytes),
      bytes: table.readUInt32LE(at + idBytes),
      packedBytes: table.readUInt32LE(at + idBytes + 4),
      crc: table.readUInt32LE(at + idBytes + 8),
    };
  });
