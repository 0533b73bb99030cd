/** The PDF of sheets, made of the files that have their pages. */
import { sheetPdfBytesMax } from '#schemas/api/serialized-sheets.ts';
import type { Pool } from '../../../../platform/db/pool.ts';
import type { Storage } from '../../../../platform/storage/storage.ts';
import { sheetDocument } from '../../../../rendering/index.ts';
import { listParts } from '../../exports/store/parts.ts';
import { PictureRefusal } from '../../exports/work/drawing.ts';
import { pdfKey } from './keys.ts';
import { readPages } from './page-file.ts';
import type { SheetWork } from './request.ts';

export interface PdfOptions {
  pool: Pool;
  storage: Storage;
}

async function* storedPages({ pool, storage }: PdfOptions, jobId: string): AsyncGenerator<Buffer[]> {
  for (const { key } of await listParts(pool, jobId)) {
    const file = await storage.get(key);
    if (!file) throw new Error(`the storage has no ${key}; do all control planes have the same STORAGE_URL?`);
    const stream = await file.read();
    try {
      yield* readPages(stream, key);
    } finally {
      stream.destroy();
    }
  }
}

/** @returns its bytes @throws {PictureRefusal} for one that is too large; {StorageFailure} */
export const storePdf = async (
  options: PdfOptions,
  { job, batchId, request }: SheetWork,
): Promise<number> => {
  const { design } = request;
  const sheet = { design, title: `${batchId}: ${job.total} codes`, createdAt: job.createdAt };
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of sheetDocument(sheet, storedPages(options, job.id))) {
      bytes += chunk.length;
      if (bytes > sheetPdfBytesMax)
        throw new PictureRefusal(
          `The PDF would have more than ${sheetPdfBytesMax / 2 ** 20} MB: ask for fewer items at once by from and to`,
        );
      yield chunk;
    }
  }
  await options.storage.put(pdfKey(job.id), counted());
  return bytes;
};
