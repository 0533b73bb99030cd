/** Makes documents of pages, each once. */
import type { Language } from '#shared/languages.ts';
import type { HostedKind, HostedPage } from '../hosted-page.ts';
import type { LargePages } from '../large/large-pages.ts';
import type { PageOutline } from '../large/tasks.ts';
import type { PageDocument, PageKind } from '../page-kind.ts';
import type { FindImages } from '../uploads/find-images.ts';
import { createDocument, createLargeDocument, type ServedDocument } from './documents.ts';
import type { HeldPage } from './held-pages.ts';
import { createLargeVariants, largePageBytes } from './large-variants.ts';

export interface RenderingOptions {
  /** The origin on which people open pages. */
  qrHost: string;
  /** The uploads that a page shows. */
  findImages: FindImages;
  onRendered(kind: HostedKind): void;
  /** Those of a kind that reads and renders large pages in a thread. */
  largePagesOf(module: string): LargePages;
  /** Takes the plain document of a page, for other processes, where it is complete. */
  keep(held: HeldPage, document: PageDocument): void;
}

/** Which document of a page. */
export interface Asked {
  /** The query of the request. */
  search: string;
  /** The visitor's, where it decides (see `createPageLanguages`). */
  language: Language | undefined;
  /** Who is counted for what has to be rendered. */
  address(): string;
}

export interface Rendered {
  document: ServedDocument;
  /** Whether all of its uploads are shown in their sizes. */
  isComplete: boolean;
}

export interface Rendering {
  /** The page as it is, made now. @param language see {@link Asked} @throws {ClientError} RATE_LIMITED, UNAVAILABLE */
  renderPlain<Content>(
    kind: PageKind<Content>,
    held: HeldPage,
    page: HostedPage<Content>,
    language: Language | undefined,
  ): Promise<Rendered>;
  /** @throws {ClientError} RATE_LIMITED */
  documentOf<Content>(
    kind: PageKind<Content>,
    held: HeldPage,
    page: HostedPage<Content>,
    asked: Asked,
  ): Promise<ServedDocument>;
}

interface Variant {
  variant: string;
  language: Language | undefined;
}

/** A document that shows an upload as it is, since the upload could not be looked up, is held for so long: it costs little then. */
const incompleteMs = 1_000;

/** Larger ones are not kept for others. */
const keptBytesMax = 2 ** 20;

export const createRendering = ({
  qrHost,
  findImages,
  onRendered,
  largePagesOf,
  keep,
}: RenderingOptions): Rendering => {
  /** Of versions of pages. */
  const outlines = new WeakMap<object, Promise<PageOutline>>();

  const makeOutline = async <Content>(
    kind: PageKind<Content>,
    page: HostedPage<Content>,
  ): Promise<PageOutline> =>
    kind.module !== undefined && page.contentText
      ? largePagesOf(kind.module).outline(page)
      : { imageUrls: kind.imageUrls(page.content), choices: kind.choicesOf?.(page.content) };

  const outlineOf = <Content>(kind: PageKind<Content>, page: HostedPage<Content>): Promise<PageOutline> => {
    const known = outlines.get(page);
    if (known) return known;
    const making = makeOutline(kind, page);
    outlines.set(page, making);
    making.catch(() => outlines.delete(page));
    return making;
  };

  const render = async <Content>(
    kind: PageKind<Content>,
    held: HeldPage,
    page: HostedPage<Content>,
    { variant, language: visitorLanguage = 'en' }: Variant,
  ): Promise<Rendered> => {
    onRendered(kind.kind);
    const url = `${qrHost}/${kind.segment}/${page.id}`;
    const { imageUrls } = await outlineOf(kind, page);
    const { images, isComplete } = await findImages(page.workspaceId, imageUrls);
    const context = { url, variant, visitorLanguage, images };
    const isPlain = variant === '' && visitorLanguage === 'en';
    const options = { onEncoded: held.documents.resized, effort: isPlain ? 'once' : 'often' } as const;
    if (kind.module !== undefined && page.contentText) {
      const large = await largePagesOf(kind.module).render(page, context);
      const { bytes, contentSecurityPolicy } = large;
      if (isPlain && isComplete && bytes.length < keptBytesMax)
        keep(held, { html: new TextDecoder().decode(bytes), contentSecurityPolicy });
      return { document: createLargeDocument(large, options), isComplete };
    }
    const document = await kind.render(page, context);
    if (isPlain && isComplete) keep(held, document);
    return { document: createDocument(document, options), isComplete };
  };

  const largeVariants = createLargeVariants();

  return {
    renderPlain: (kind, held, page, language) => render(kind, held, page, { variant: '', language }),
    async documentOf(kind, held, page, { search, language, address }) {
      const variant =
        search === '' || !kind.variantOf
          ? ''
          : kind.variantOf(new URLSearchParams(search), (await outlineOf(kind, page)).choices);
      const key = language === undefined || language === 'en' ? variant : `${language}\n${variant}`;
      const made = held.documents.of(key);
      if (made) return made;
      if (key !== '' && held.ownBytes > largePageBytes) largeVariants.take(address());
      const rendering = render(kind, held, page, { variant, language });
      const making = rendering.then(({ document }) => document);
      held.documents.hold(key, making);
      rendering.then(
        ({ isComplete }) => {
          if (!isComplete) setTimeout(() => held.documents.forget(key, making), incompleteMs).unref();
        },
        () => undefined,
      );
      return making;
    },
  };
};
