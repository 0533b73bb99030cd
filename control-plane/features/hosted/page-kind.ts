/** What a kind of hosted pages adds to the serving that all kinds share. */
import type { Language } from '#shared/languages.ts';
import type { HostedKind, HostedPage } from './hosted-page.ts';

export interface PageKind<Content> {
  readonly kind: HostedKind;
  /** The page's path is `/{segment}/{id}`. */
  readonly segment: 'p' | 'f' | 'm';
  isIdShaped(id: string): boolean;
  /** The images that the page shows: those that are uploads of ours are looked up for their widths and placeholder. */
  imageUrls(content: Content): readonly string[];
  /** What of a page `variantOf` needs. */
  choicesOf?(content: Content): unknown;
  /** Which document a query asks for, in a canonical form: '' is the page as it is. Default: always ''. */
  variantOf?(query: URLSearchParams, choices: unknown): string;
  /** The language of its texts; undefined where they do not tell: then the shell is in the visitor's. Default: English. */
  languageOf?(page: HostedPage<Content>): Language | undefined;
  /** The same page and context make the same document. A large one is made in steps, between which others have their turn. */
  render(page: HostedPage<Content>, context: RenderContext): PageDocument | Promise<PageDocument>;
  /** The address of a module that reads and renders large pages in a thread (large/in-thread.ts). Such a page is not filled. */
  readonly module?: string;
  /** The text that takes the place of {@link fillMarker} in each answer, such as a form's token. It is HTML. */
  fill?(page: HostedPage<Content>, view: PageView): string;
}

export interface RenderContext {
  /** The page as the world sees it. */
  url: string;
  variant: string;
  /** The visitor's, for pages whose texts do not tell theirs. Default: English. */
  visitorLanguage?: Language;
  /** Uploads of ours by their URL. */
  images: ReadonlyMap<string, UploadedImage>;
}

/** One request for a page. */
export interface PageView {
  now: Date;
  /** The Referer header, cut to a bounded length. */
  referrer: string;
}

export interface PageDocument {
  html: string;
  contentSecurityPolicy: string;
}

/** In a document at most once. No text of an owner can contain it, since `<` is escaped. */
export const fillMarker = '<!--fill-->';

/** An image that was uploaded, in all of its sizes. */
export interface UploadedImage {
  /** Of the largest size, in pixels. */
  width: number;
  height: number;
  /** Ascending, in pixels. */
  widths: readonly number[];
  /** The URL of a size. */
  urlOf(width: number, format: 'avif' | 'webp'): string;
  /** A tiny blurred picture as a data: URL; empty where the picture is transparent somewhere. */
  placeholder: string;
}
