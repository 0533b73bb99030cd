/** A picture → one small WebP in a data URL, for pages that contain their pictures. */
import type { GivenImage } from '../given/given-image.ts';
import { decodeImage, measureImage } from './decode-image.ts';
import { type Pixels, pictureOf } from './fit-bytes.ts';
import type { Area } from './sizes.ts';

export interface SmallPictureBox {
  /** The maximum size in pixels. */
  width: number;
  height: number;
  /** `cover`: the middle of the picture in the proportions of the box. `inside`: the whole picture. */
  fit: 'cover' | 'inside';
  /** The limit for the WebP: it is in every page with the picture. */
  bytesMax: number;
}

export interface SmallPicture {
  /** Of a WebP. */
  dataUrl: string;
  /** Pixels. */
  width: number;
  height: number;
}

/** Lossy qualities, tried from the first; smaller sizes have the last. */
const qualities = [90, 80, 70, 60, 50, 40] as const;
/** Of noise, half the sides at the lowest quality take a third of what the whole takes. */
const smallerScales = [0.75, 0.5, 0.25] as const;

/** At least one pixel each way. */
const scaledBy = ({ width, height }: Area, scale: number): Area => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
});

/** Pixels are never added: browsers enlarge as well. */
const storedSize = (seen: Area, box: SmallPictureBox): Area => {
  const scale = Math.min(box.width / seen.width, box.height / seen.height);
  if (box.fit === 'inside') return scaledBy(seen, Math.min(1, scale));
  const covering = Math.max(box.width / seen.width, box.height / seen.height);
  return scaledBy(box, Math.min(1, 1 / covering));
};

/** The ways to encode it, from the best. */
function* attemptsOf(pixels: Pixels) {
  yield pictureOf(pixels).webp({ lossless: true, effort: 6 });
  for (const quality of qualities)
    yield pictureOf(pixels).webp({ quality, alphaQuality: quality, smartSubsample: true, effort: 6 });
  const quality = qualities.at(-1)!;
  for (const scale of smallerScales) {
    const { width, height } = scaledBy(pixels, scale);
    yield pictureOf(pixels).resize(width, height, { fit: 'fill' }).webp({ quality, alphaQuality: quality });
  }
}

/** @throws {Error} if even the smallest attempt does not fit, which has not happened with any picture */
const fitSmall = async (pixels: Pixels, bytesMax: number): Promise<Buffer> => {
  for (const attempt of attemptsOf(pixels)) {
    const bytes = await attempt.toBuffer();
    if (bytes.length <= bytesMax) return bytes;
  }
  throw new Error(
    `a picture of ${pixels.width} × ${pixels.height} pixels does not fit into ${bytesMax} bytes`,
  );
};

/** @throws {ClientError} UNPROCESSABLE naming `dataUrl` */
export const makeSmallPicture = async (given: GivenImage, box: SmallPictureBox): Promise<SmallPicture> => {
  const size = storedSize(await measureImage(given), box);
  const pixels = await decodeImage(given, size, box.fit === 'cover' ? 'cover' : 'fill');
  const bytes = await fitSmall(pixels, box.bytesMax);
  return { dataUrl: `data:image/webp;base64,${bytes.toString('base64')}`, ...size };
};
