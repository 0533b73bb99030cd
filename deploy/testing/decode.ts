/** Reads QR codes, for tests. The reader is ZXing, compiled to WebAssembly and loaded from its package. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const wasmFile = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');

// Without its bytes the reader would fetch them from the network.
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasmFile)).buffer } });

/** The text of the only QR code on a PNG, as a scanner would show it; undefined if none can be read. */
export const decodeQr = async (png: Buffer): Promise<string | undefined> => {
  const [code] = await readBarcodes(png, { formats: ['QRCode'], maxNumberOfSymbols: 1 });
  return code?.isValid ? code.text : undefined;
};

/** The only QR code on a PNG: its text, its bytes, and whether it is a GS1 element string. */
export const readSymbol = async (png: Buffer): Promise<{ text: string; bytes: Buffer; isGs1: boolean }> => {
  const [code] = await readBarcodes(png, { formats: ['QRCode'], maxNumberOfSymbols: 1 });
  if (!code?.isValid) throw new Error('there is no code on this picture');
  return { text: code.text, bytes: Buffer.from(code.bytes), isGs1: code.contentType === 'GS1' };
};

/** The level of error correction of the only QR code on a PNG: `L`, `M`, `Q` or `H`. */
export const readLevel = async (png: Buffer): Promise<string> => {
  const [code] = await readBarcodes(png, { formats: ['QRCode'], maxNumberOfSymbols: 1 });
  if (!code?.isValid) throw new Error('there is no code on this picture');
  return code.ecLevel;
};
