/** Sheets are accepted: their layout is designed, and their job exists with its first turn. */
import type { z } from 'zod';
import type { SheetsBody, sheetsAnswer } from '#schemas/api/serialized-sheets.ts';
import { ClientError } from '#shared/errors.ts';
import { prefixedIds } from '#shared/ids.ts';
import type { Principal } from '../../../../api/access/authentication.ts';
import type { Reply } from '../../../../api/http/operation.ts';
import type { Create } from '../../../../api/idempotency/request.ts';
import type { Pool } from '../../../../platform/db/pool.ts';
import { type Renderer, sheetSymbol } from '../../../../rendering/index.ts';
import { requirePlace } from '../../exports/place.ts';
import { roomOf } from '../../exports/room.ts';
import { insertExport, lockKept } from '../../exports/store/exports.ts';
import type { ItemUrls } from '../../items/item-urls.ts';
import { findBatch, requireCompleted, type StoredBatch } from '../../store/batches.ts';
import { listItems } from '../../store/items.ts';
import { insertJob } from '../../store/jobs.ts';
import { captionNames, captionTexts } from '../captions.ts';
import { designSheets } from '../sheet-layout.ts';
import { sheetJobs } from './kind.ts';
import { pagesOf, type SheetRequest } from './request.ts';

export const sheetJobIds = prefixedIds('ssheet');

export interface SheetSubmissionOptions {
  pool: Pool;
  renderer: Pick<Renderer, 'setSheetText'>;
  urls: ItemUrls;
  /** The URL of a job. */
  locationOf(jobId: string): string;
}

interface Positions {
  from: number;
  to: number;
}

/** @throws {ClientError} UNPROCESSABLE for positions that the batch does not have */
const positionsOf = ({ from = 1, to }: SheetsBody, { id, count }: StoredBatch): Positions => {
  for (const [field, given] of [
    ['from', from],
    ['to', to ?? count],
  ] as const) {
    if (given > count)
      throw new ClientError(
        'UNPROCESSABLE',
        `${field} must be at most ${count}, the count of the batch ${id}; given: ${given}`,
      );
  }
  return { from, to: to ?? count };
};

/** @throws {ClientError} CONFLICT where the batch is not minted; UNPROCESSABLE, see `designSheets` and `captionTexts`; see `requirePlace` */
export const createSheetSubmission = ({ pool, renderer, urls, locationOf }: SheetSubmissionOptions) => {
  /** By an item of the batch: the codes and captions of all are as long. */
  const designFor = async (batch: StoredBatch, { layout, uriFormat }: SheetsBody) => {
    const { gtin, keyGeneration, workspaceId } = batch;
    const payloadOf = urls.inFormat(batch, uriFormat);
    const [item] = await listItems(pool, batch.id, 0, 1);
    const itemId = item!.id;
    const serial = gtin === null ? '' : urls.serialOf({ gtin, keyGeneration }, itemId);
    const payload = payloadOf(itemId);
    return designSheets(layout, {
      symbol: sheetSymbol(payload),
      captions: captionTexts(batch, captionNames(layout), { itemId, serial }, payload),
      setFixedText: (task) => renderer.setSheetText(task, workspaceId),
    });
  };

  const prepare = async (principal: Principal, batchId: string, body: SheetsBody) => {
    const batch = await findBatch(pool, principal.workspaceId, batchId);
    requireCompleted(batch);
    const { from, to } = positionsOf(body, batch);
    await requirePlace(pool, principal, sheetJobs);
    const { design, omitted } = await designFor(batch, body);
    const count = to - from + 1;
    const request: SheetRequest = {
      design,
      captions: captionNames(body.layout),
      uriFormat: body.uriFormat,
      from,
      pages: pagesOf(design, count),
      keptBytesMax: roomOf(principal),
    };
    return { batch, request, count, omitted };
  };

  return (principal: Principal, batchId: string, body: SheetsBody, create: Create): Promise<Reply> =>
    create({
      isLong: true,
      prepare: () => prepare(principal, batchId, body),
      async effect(tx, { batch, request, count, omitted }) {
        const { id: batchId, workspaceId } = batch;
        const jobId = sheetJobIds.create();
        await lockKept(tx, workspaceId);
        await requirePlace(tx, principal, sheetJobs);
        await insertJob(tx, { id: jobId, workspaceId, batchId, kind: sheetJobs, count });
        await insertExport(tx, jobId, workspaceId, request);
        const answer: z.output<typeof sheetsAnswer> = {
          jobId,
          batchId,
          count,
          pages: request.pages,
          omittedCaptions: [...omitted],
        };
        return { status: 202, headers: { location: locationOf(jobId) }, body: answer };
      },
    });
};
