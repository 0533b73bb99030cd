/** The pages of a sheet, drawn by the threads in their order. */
import {
  type PagePartTask,
  partLabelsMax,
  type Renderer,
  type SheetLabel,
} from '../../../../rendering/index.ts';
import type { ItemUrls } from '../../items/item-urls.ts';
import type { StoredBatch } from '../../store/batches.ts';
import { itemTexts } from '../captions.ts';
import type { SheetRequest } from './request.ts';

/** The parts of one page. */
export interface DrawnPage {
  parts: readonly Buffer[];
  items: number;
}

export interface DrawOptions {
  renderer: Pick<Renderer, 'drawSheetPart'>;
  urls: ItemUrls;
  batch: StoredBatch;
  request: SheetRequest;
  /** Items of the job, and how many of them are drawn. */
  count: number;
  drawn: number;
  /** Whether no further page is to be begun. */
  isOver(): boolean;
}

/** Small pages are drawn side by side, so that threads need not wait for messages. */
const pagesAhead = 16;

const noteOf = ({ batch, request, count }: DrawOptions, first: number, items: number): string => {
  const page = Math.floor(first / request.design.places.length) + 1;
  const from = request.from + first;
  return `${batch.id}  page ${page} of ${request.pages}  items ${from}-${from + items - 1} of ${request.from}-${request.from + count - 1}`;
};

const labelOf = ({ urls, batch, request }: DrawOptions) => {
  const payloadOf = urls.inFormat(batch, request.uriFormat);
  const { gtin, keyGeneration } = batch;
  return (itemId: string): SheetLabel => ({
    payload: payloadOf(itemId),
    texts: itemTexts(batch, request.captions, {
      itemId,
      serial: gtin === null ? '' : urls.serialOf({ gtin, keyGeneration }, itemId),
    }),
  });
};

/** @param first index of the page's first item among those of the job */
const drawPage = async (
  options: DrawOptions,
  itemIds: readonly string[],
  first: number,
): Promise<DrawnPage> => {
  const { renderer, batch, request } = options;
  const labels = itemIds.map(labelOf(options));
  const parts: Promise<Buffer>[] = [];
  for (let at = 0; at < labels.length; at += partLabelsMax) {
    const task: PagePartTask = {
      design: request.design,
      first: at,
      labels: labels.slice(at, at + partLabelsMax),
      ...(at === 0 && { note: noteOf(options, first, labels.length) }),
    };
    parts.push(renderer.drawSheetPart(task, batch.workspaceId));
  }
  return { parts: await Promise.all(parts), items: labels.length };
};

/**
 * @param itemIds of whole pages; the last page of the job may be shorter
 * @throws {ClientError} UNAVAILABLE or RATE_LIMITED where the threads have too much to do
 */
export async function* drawPages(
  itemIds: readonly string[],
  options: DrawOptions,
): AsyncGenerator<DrawnPage> {
  const perPage = options.request.design.places.length;
  const begun: Promise<DrawnPage>[] = [];
  const aheadMax = Math.max(1, Math.min(pagesAhead, Math.floor(partLabelsMax / perPage)));
  let at = 0;
  const beginMore = (): void => {
    while (begun.length < aheadMax && at < itemIds.length && (at === 0 || !options.isOver())) {
      const page = drawPage(options, itemIds.slice(at, at + perPage), options.drawn + at);
      // If it is no longer needed, its failure does not matter.
      page.catch(() => undefined);
      begun.push(page);
      at += perPage;
    }
  };
  for (beginMore(); begun.length > 0; beginMore()) yield await begun.shift()!;
}
