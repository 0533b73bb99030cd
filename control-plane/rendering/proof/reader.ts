/** The reader: ZXing reads a picture, and must find exactly the bytes of the payload. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import type { Pixels } from '../output/raster.ts';

const wasmFile = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');

// Without these bytes the reader would fetch them from the network.
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasmFile)).buffer } });

/** The first attempt reads like a hurried phone: upright, dark on light. */
const quickAttempt: ReaderOptions = {
  formats: ['QRCode'],
  maxNumberOfSymbols: 1,
  tryRotate: false,
  tryInvert: false,
  tryHarder: false,
  tryDownscale: false,
};
/** The second attempt takes more effort, and reads light on dark. */
const thoroughAttempt: ReaderOptions = {
  ...quickAttempt,
  tryHarder: true,
  tryDownscale: true,
  tryInvert: true,
};

/** @param grey of the paper that shows through transparent pixels, 0 to 255 */
const putOnPaper = ({ data }: Pixels, grey: number): Uint8ClampedArray<ArrayBuffer> => {
  const flat = new Uint8ClampedArray(data);
  for (let at = 3; at < flat.length; at += 4) {
    const alpha = flat[at]!;
    if (alpha === 255) continue;
    for (let each = at - 3; each < at; each++) flat[each] = grey + ((flat[each]! - grey) * alpha) / 255;
    flat[at] = 255;
  }
  return flat;
};

/** The fields of a browser's ImageData that the reader uses. */
interface ReaderImage {
  data: Uint8ClampedArray<ArrayBuffer>;
  width: number;
  height: number;
}

const says = async (image: ReaderImage, options: ReaderOptions, expected: Buffer): Promise<boolean> => {
  const [code] = await readBarcodes(image, options);
  return code?.isValid === true && expected.equals(code.bytes);
};

/**
 * Whether a reader finds a code in the picture with the payload, byte for byte.
 * @param grey of the paper that shows through transparent pixels, 0 (black) to 255 (white)
 */
export const isRead = async (pixels: Pixels, payload: string, grey = 255): Promise<boolean> => {
  const { width, height } = pixels;
  const image: ReaderImage = { data: putOnPaper(pixels, grey), width, height };
  const expected = Buffer.from(payload);
  return (await says(image, quickAttempt, expected)) || says(image, thoroughAttempt, expected);
};
