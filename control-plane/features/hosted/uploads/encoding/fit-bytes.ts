/** Pixels → a file of at most a given number of bytes. */
import sharp, { type Sharp } from 'sharp';
import type { KeptFormat } from '../addresses.ts';
import type { Size } from './sizes.ts';

/** Pixels in memory, sRGB, 8 bits. */
export interface Pixels {
  data: Buffer;
  width: number;
  height: number;
  /** 3, or 4 with alpha. */
  channels: 3 | 4;
}

interface Encoder {
  encode(picture: Sharp, quality: number): Sharp;
  /** The highest quality that is tried, and the lowest that is acceptable. */
  qualityMax: number;
  qualityMin: number;
}

const encoders: Readonly<Record<KeptFormat, Encoder>> = {
  // Effort 0: a third of the time of effort 1, for 5% more bytes.
  avif: {
    encode: (picture, quality) => picture.avif({ quality, effort: 0, chromaSubsampling: '4:2:0' }),
    qualityMax: 50,
    qualityMin: 18,
  },
  webp: {
    encode: (picture, quality) => picture.webp({ quality, effort: 2 }),
    qualityMax: 75,
    qualityMin: 25,
  },
  jpg: {
    encode: (picture, quality) =>
      picture.flatten({ background: '#ffffff' }).jpeg({ quality, progressive: true }),
    qualityMax: 82,
    qualityMin: 30,
  },
};

/** The target, as a share of the limit, after an attempt was too large. */
const slack = 0.95;
/**
 * Attempts at a lower quality. After these, the picture is blurred a little to remove noise, which takes the most
 * bytes.
 */
const sharpAttemptsMax = 3;
const blurSigmas = [1.2, 3, 8, 20] as const;

export const pictureOf = ({ data, width, height, channels }: Pixels): Sharp =>
  sharp(data, { raw: { width, height, channels } });

export interface Fitted {
  bytes: Buffer;
  /** A good quality to start the next smaller or larger size with. */
  quality: number;
}

/**
 * @param begin the quality of the first attempt; default: the highest
 * @throws {Error} if even the blurred picture does not fit, which has not happened with any picture
 */
export const fitBytes = async (
  pixels: Pixels,
  { width, height, bytesMax }: Size,
  format: KeptFormat,
  begin?: number,
): Promise<Fitted> => {
  const { encode, qualityMax, qualityMin } = encoders[format];
  const sized = () => pictureOf(pixels).resize(width, height, { fit: 'fill' });
  let quality = Math.min(begin ?? qualityMax, qualityMax);
  for (let attempts = 1; attempts <= sharpAttemptsMax; attempts++) {
    const bytes = await encode(sized(), quality).toBuffer();
    if (bytes.length <= bytesMax) return { bytes, quality };
    if (quality === qualityMin) break;
    quality = Math.max(qualityMin, Math.floor(quality * ((bytesMax * slack) / bytes.length) ** 0.7));
  }
  for (const sigma of blurSigmas) {
    const bytes = await encode(sized().blur(sigma), qualityMin).toBuffer();
    if (bytes.length <= bytesMax) return { bytes, quality: qualityMin };
  }
  throw new Error(
    `a picture of ${width} × ${height} pixels does not fit into ${bytesMax} bytes of ${format}`,
  );
};
