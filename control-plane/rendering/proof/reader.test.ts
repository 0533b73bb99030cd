/** The reader accepts only the payload, byte for byte, and no other text. */
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { createRenderer, resolveStyle } from '../index.ts';
import type { Pixels } from '../output/raster.ts';
import { isRead } from './reader.ts';

const payload = 'https://qr.example.com/r/abc123XYZ';
const renderer = createRenderer({ threads: 1 });
afterAll(() => renderer.close());

const pixelsOfCode = async (): Promise<Pixels> => {
  const { body } = await renderer.render({ payload, look: resolveStyle({}), format: 'png', width: 300 });
  const { data, info } = await sharp(body).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};

it('a picture of another payload is not proof of this one', async () => {
  const pixels = await pixelsOfCode();
  expect(await isRead(pixels, payload)).toBe(true);
  for (const other of [payload.slice(0, -1), `${payload}1`, payload.toLowerCase(), ''])
    expect(await isRead(pixels, other)).toBe(false);
});
