/** The brands of workspaces, for the pages of their codes. */
import { type BrandDocument, brandDocumentId } from '#schemas/documents.ts';
import type { Logger } from '#shared/logger.ts';
import type { DocumentStore } from '../documents/document-store.ts';
import { createAbsences } from '../held/absences.ts';
import { type Brand, brandOf } from '../pages/index.ts';

export interface Brands {
  /** Null if the workspace has set nothing; undefined if it is not known, and has to be loaded. */
  held(workspaceId: string): Brand | null | undefined;
  /** The held one; if it is not known, it is loaded for the next page. */
  heldOrLoaded(workspaceId: string): Brand | undefined;
  /** Never rejects: if no source answers, pages are neutral. */
  load(workspaceId: string): Promise<Brand | null>;
}

/**
 * After a failed lookup, pages are neutral meanwhile: each would wait for the same failure. While the control plane does
 * not answer, these are the pages of all workspaces; a document that cannot be read concerns its own workspace only.
 */
const pauseMs = 1000;
const pausedMax = 10_000;

/** @param now a clock that is never set, in ms */
export const createBrands = (
  documents: Pick<DocumentStore<BrandDocument>, 'held' | 'load' | 'statistics'>,
  logger: Logger,
  now: () => number = () => performance.now(),
): Brands => {
  const compiled = new WeakMap<BrandDocument, Brand>();
  const paused = createAbsences({ absentMax: pausedMax, absentMs: pauseMs });
  let allPausedUntilMs = Number.NEGATIVE_INFINITY;

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
    return now() < allPausedUntilMs || paused.has(workspaceId, now()) ? null : undefined;
  };

  const load = async (workspaceId: string): Promise<Brand | null> => {
    try {
      return compile(await documents.load(brandDocumentId(workspaceId)));
    } catch (error) {
      if (documents.statistics.truthAway) allPausedUntilMs = now() + pauseMs;
      else paused.hold(workspaceId, now());
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
