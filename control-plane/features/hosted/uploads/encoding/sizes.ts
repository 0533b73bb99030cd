/** The sizes in which an image is stored, and the byte limit of each. */
import type { LandingImageKind } from '#schemas/api/landing-image.ts';

export interface Size {
  /** Pixels. */
  width: number;
  height: number;
  /** The limit for the AVIF, and for the WebP. */
  bytesMax: number;
}

/**
 * Widths in pixels with their byte limits. Phones with three pixels per point take the largest: over a 1.6 Mbit/s
 * line with 150 ms latency, 220 kB of noise were painted after 1.44 s, and each 10 kB less saves 50 ms.
 */
const heroWidths = [
  { width: 640, bytesMax: 60_000 },
  { width: 1080, bytesMax: 120_000 },
  { width: 1600, bytesMax: 170_000 },
] as const;

const avatarSides = [
  { width: 96, bytesMax: 6_000 },
  { width: 192, bytesMax: 16_000 },
  { width: 384, bytesMax: 40_000 },
] as const;

/** The maximum width of the JPEG. */
const jpegWidths = { hero: 1200, avatar: 384 } as const;

/** Other widths occur only for pictures smaller than the largest size. */
export const usualWidths: ReadonlySet<number> = new Set([
  ...[...heroWidths, ...avatarSides].map(({ width }) => width),
  ...Object.values(jpegWidths),
]);

/** The maximum ratio of a hero's height to its width: of a higher one, the middle is kept. No screen shows more. */
const heroHeightShareMax = 2;

/** A width is left out if the next one is hardly larger. */
const nearShare = 1.25;

export interface Area {
  width: number;
  height: number;
}

/** The part of a picture that is kept: a hero without its excess height, the middle square of an avatar. */
export const keptArea = (kind: LandingImageKind, { width, height }: Area): Area => {
  const heightMax = kind === 'avatar' ? width : width * heroHeightShareMax;
  return { width: kind === 'avatar' ? Math.min(width, height) : width, height: Math.min(height, heightMax) };
};

/** Ascending, and none larger than the picture. @param area see {@link keptArea} */
export const sizesOf = (kind: LandingImageKind, area: Area): Size[] => {
  const widths = kind === 'hero' ? heroWidths : avatarSides;
  const largest = Math.min(area.width, widths.at(-1)!.width);
  const sizeOf = (width: number): Size => ({
    width,
    height: Math.max(1, Math.round((area.height * width) / area.width)),
    bytesMax: widths.find((one) => one.width >= width)!.bytesMax,
  });
  const smaller = widths.filter(({ width }) => width * nearShare <= largest && width < largest);
  return [...smaller.map(({ width }) => sizeOf(width)), sizeOf(largest)];
};

/**
 * The JPEG for readers that need one: the page's URL, and the picture of link previews. Their fetchers ask for 1200
 * pixels, all accept JPEG, and one of them skips pictures of more than 300 kB.
 */
export const jpegSizeOf = (kind: LandingImageKind, area: Area): Size => {
  const width = Math.min(area.width, jpegWidths[kind]);
  return {
    width,
    height: Math.max(1, Math.round((area.height * width) / area.width)),
    bytesMax: kind === 'hero' ? 250_000 : 60_000,
  };
};
