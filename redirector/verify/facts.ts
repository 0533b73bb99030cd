/** What documents say of an item: its batch, and the mark on the item itself. */
import { markDocumentId } from '#schemas/documents.ts';
import { type BatchRecord, type ItemMark, type MarkPage, markOn, markPageOf } from '#schemas/verification.ts';
import type { Logger } from '#shared/logger.ts';
import type { Documents } from '../documents/document-store.ts';

export interface Facts {
  readonly batch: BatchRecord;
  readonly mark: ItemMark | null;
}

export interface FactsOf {
  /** The facts, if they are in memory. */
  held(batchId: string, itemId: string): Facts | undefined;
  /** @returns undefined if one of the documents cannot be loaded: then there is no verdict */
  load(batchId: string, itemId: string): Promise<Facts | undefined>;
}

type Readable<Body extends BatchRecord | MarkPage> = Pick<Documents<Body>, 'held' | 'load'>;

export interface FactSources {
  batches: Readable<BatchRecord>;
  marks: Readable<MarkPage>;
}

/** The id of the page that an item is on; undefined if its batch has no such page. */
const pageIdOf = ({ id, markPages = '' }: BatchRecord, itemId: string): string | undefined => {
  const page = markPageOf(itemId);
  return markPages.includes(page) ? markDocumentId(id, page) : undefined;
};

export const createFacts = ({ batches, marks }: FactSources, logger: Logger): FactsOf => {
  const held: FactsOf['held'] = (batchId, itemId) => {
    const batch = batches.held(batchId);
    if (!batch) return undefined;
    const pageId = pageIdOf(batch, itemId);
    if (pageId === undefined) return { batch, mark: null };
    const page = marks.held(pageId);
    return page ? { batch, mark: markOn(page, itemId) } : undefined;
  };

  const load = async (batchId: string, itemId: string): Promise<Facts | undefined> => {
    const batch = batches.held(batchId) ?? (await batches.load(batchId));
    if (!batch) return undefined;
    const pageId = pageIdOf(batch, itemId);
    if (pageId === undefined) return { batch, mark: null };
    const page = marks.held(pageId) ?? (await marks.load(pageId));
    // A page that the batch names exists, unless a backup was restored.
    return { batch, mark: page && markOn(page, itemId) };
  };

  return {
    held,
    async load(batchId, itemId) {
      try {
        return await load(batchId, itemId);
      } catch (error) {
        logger.debug({ err: error, id: batchId }, 'could not look up a batch or its marks');
        return undefined;
      }
    },
  };
};
