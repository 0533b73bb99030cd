/** Pixels of a logo → a file no larger than the given one. */
import sharp, { type Sharp } from 'sharp';

export interface EncodedLogo {
  /** A data URI of a PNG or JPEG. */
  href: string;
  /** Pixels. */
  width: number;
  height: number;
}

/** Any logo may have this many bytes. */
const bytesFree = 64_000;

/**
 * The side of the next attempt: this share of the side that should just fit, and at most that share of the last side.
 */
const slack = 0.95;
const shareMax = 0.8;

interface Attempt {
  type: 'png' | 'jpeg';
  encode(picture: Sharp): Sharp;
}

const lossless: Attempt = { type: 'png', encode: (picture) => picture.png({ compressionLevel: 6 }) };
const palette: Attempt = { type: 'png', encode: (picture) => picture.png({ palette: true, effort: 1 }) };
const photograph: Attempt = {
  type: 'jpeg',
  encode: (picture) => picture.jpeg({ quality: 90, chromaSubsampling: '4:4:4' }),
};

/** First lossless; then as a photograph or, if it is transparent, in 256 colours. */
const attemptsFor = (isOpaque: boolean): readonly Attempt[] => [lossless, isOpaque ? photograph : palette];

/**
 * @param bytesGiven size of the given file: the new one has at most as many, or 64 kB
 * @throws {Error} from sharp, if it cannot read the pixels
 */
export const encodeSmall = async (picture: Sharp, bytesGiven: number): Promise<EncodedLogo> => {
  const bytesMax = Math.max(bytesGiven, bytesFree);
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: 4 as const };
  const { isOpaque } = await sharp(data, { raw }).stats();
  for (let width = raw.width; ; ) {
    const height = Math.max(1, Math.round((raw.height * width) / raw.width));
    let bytes = 0;
    for (const { type, encode } of attemptsFor(isOpaque)) {
      const whole = sharp(data, { raw }).resize(width, height, { fit: 'fill' });
      const file = await encode(isOpaque ? whole.removeAlpha() : whole).toBuffer();
      bytes = file.length;
      // A picture of so few pixels is always small.
      if (bytes <= bytesMax || width <= 64)
        return { href: `data:image/${type};base64,${file.toString('base64')}`, width, height };
    }
    width = Math.ceil(width * Math.min(shareMax, slack * Math.sqrt(bytesMax / bytes)));
  }
};
