/** Sheets, as jobs: files with some pages, and at last the PDF of all. */
import { randomUUID } from 'node:crypto';
import { sheetDays } from '#schemas/api/serialized-sheets.ts';
import type { Logger } from '#shared/logger.ts';
import type { JobKind } from '../../../../jobs/kind.ts';
import type { Pool } from '../../../../platform/db/pool.ts';
import type { Storage } from '../../../../platform/storage/storage.ts';
import type { Renderer } from '../../../../rendering/index.ts';
import { exportPrefix } from '../../exports/keys.ts';
import { addKept } from '../../exports/store/exports.ts';
import { dropParts, listParts } from '../../exports/store/parts.ts';
import { createExportKind, type DrawnPart, type exportEnds, sliceMax } from '../../exports/work/kind.ts';
import type { ItemUrls } from '../../items/item-urls.ts';
import { listBatchesById } from '../../store/batches.ts';
import { listItems } from '../../store/items.ts';
import { drawPages } from './drawing.ts';
import { pdfKey } from './keys.ts';
import { writePage } from './page-file.ts';
import { storePdf } from './pdf.ts';
import type { SheetRequest, SheetWork } from './request.ts';

/** For the work and for the calls that create it. */
export const sheetJobs = { name: 'sheet_export', lane: 'sheet_export' } as const;

export interface SheetKindOptions {
  pool: Pool;
  storage: Storage;
  logger: Logger;
  renderer: Pick<Renderer, 'drawSheetPart'>;
  urls: ItemUrls;
  onLabels(count: number): void;
  onEnded(how: (typeof exportEnds)[number]): void;
}

/** As many items as fill whole pages. */
const sliceItems = ({ request, job }: SheetWork): number => {
  const perPage = request.design.places.length;
  return Math.min(Math.max(1, Math.floor(sliceMax.items / perPage)) * perPage, job.total - job.done);
};

export const createSheetKind = (options: SheetKindOptions): JobKind => {
  const { pool, storage, logger, renderer, urls, onLabels, onEnded } = options;

  const draw = async (work: SheetWork): Promise<DrawnPart> => {
    const { job, batchId, request } = work;
    const [batch] = await listBatchesById(pool, [batchId]);
    const found = await listItems(pool, batchId, request.from - 1 + job.done, sliceItems(work));
    const endsAtMs = performance.now() + sliceMax.ms;
    const key = `${exportPrefix(job.id)}${randomUUID()}`;
    let [items, bytes] = [0, 0];
    async function* contents(): AsyncGenerator<Buffer> {
      const pages = drawPages(
        found.map(({ id }) => id),
        {
          renderer,
          urls,
          batch: batch!,
          request,
          count: job.total,
          drawn: job.done,
          isOver: () => performance.now() >= endsAtMs,
        },
      );
      for await (const page of pages) {
        const written = writePage(page);
        items += page.items;
        bytes += written.length;
        yield written;
      }
    }
    await storage.put(key, contents());
    return { part: { firstPosition: job.done + 1, items, key, pictureBytes: bytes }, bytes };
  };

  return createExportKind<SheetRequest>({
    kind: sheetJobs,
    pool,
    storage,
    logger,
    days: sheetDays,
    draw,
    // The PDF is as large as its pages, and both are kept for a moment.
    roomOf: ({ bytes }) => 2 * bytes,
    storeResult: (work) => storePdf({ pool, storage }, work),
    resultKeyOf: pdfKey,
    keepResult: addKept,
    onDrawn: (_, items) => onLabels(items),
    onEnded,
    /** The pages are in the PDF. If this fails, they are removed with it. */
    async afterCompleted(id) {
      for (const { key } of await listParts(pool, id)) await storage.remove(key);
      await dropParts(pool, id);
    },
  });
};
