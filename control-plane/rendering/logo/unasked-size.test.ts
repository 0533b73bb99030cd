/** A logo without a given size, and a logo in a picture that is better than none. */
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { decodeQr } from '../../../deploy/testing/decode.ts';
import { createRenderer, resolveStyle } from '../index.ts';

const image = (
  await sharp({ create: { width: 10, height: 10, channels: 3, background: '#000000' } })
    .png()
    .toBuffer()
).toString('base64');

it('a logo that hides too much shrinks; with a given size it is refused, and if saved, shrinks with a warning', async () => {
  const renderer = createRenderer({ threads: 1 });
  for (const payload of [
    'A',
    'abc',
    'abcdefghijklm',
    'https://example.com/',
    'https://qr.example.com/r/abc123XYZ?s=poster',
  ]) {
    const common = { payload, format: 'png', width: 300 } as const;
    const unasked = await renderer.render({ ...common, look: resolveStyle({ image }) });
    expect([await decodeQr(unasked.body), unasked.warnings]).toEqual([payload, []]);
    const look = resolveStyle({ image, imageOptions: { imageSize: 0.7 } });
    await expect(renderer.render({ ...common, look })).rejects.toThrow(
      'imageOptions.imageSize 0.7 is too large',
    );
    const saved = await renderer.render({ ...common, look, unreadable: 'draw' });
    expect(await decodeQr(saved.body)).toBe(payload);
    expect(saved.warnings).toEqual([
      expect.stringMatching(
        /^imageOptions\.imageSize 0\.7 hides too much of this code: its logo has 0\.\d+$/,
      ),
    ]);
  }
  await renderer.close();
});
