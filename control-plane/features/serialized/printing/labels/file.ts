/** The items of a batch for label printers: one line each, with everything that a label may show. */
import { symbolText } from '#shared/gs1/element-string.ts';
import { humanReadable } from '#shared/gs1/human-readable.ts';
import { inPieces, type Piece } from '../../../../api/http/pieces.ts';
import { pageReads } from '../../../../platform/db/page-reads.ts';
import type { Pool } from '../../../../platform/db/pool.ts';
import { byteOrderMark, type Cell, csvLines } from '../../../../platform/spreadsheets/csv.ts';
import { itemElements } from '../../items/gs1-elements.ts';
import type { ItemUrls } from '../../items/item-urls.ts';
import type { StoredBatch } from '../../store/batches.ts';
import { itemPages } from '../../store/items.ts';

export const labelColumns = [
  'itemId',
  'url',
  'gtin',
  'serial',
  'hri',
  'elementString',
  'productSku',
  'productName',
  'brandName',
  'position',
] as const;

/** An item's GS1 data: empty if its batch has no GTIN. */
const gs1Cells = (urls: ItemUrls, { gtin, keyGeneration }: StoredBatch, itemId: string): Cell[] => {
  if (gtin === null) return [null, null, null, null];
  const serial = urls.serialOf({ gtin, keyGeneration }, itemId);
  const elements = itemElements(gtin, serial);
  return [gtin, serial, humanReadable(elements).join(''), symbolText(elements)];
};

export interface LabelFileOptions {
  urls: ItemUrls;
  /** The URL of an item. */
  urlOf(itemId: string): string;
  /** Whether it begins with a byte order mark. */
  bom: boolean;
}

/** The file, in pieces. */
export async function* labelFile(
  pool: Pool,
  batch: StoredBatch,
  { urls, urlOf, bom }: LabelFileOptions,
): AsyncGenerator<Piece> {
  const { id, productSku, productName, brandName } = batch;
  yield () => `${bom ? byteOrderMark : ''}${csvLines([labelColumns])}`;
  for await (const page of itemPages(pageReads(pool), id)) {
    yield* inPieces(page, (items) =>
      csvLines(
        items.map((item) => [
          item.id,
          urlOf(item.id),
          ...gs1Cells(urls, batch, item.id),
          productSku,
          productName,
          brandName,
          item.position,
        ]),
      ),
    );
  }
}
