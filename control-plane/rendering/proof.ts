/** The proof that a picture is read: ZXing reads it, and must find exactly the bytes that were put in. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import type { Pixels } from './raster.ts';

const wasmFile = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');

// Without its bytes the reader would fetch them from the network.
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasmFile)).buffer } });

/** As a phone in haste would: upright, dark on light, one look. Where that fails, it may look harder. */
const firstLook: ReaderOptions = {
  formats: ['QRCode'],
  maxNumberOfSymbols: 1,
  tryRotate: false,
  tryInvert: false,
  tryHarder: false,
  tryDownscale: false,
};
const secondLook: ReaderOptions = { ...firstLook, tryHarder: true, tryDownscale: true };

/** What is transparent is seen on white. */
const flatten = ({ data }: Pixels): Uint8ClampedArray<ArrayBuffer> => {
  const flat = new Uint8ClampedArray(data);
  for (let at = 3; at < flat.length; at += 4) {
    const alpha = flat[at]!;
    if (alpha === 255) continue;
    for (let each = at - 3; each < at; each++) flat[each] = 255 + ((flat[each]! - 255) * alpha) / 255;
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

/** Whether a reader finds a code on the picture that says the payload, byte for byte. */
export const isRead = async (pixels: Pixels, payload: string): Promise<boolean> => {
  const { width, height } = pixels;
  const image: Picture = { data: flatten(pixels), width, height };
  const expected = Buffer.from(payload);
  return (await says(image, firstLook, expected)) || says(image, secondLook, expected);
};
