/** The name of a picture: everything that it follows from, so that a changed style never meets an old picture. */
import { hash } from 'node:crypto';
import { formatOf, type ImageFormat } from '#schemas/api/images.ts';
import type { Style } from '#schemas/api/style.ts';
import { canonicalJson } from '#shared/canonical-json.ts';
import { type RenderRequest, sizeDefault } from '../../rendering/index.ts';
import type { BrandKit } from '../brand-kits/brand-kit.ts';

/** Changes whenever the same request is drawn differently, so that no client keeps the old picture. */
const drawingVersion = 5;

/** The parts of a style that decide about a picture, without its megabyte of logo. */
export interface StyleSummary {
  /** SHA-256 of all of the style. */
  digest: string;
  brandKitId: string | undefined;
  format: ImageFormat;
  /** Pixels; an absent one follows from the other and the frame. */
  width: number | undefined;
  height: number | undefined;
}

export const summaryOf = (style: Style | null): StyleSummary => {
  const { brandKitId, returnType, width, height } = style ?? {};
  return {
    // PostgreSQL keeps the keys of JSON in an order of its own.
    digest: hash('sha256', canonicalJson(style), 'base64url'),
    brandKitId,
    format: formatOf(returnType),
    ...(width === undefined && height === undefined
      ? { width: sizeDefault, height: sizeDefault }
      : { width, height }),
  };
};

/** The parts of a picture that a request chooses; an absent one is the style's. */
export interface Asked {
  format?: ImageFormat | undefined;
  /** Pixels of each side. */
  size?: number | undefined;
  /** Id of one of the code's sources. */
  source?: string | undefined;
}

/** A picture to draw, whatever it looks like. */
export type PictureRequest = Omit<RenderRequest, 'look'>;

/** @param url the URL that the pattern of the code encodes */
export const pictureRequest = (
  url: string,
  summary: StyleSummary,
  { format, size, source }: Asked,
): PictureRequest => ({
  payload: source === undefined ? url : `${url}?s=${encodeURIComponent(source)}`,
  format: format ?? summary.format,
  width: size ?? summary.width,
  height: size ?? summary.height,
});

export const pictureKey = (
  request: PictureRequest,
  { digest }: StyleSummary,
  kit: BrandKit | undefined,
): string =>
  hash(
    'sha256',
    canonicalJson([drawingVersion, request, digest, kit && `${kit.kitId} ${kit.version}`]),
    'base64url',
  );
