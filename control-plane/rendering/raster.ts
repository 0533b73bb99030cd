/** SVG → pixels, by librsvg, and pixels → files, by libvips; both within sharp. */
import sharp, { type Sharp } from 'sharp';

// One thread for one picture, and nothing kept: the pool decides how many are drawn at once, and a picture is never
// drawn twice from the same source. Without this memory grows with the number of different pictures.
sharp.concurrency(1);
sharp.cache(false);

export interface Pixels {
  /** Red, green, blue and alpha, a byte each. */
  data: Buffer;
  width: number;
  height: number;
}

export type RasterFormat = 'png' | 'webp' | 'jpg';

/** @param svg whose width and height are the picture's size in pixels */
export const rasterise = async (svg: string): Promise<Pixels> => {
  const { data, info } = await sharp(Buffer.from(svg))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};

const isOpaque = ({ data }: Pixels): boolean => {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
};

const encoders: Record<RasterFormat, (picture: Sharp) => Sharp> = {
  // Level 6 takes twice the time for a picture that is smaller by a tenth.
  png: (picture) => picture.png({ compressionLevel: 3 }),
  // Lossless, since rings round modules are what readers stumble over; its default effort takes seconds at 4096 pixels.
  webp: (picture) => picture.webp({ lossless: true, effort: 0 }),
  // Full resolution of colours: the eyes of a code can be of one.
  jpg: (picture) =>
    picture.flatten({ background: '#ffffff' }).jpeg({ quality: 92, chromaSubsampling: '4:4:4' }),
};

/** A file of the same picture; a JPEG lies on white where the picture is transparent. */
export const encodePixels = (pixels: Pixels, format: RasterFormat): Promise<Buffer> => {
  const { data, width, height } = pixels;
  const raw = sharp(data, { raw: { width, height, channels: 4 } });
  const picture = format !== 'jpg' && isOpaque(pixels) ? raw.removeAlpha() : raw;
  return encoders[format](picture).toBuffer();
};

/** @param svg whose width and height are the picture's size in pixels */
export const toPng = async (svg: string): Promise<Buffer> => encodePixels(await rasterise(svg), 'png');
