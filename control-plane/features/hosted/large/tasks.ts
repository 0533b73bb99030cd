/** What a thread does for large pages: to read or render one of megabytes would hold everybody up for a second. */
import type { BodyLimit } from '../../../http/body.ts';
import type { HostedPage } from '../hosted-page.ts';
import type { RenderContext, UploadedImage } from '../page-kind.ts';
import type { ChangedPage, GivenChange, NewPage } from '../page-rules.ts';

/** Smaller ones take a few milliseconds, and are read and rendered on the event loop. */
export const largeBytes = 64 * 2 ** 10;

/** A page as it is held where its content is large. @param page with all of its content */
export const asLarge = (page: HostedPage): HostedPage => {
  const { theme } = page.content as { theme?: unknown };
  return { ...page, content: { theme }, contentText: JSON.stringify(page.content) };
};

/** An image without its functions. */
export interface ImageData extends Pick<UploadedImage, 'width' | 'height' | 'widths' | 'placeholder'> {
  /** By the widths. */
  urls: Readonly<Record<'avif' | 'webp', readonly string[]>>;
}

export type LargeTask =
  | { do: 'create' | 'change'; bytes: Uint8Array; limit: BodyLimit }
  | { do: 'settle'; sent: readonly string[]; changed: ChangedPage }
  | { do: 'outline'; contentText: string }
  | {
      do: 'render';
      page: HostedPage;
      context: Omit<RenderContext, 'images'> & { images: readonly (readonly [string, ImageData])[] };
    };

/** What has to be known of a page before it is rendered. */
export interface PageOutline {
  imageUrls: readonly string[];
  /** What its variants are chosen from. */
  choices: unknown;
}

/** A document as it is sent. No text takes the place of a marker in it. */
export interface LargeDocument {
  bytes: Uint8Array<ArrayBuffer>;
  tag: string;
  contentSecurityPolicy: string;
}

export interface ReadPage<Given extends NewPage | GivenChange> {
  given: Given;
  /** Of the bytes of the body. */
  digest: string;
}
