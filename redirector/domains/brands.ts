/** The brands of workspaces, for the pages of their codes. */
import { type BrandDocument, brandDocumentId } from '#schemas/documents.ts';
import type { Logger } from '#shared/logger.ts';
import type { Documents } from '../documents/document-store.ts';
import { type Brand, brandOf } from '../pages/index.ts';

export interface Brands {
  /** Null if the workspace has set nothing; undefined if it is not known, and has to be loaded. */
  held(workspaceId: string): Brand | null | undefined;
  /** The held one; if it is not known, it is loaded for the next page. */
  heldOrLoaded(workspaceId: string): Brand | undefined;
  /** Never rejects: if no source answers, pages are neutral. */
  load(workspaceId: string): Promise<Brand | null>;
}

/** After a failed lookup, pages are neutral meanwhile: each would wait for the same failure. */
const pauseMs = 1000;

/** @param now a clock that is never set, in ms */
export const createBrands = (
  documents: Pick<Documents<BrandDocument>, 'held' | 'load'>,
  logger: Logger,
  now: () => number = () => performance.now(),
): Brands => {
  const compiled = new WeakMap<BrandDocument, Brand>();
  let pausedUntilMs = Number.NEGATIVE_INFINITY;

  const compile = (document: BrandDocument | null): Brand | null => {
    if (!document?.brand) return null;
    const { id, version } = document;
    const brand = compiled.get(document) ?? brandOf(`${id} ${version}`, document.brand);
    compiled.set(document, brand);
    return brand;
  };

  const held = (workspaceId: string): Brand | null | undefined => {
    const document = documents.held(brandDocumentId(workspaceId));
    if (document !== undefined) return compile(document);
    return now() < pausedUntilMs ? null : undefined;
  };

  const load = async (workspaceId: string): Promise<Brand | null> => {
    try {
      return compile(await documents.load(brandDocumentId(workspaceId)));
    } catch (error) {
      pausedUntilMs = now() + pauseMs;
      logger.debug({ err: error, workspaceId }, 'could not look up a brand: pages are neutral');
      return null;
    }
  };

  return {
    held,
    heldOrLoaded(workspaceId) {
      const brand = held(workspaceId);
      if (brand === undefined) void load(workspaceId);
      return brand ?? undefined;
    },
    load,
  };
};
