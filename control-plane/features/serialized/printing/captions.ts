/** The texts of the captions of a batch's labels. */
import { domainToUnicode } from 'node:url';
import type { SheetCaption, SheetLayout } from '#schemas/api/serialized-sheets.ts';
import { ClientError } from '#shared/errors.ts';
import { humanReadable } from '#shared/gs1/human-readable.ts';
import { itemElements } from '../items/gs1-elements.ts';
import type { StoredBatch } from '../store/batches.ts';
import type { CaptionText } from './caption-lines.ts';

export type CaptionedBatch = Pick<StoredBatch, 'id' | 'gtin' | 'productName' | 'productSku'>;

/** The captions of one item. @param serial empty if its batch has no GTIN */
export interface CaptionedItem {
  itemId: string;
  serial: string;
}

/** No element may be broken across lines. */
const gs1Parts = (gtin: string, serial: string): string[] => humanReadable(itemElements(gtin, serial));

/** In the order of the layout. */
export const captionNames = ({ captions }: SheetLayout): readonly SheetCaption[] => {
  if (typeof captions === 'boolean') return [];
  return typeof captions === 'string' ? [captions] : captions;
};

const missing = (batch: CaptionedBatch, name: SheetCaption, field: string): ClientError =>
  new ClientError(
    'UNPROCESSABLE',
    `layout.captions must not have ${name}: the batch ${batch.id} has no ${field}`,
  );

/** As address bars show it: in the script of its language. */
const shownHost = ({ hostname, port }: URL): string =>
  `${domainToUnicode(hostname)}${port === '' ? '' : `:${port}`}`;

/**
 * @param example one of the batch's items: all have ids and serials of the same length
 * @param payload of the code of an item, a URL
 * @throws {ClientError} UNPROCESSABLE for a caption of a field that the batch does not have
 */
export const captionTexts = (
  batch: CaptionedBatch,
  names: readonly SheetCaption[],
  example: CaptionedItem,
  payload: string,
): CaptionText[] => {
  const { gtin, productName, productSku } = batch;
  const textOf = (name: SheetCaption): CaptionText => {
    switch (name) {
      case 'itemId':
        return { name, partLengths: [example.itemId.length], mayBreak: true };
      case 'serial':
        if (gtin === null) throw missing(batch, name, 'gtin');
        return { name, partLengths: [example.serial.length], mayBreak: true };
      case 'gs1':
        if (gtin === null) throw missing(batch, name, 'gtin');
        return {
          name,
          partLengths: gs1Parts(gtin, example.serial).map(({ length }) => length),
          mayBreak: false,
        };
      case 'productName':
        if (productName === null) throw missing(batch, name, name);
        return { name, text: productName, mayShorten: true };
      case 'productSku':
        // A shortened SKU would be another product's SKU.
        if (productSku === null) throw missing(batch, name, name);
        return { name, text: productSku, mayShorten: false };
      case 'host':
        // A shortened host would be someone else's host.
        return { name, text: shownHost(new URL(payload)), mayShorten: false, isExtra: true };
    }
  };
  return names.map(textOf);
};

/** The texts of an item that differ from other items', in the order of the captions. */
export const itemTexts = (
  { gtin }: CaptionedBatch,
  names: readonly SheetCaption[],
  { itemId, serial }: CaptionedItem,
): string[] =>
  names.flatMap((name) => {
    if (name === 'itemId') return [itemId];
    if (name === 'serial') return [serial];
    return name === 'gs1' ? [gs1Parts(gtin ?? '', serial).join('')] : [];
  });
