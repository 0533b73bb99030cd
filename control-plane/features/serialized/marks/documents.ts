/**
 * The documents of marks. A redirector has to know the mark of any item that is scanned, within the time in which it learns of
 * other changes, and with little memory for batches of which few items are marked.
 *
 * All items of a batch may be marked: 50,000, as many as a batch has (`mintCountMax`). They are on pages by the last character of
 * the item's id, which is random: 58 pages a batch, of which those exist that have had a mark. The document of the batch names
 * them, one character each, so an item whose page does not exist costs no lookup. The size of a page follows the marks, not the
 * items: of a batch with millions of items it would be the same. Sizes for 1, 1,000 and 50,000 marks, in bytes:
 *
 *   pages (this)                    the largest one 77, 425, 11,200: this is what a change of one mark writes. Read in 0.1 ms
 *   in the document of the batch    77, 12,100, 600,000: rewritten with each mark, and with each change of the batch
 *   a document for each item        54 each. But an unmarked item has none, and Redis alone cannot say so: each scan of one
 *                                   would ask the control plane, and would have no verdict while that is away
 *   a bitmap by position            16,700 for any number of marks. But a claimed item's position is known neither from its
 *                                   id nor from Redis
 *
 * The change stream has only the version of a page: a call that marks 500 items changes all 58.
 */
import { markDocumentId, markDocuments } from '#schemas/documents.ts';
import type { MarkPage } from '#schemas/verification.ts';
import { markPageOf } from '#schemas/verification.ts';
import type { SourceOfDocuments } from '../../../publishing/documents.ts';
import { readPages } from './store.ts';

const idShape = /^marks:batch_[1-9A-HJ-NP-Za-km-z]{16}\/[1-9A-HJ-NP-Za-km-z]$/;

/** The id of the page that an item of a batch is on. */
export const pageIdOf = (batchId: string, itemId: string): string =>
  markDocumentId(batchId, markPageOf(itemId));

export const markDocumentSource: SourceOfDocuments<MarkPage> = {
  ...markDocuments,
  isIdShaped: (id) => idShape.test(id),
  build: async (db, ids) =>
    (await readPages(db, ids)).map(({ id, version, recalled, stolen, returned }) => ({
      id,
      version,
      ...(recalled !== null && { recalled }),
      ...(stolen !== null && { stolen }),
      ...(returned !== null && { returned }),
    })),
};
