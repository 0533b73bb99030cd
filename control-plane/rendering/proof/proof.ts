/** The proof that a picture is read: ZXing reads it, and must find exactly the bytes that were put in. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import type { Pixels } from '../output/raster.ts';

const wasmFile = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');

// Without its bytes the reader would fetch them from the network.
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasmFile)).buffer } });

/** As a phone in haste would: upright, dark on light, one look. Where that fails, it may look harder, and for light on dark. */
const firstLook: ReaderOptions = {
  formats: ['QRCode'],
  maxNumberOfSymbols: 1,
  tryRotate: false,
  tryInvert: false,
  tryHarder: false,
  tryDownscale: false,
};
const secondLook: ReaderOptions = { ...firstLook, tryHarder: true, tryDownscale: true, tryInvert: true };

/** @param grey of the paper that shows through what is transparent, 0 to 255 */
const flatten = ({ data }: Pixels, grey: number): Uint8ClampedArray<ArrayBuffer> => {
  const flat = new Uint8ClampedArray(data);
  for (let at = 3; at < flat.length; at += 4) {
    const alpha = flat[at]!;
    if (alpha === 255) continue;
    for (let each = at - 3; each < at; each++) flat[each] = grey + ((flat[each]! - grey) * alpha) / 255;
    flat[at] = 255;
  }
  return flat;
};

/** What the reader needs of a browser's ImageData. */
interface Picture {
  data: Uint8ClampedArray<ArrayBuffer>;
  width: number;
  height: number;
}

const says = async (image: Picture, options: ReaderOptions, expected: Buffer): Promise<boolean> => {
  const [code] = await readBarcodes(image, options);
  return code?.isValid === true && expected.equals(code.bytes);
};

/**
 * Whether a reader finds a code on the picture that says the payload, byte for byte.
 * @param grey of the paper that shows through what is transparent, 0 (black) to 255 (white)
 */
export const isRead = async (pixels: Pixels, payload: string, grey = 255): Promise<boolean> => {
  const { width, height } = pixels;
  const image: Picture = { data: flatten(pixels, grey), width, height };
  const expected = Buffer.from(payload);
  return (await says(image, firstLook, expected)) || says(image, secondLook, expected);
};
