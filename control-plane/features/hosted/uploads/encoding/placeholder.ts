/** The picture that is shown until the other one is there. */
import { type Pixels, pictureOf } from './fit-bytes.ts';

/** Of a data URL: it is in every page with the picture. */
const placeholderLengthMax = 400;
/** The longest side in pixels, and the quality: the first that fits. */
const attempts = [
  [20, 30],
  [16, 20],
  [12, 10],
  [8, 1],
  [4, 1],
] as const;

const head = 'data:image/webp;base64,';

/** @returns a data URL of at most 400 characters, or an empty text where one would be seen through the picture, and stay */
export const placeholderOf = async (pixels: Pixels): Promise<string> => {
  if (pixels.channels === 4 && !(await pictureOf(pixels).stats()).isOpaque) return '';
  for (const [side, quality] of attempts) {
    const tiny = pictureOf(pixels).resize(side, side, { fit: 'inside', withoutEnlargement: true });
    const bytes = await tiny.blur(0.8).webp({ quality, effort: 6 }).toBuffer();
    const url = head + bytes.toString('base64');
    if (url.length <= placeholderLengthMax) return url;
  }
  throw new Error('no placeholder is short enough');
};
