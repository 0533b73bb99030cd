/** A picture → the logo that is in every page of its owner. */
import { logoBytesMax, logoDensity, logoShown } from '#schemas/api/brand-logo.ts';
import type { GivenImage } from '../given/given-image.ts';
import { decodeImage, measureImage } from './decode-image.ts';
import { type Pixels, pictureOf } from './fit-bytes.ts';
import type { Area } from './sizes.ts';

export interface EncodedLogo {
  /** Of a WebP. */
  dataUrl: string;
  /** As shown, in CSS pixels. */
  width: number;
  height: number;
}

/** The size in a box, whole and at least one pixel each way. */
const scaledBy = ({ width, height }: Area, scale: number): Area => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
});

const scaleInto = ({ width, height }: Area, box: Area): number =>
  Math.min(box.width / width, box.height / height);

const shownBox = { width: logoShown.widthMax, height: logoShown.height };
const storedBox = scaledBy(shownBox, logoDensity);

/** Lossy qualities, tried from the first; the last one is that of the smaller sizes. */
const qualities = [90, 80, 70, 60, 50, 40] as const;
/** Noise in four channels takes 5,600 bytes at half the sides. */
const smallerScales = [0.75, 0.5, 0.25] as const;

/** The ways to encode it, from the best. */
function* attemptsOf(pixels: Pixels) {
  yield pictureOf(pixels).webp({ lossless: true, effort: 6 });
  for (const quality of qualities)
    yield pictureOf(pixels).webp({ quality, alphaQuality: quality, smartSubsample: true, effort: 4 });
  const [quality] = qualities.slice(-1);
  for (const scale of smallerScales) {
    const { width, height } = scaledBy(pixels, scale);
    yield pictureOf(pixels).resize(width, height, { fit: 'fill' }).webp({ quality, alphaQuality: quality });
  }
}

/** @throws {Error} if even the smallest attempt does not fit, which has not happened with any picture */
const fitLogo = async (pixels: Pixels): Promise<Buffer> => {
  for (const attempt of attemptsOf(pixels)) {
    const bytes = await attempt.toBuffer();
    if (bytes.length <= logoBytesMax) return bytes;
  }
  throw new Error(
    `a logo of ${pixels.width} × ${pixels.height} pixels does not fit into ${logoBytesMax} bytes`,
  );
};

/** Its pixels are never enlarged: browsers do that. @throws {ClientError} UNPROCESSABLE naming `dataUrl` */
export const encodeLogo = async (given: GivenImage): Promise<EncodedLogo> => {
  const seen = await measureImage(given);
  const stored = scaledBy(seen, Math.min(1, scaleInto(seen, storedBox)));
  const bytes = await fitLogo(await decodeImage(given, stored, 'fill'));
  return {
    dataUrl: `data:image/webp;base64,${bytes.toString('base64')}`,
    ...scaledBy(seen, scaleInto(seen, shownBox)),
  };
};
