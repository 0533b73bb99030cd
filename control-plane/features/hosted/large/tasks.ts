/**
 * The tasks that a thread does for large pages. Reading or rendering megabytes would block the event loop for a
 * second.
 */
import type { BodyLimit } from '../../../api/http/body.ts';
import type { HostedPage } from '../hosted-page.ts';
import type { RenderContext, UploadedImage } from '../page-kind.ts';
import type { ChangedPage, GivenChange, NewPage } from '../page-rules.ts';

/** Smaller pages take a few milliseconds, and are read and rendered on the event loop. */
export const largeBytes = 64 * 2 ** 10;

/** An image without its functions, which cannot be sent to a thread. */
export interface ImageData extends Pick<UploadedImage, 'width' | 'height' | 'widths' | 'placeholder'> {
  /** In the order of `widths`. */
  urls: Readonly<Record<'avif' | 'webp', readonly string[]>>;
}

export type LargeTask =
  | { do: 'create' | 'change'; bytes: Uint8Array; limit: BodyLimit }
  | { do: 'checkChanged'; sent: readonly string[]; changed: ChangedPage }
  | { do: 'outline'; contentText: string }
  | {
      do: 'render';
      page: HostedPage;
      context: Omit<RenderContext, 'images'> & { images: readonly (readonly [string, ImageData])[] };
    };

/** The facts about a page that are needed before it is rendered. */
export interface PageOutline {
  imageUrls: readonly string[];
  /** The choices for `variantOf`. */
  choices: unknown;
}

/** A page as it is sent, without a marker to fill. */
export interface LargeRenderedPage {
  bytes: Uint8Array<ArrayBuffer>;
  tag: string;
  contentSecurityPolicy: string;
}

/** URLs by the paths of their fields. */
export type Links = Readonly<Record<string, string | readonly string[]>>;

export interface ReadPage<Given extends NewPage | GivenChange> {
  given: Given;
  /** A digest of the body's bytes. */
  digest: string;
  links: Links;
}
