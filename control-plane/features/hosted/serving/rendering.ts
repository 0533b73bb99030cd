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
  /** Takes the plain document of a page, for other processes. */
  keep(held: HeldPage, document: PageDocument): void;
  /** Told how many bytes a held page has more. */
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
  ): Promise<ServedDocument> => {
    onRendered(kind.kind);
    const url = `${qrHost}/${kind.segment}/${page.id}`;
    const images = await findImages(page.workspaceId, kind.imageUrls(page.content));
    const document = await kind.render(page, { url, variant, images });
    if (variant === '') keep(held, document);
    return createDocument(document);
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
      const making = render(kind, held, page, variant);
      held.documents.set(variant, making);
      making.then(
        (document) => onGrown(page.id, held, document.bytes),
        () => held.documents.delete(variant),
      );
      return making;
    },
  };
};
