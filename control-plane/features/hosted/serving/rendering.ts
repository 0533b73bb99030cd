/** Renders the variants of pages, each once. */

import type { HostedKind } from '#schemas/page-document.ts';
import type { Language } from '#shared/languages.ts';
import { yieldToOthers } from '../../../api/http/steps.ts';
import type { HostedPage } from '../hosted-page.ts';
import type { LargePages } from '../large/large-pages.ts';
import type { PageOutline } from '../large/tasks.ts';
import type { PageKind } from '../page-kind.ts';
import type { FindImages } from '../uploads/find-images.ts';
import { createLargeVariants, largePageBytes } from './large-variants.ts';
import type { HeldPage } from './pages.ts';
import { createLargeServedPage, createServedPage, type ServedPage } from './served-page.ts';

export interface RenderingOptions {
  /** The origin on which people open pages. */
  qrHost: string;
  /** The uploads that a page shows. */
  findImages: FindImages;
  onRendered(kind: HostedKind): void;
  /** Those of a kind that reads and renders large pages in a thread. */
  largePagesOf(module: string): LargePages;
}

/** Which variant of a page. */
export interface Asked {
  /** The query of the request. */
  search: string;
  /** The visitor's, where it decides (see `createPageLanguages`). */
  language: Language | undefined;
  /** Who is counted for what has to be rendered. */
  address(): string;
}

export interface Rendered {
  served: ServedPage;
  /** Whether all of its uploads are shown in their sizes. */
  isComplete: boolean;
}

export interface Rendering {
  /** The page as it is, made now. @param language see {@link Asked} @throws {ClientError} RATE_LIMITED, UNAVAILABLE */
  renderPlain<Content>(
    kind: PageKind<Content>,
    page: HostedPage<Content>,
    language: Language | undefined,
  ): Promise<Rendered>;
  /** @throws {ClientError} RATE_LIMITED */
  servedOf<Content>(
    kind: PageKind<Content>,
    held: HeldPage,
    page: HostedPage<Content>,
    asked: Asked,
  ): Promise<ServedPage>;
}

interface Variant {
  variant: string;
  language: Language | undefined;
}

/** How long a variant is held that shows an upload as it is, since the upload could not be looked up. */
const incompleteMs = 1_000;

export const createRendering = ({
  qrHost,
  findImages,
  onRendered,
  largePagesOf,
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
    page: HostedPage<Content>,
    { variant, language: visitorLanguage = 'en' }: Variant,
    onEncoded: () => void,
  ): Promise<Rendered> => {
    onRendered(kind.kind);
    const url = `${qrHost}/${kind.segment}/${page.id}`;
    const { imageUrls } = await outlineOf(kind, page);
    const { images, isComplete } = await findImages(page.workspaceId, imageUrls);
    const context = { url, variant, visitorLanguage, images };
    const options = { onEncoded, effort: variant === '' ? 'once' : 'often' } as const;
    if (kind.module !== undefined && page.contentText) {
      const large = await largePagesOf(kind.module).render(page, context);
      return { served: createLargeServedPage(large, options), isComplete };
    }
    // Of pages that are made at once, each has an iteration of the event loop.
    await yieldToOthers();
    return { served: createServedPage(await kind.render(page, context), options), isComplete };
  };

  const largeVariants = createLargeVariants();

  return {
    renderPlain: (kind, page, language) => render(kind, page, { variant: '', language }, () => undefined),
    async servedOf(kind, held, page, { search, language, address }) {
      const variant =
        search === '' || !kind.variantOf
          ? ''
          : kind.variantOf(new URLSearchParams(search), (await outlineOf(kind, page)).choices);
      const key = language === undefined || language === 'en' ? variant : `${language}\n${variant}`;
      const made = held.variants.of(key);
      if (made) return made;
      if (key !== '' && held.ownBytes > largePageBytes) largeVariants.take(address());
      const rendering = render(kind, page, { variant, language }, held.variants.resized);
      const making = rendering.then(({ served }) => served);
      held.variants.hold(key, making);
      rendering.then(
        ({ isComplete }) => {
          if (!isComplete) setTimeout(() => held.variants.forget(key, making), incompleteMs).unref();
        },
        () => undefined,
      );
      return making;
    },
  };
};
