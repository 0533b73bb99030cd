/** The name of a picture contains everything that it depends on, so that a changed style never gets an old picture. */
import { hash } from 'node:crypto';
import { formatOf, type ImageFormat } from '#schemas/api/images.ts';
import type { Style } from '#schemas/api/style.ts';
import { canonicalJson } from '#shared/canonical-json.ts';
import { type RenderRequest, sizeDefault } from '../../rendering/index.ts';
import type { BrandKit } from '../brand-kits/brand-kit.ts';

/** Increased whenever the same request is drawn differently, so that no client keeps the old picture. */
const drawingVersion = 6;

/** Pixels; an absent side follows from the other and the frame. */
export interface Sides {
  width: number | undefined;
  height: number | undefined;
}

/** The parts of a style that affect a picture, without its megabyte of logo. */
export interface StyleSummary extends Sides {
  /** SHA-256 of the whole style. */
  digest: string;
  brandKitId: string | undefined;
  format: ImageFormat;
}

export const summaryOf = (style: Style | null): StyleSummary => {
  const { brandKitId, returnType, width, height } = style ?? {};
  return {
    // PostgreSQL stores the keys of JSON in its own order.
    digest: hash('sha256', canonicalJson(style), 'base64url'),
    brandKitId,
    format: formatOf(returnType),
    ...(width === undefined && height === undefined
      ? { width: sizeDefault, height: sizeDefault }
      : { width, height }),
  };
};

/** The parts of a picture that a request chooses; an absent part comes from the style. */
export interface Asked {
  format?: ImageFormat | undefined;
  /** Pixels of each side. */
  size?: number | undefined;
  /** Pixels, if there is no `size`: see {@link Sides}. */
  width?: number | undefined;
  height?: number | undefined;
  /** Id of one of the code's sources. */
  source?: string | undefined;
}

/** A picture to draw, without its look. */
export type PictureRequest = Omit<RenderRequest, 'look'>;

const sidesOf = ({ size, width, height }: Asked, saved: StyleSummary): Sides => {
  if (size !== undefined) return { width: size, height: size };
  return width === undefined && height === undefined ? saved : { width, height };
};

/** @param url the URL that the pattern of the code encodes */
export const pictureRequest = (url: string, summary: StyleSummary, asked: Asked): PictureRequest => {
  const { format, source } = asked;
  const { width, height } = sidesOf(asked, summary);
  return {
    payload: source === undefined ? url : `${url}?s=${encodeURIComponent(source)}`,
    format: format ?? summary.format,
    width,
    height,
  };
};

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
