/** Makes documents of pages, each once. */
import type { HostedKind, HostedPage } from '../hosted-page.ts';
import type { PageDocument, PageKind } from '../page-kind.ts';
import type { FindImages } from '../uploads/find-images.ts';
import { createDocument, type ServedDocument } from './documents.ts';
import type { HeldPage } from './held-pages.ts';

export interface RenderingOptions {
  /** The origin on which people open pages. */
  qrHost: string;
  /** The uploads that a page shows. */
  findImages: FindImages;
  onRendered(kind: HostedKind): void;
  /** Takes the plain document of a page, for other processes, where it is complete. */
  keep(held: HeldPage, document: PageDocument): void;
  /** Told how many bytes a held page has more, for as long as it is held. */
  onGrown(id: string, held: HeldPage, bytes: number): void;
}

export interface Rendering {
  /** @param search the query of the request */
  documentOf<Content>(
    kind: PageKind<Content>,
    held: HeldPage,
    page: HostedPage<Content>,
    search: string,
  ): Promise<ServedDocument>;
}

interface Rendered {
  document: ServedDocument;
  /** Whether all of its uploads are shown in their sizes. */
  isComplete: boolean;
}

/** A document that shows an upload as it is, since the upload could not be looked up, is held for so long: it costs little then. */
const incompleteMs = 1_000;

/** Of a page that is held; the plain one is one of them. Whoever makes up queries displaces those of others. */
const variantsMax = 8;

export const createRendering = ({
  qrHost,
  findImages,
  onRendered,
  keep,
  onGrown,
}: RenderingOptions): Rendering => {
  const render = async <Content>(
    kind: PageKind<Content>,
    held: HeldPage,
    page: HostedPage<Content>,
    variant: string,
  ): Promise<Rendered> => {
    onRendered(kind.kind);
    const url = `${qrHost}/${kind.segment}/${page.id}`;
    const { images, isComplete } = await findImages(page.workspaceId, kind.imageUrls(page.content));
    const document = await kind.render(page, { url, variant, images });
    if (variant === '' && isComplete) keep(held, document);
    return { document: createDocument(document), isComplete };
  };

  const displace = (held: HeldPage): void => {
    if (held.documents.size < variantsMax) return;
    const oldest = held.documents.keys().find((variant) => variant !== '');
    if (oldest !== undefined) held.documents.delete(oldest);
  };

  return {
    documentOf(kind, held, page, search) {
      const variant =
        search === '' ? '' : (kind.variantOf?.(new URLSearchParams(search), page.content) ?? '');
      const made = held.documents.get(variant);
      if (made) return made;
      displace(held);
      const rendering = render(kind, held, page, variant);
      const making = rendering.then(({ document }) => document);
      held.documents.set(variant, making);
      const forget = () => {
        if (held.documents.get(variant) === making) held.documents.delete(variant);
      };
      rendering.then(({ document, isComplete }) => {
        if (isComplete) onGrown(page.id, held, document.bytes);
        else setTimeout(forget, incompleteMs).unref();
      }, forget);
      return making;
    },
  };
};
