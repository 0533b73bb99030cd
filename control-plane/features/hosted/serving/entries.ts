/** What is held of pages, by what is known of them. */
import type { PageChange } from '../page-change.ts';
import { createDocument } from './documents.ts';
import { createHeldDocuments } from './held-documents.ts';
import type { Entry } from './held-pages.ts';
import type { LocatedPage } from './page-source.ts';

/** What a page takes beside its texts. */
const entryBytes = 1_000;

/** One that Redis alone vouches for is asked for with the next view. */
export const presence = (
  { page, revision, document, origin }: LocatedPage,
  askedAtMs: number,
  onResized: () => void,
): Entry => {
  const documents = createHeldDocuments(onResized);
  if (document)
    documents.hold('', Promise.resolve(createDocument(document, { onEncoded: documents.resized })));
  return {
    page,
    revision,
    documents,
    askedAtMs: origin === 'stale' ? Number.NEGATIVE_INFINITY : askedAtMs,
    ownBytes: entryBytes + (page.contentText ?? JSON.stringify(page.content)).length * 2,
  };
};

export const absence = (askedAtMs: number): Entry => ({
  page: undefined,
  revision: undefined,
  documents: createHeldDocuments(() => undefined),
  askedAtMs,
  ownBytes: entryBytes,
});

/** All that is known of a page that is paused, where its content is not to be had. */
export const barePaused = ({ id, kind, changedAtMs }: PageChange): Entry => {
  const updatedAt = new Date(changedAtMs);
  const page = { id, kind, workspaceId: '', name: '', status: 'paused', content: {}, version: 0 } as const;
  return { ...absence(changedAtMs), page: { ...page, createdAt: updatedAt, updatedAt } };
};
