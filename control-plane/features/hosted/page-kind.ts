/** The parts of serving that differ per kind of hosted page. */

import type { HostedKind } from '#schemas/page-document.ts';
import type { Language } from '#shared/languages.ts';
import type { RenderedPage } from '#shared/pages/shell.ts';
import type { HostedPage } from './hosted-page.ts';

export interface PageKind<Content> {
  readonly kind: HostedKind;
  /** The page's path is `/{segment}/{id}`. */
  readonly segment: 'p' | 'f' | 'm';
  isIdShaped(id: string): boolean;
  /** The images that the page shows. Uploads of ours are looked up for their widths and placeholder. */
  imageUrls(content: Content): readonly string[];
  /** The part of the content that `variantOf` needs. */
  choicesOf?(content: Content): unknown;
  /** The canonical form of the variant that a query asks for; '' is the page unfiltered. Default: always ''. */
  variantOf?(query: URLSearchParams, choices: unknown): string;
  /**
   * The language of its texts; undefined if unclear, and then the shell is in the visitor's language. Default:
   * English.
   */
  languageOf?(page: HostedPage<Content>): Language | undefined;
  /**
   * The same page and context give the same rendered page. A large one is rendered in steps, between which other work
   * runs.
   */
  render(page: HostedPage<Content>, context: RenderContext): RenderedPage | Promise<RenderedPage>;
  /**
   * URL of a module that reads and renders large pages in a thread (large/in-thread.ts). Such a page is not filled.
   */
  readonly module?: string;
  /** HTML that replaces {@link fillMarker} in each response, such as a form's token. */
  fill?(page: HostedPage<Content>, view: PageView): string;
}

export interface RenderContext {
  /** The page's public URL. */
  url: string;
  variant: string;
  /** The visitor's, for pages whose own language is unclear. Default: English. */
  visitorLanguage?: Language;
  /** Our uploads, by URL. */
  images: ReadonlyMap<string, UploadedImage>;
}

/** One request for a page. */
export interface PageView {
  now: Date;
  /** The Referer header, cut to a bounded length. */
  referrer: string;
}

/** Occurs at most once in a rendered page. Owners' texts cannot contain it, since `<` is escaped. */
export const fillMarker = '<!--fill-->';

/** An uploaded image, in all of its sizes. */
export interface UploadedImage {
  /** Of the largest size, in pixels. */
  width: number;
  height: number;
  /** Ascending, in pixels. */
  widths: readonly number[];
  /** The URL of a size. */
  urlOf(width: number, format: 'avif' | 'webp'): string;
  /** A tiny blurred picture as a data: URL; empty if the picture has transparency. */
  placeholder: string;
}
