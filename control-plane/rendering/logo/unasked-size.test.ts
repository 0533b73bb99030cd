/** A logo that hides too much, with and without a given size. */
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { decodeQr } from '../../../deploy/testing/decode.ts';
import { createRenderer, resolveStyle } from '../index.ts';

const image = (
  await sharp({ create: { width: 10, height: 10, channels: 3, background: '#000000' } })
    .png()
    .toBuffer()
).toString('base64');

it('a logo that hides too much is drawn as large as it is readable, at one size in all formats; a warning says so if the size was given', async () => {
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
    const given = await renderer.render({ ...common, look });
    expect(await decodeQr(given.body)).toBe(payload);
    expect(given.warnings).toEqual([
      expect.stringMatching(
        /^imageOptions\.imageSize 0\.7 hides too much of this code: its logo has 0\.\d+$/,
      ),
    ]);
    const [, drawn] = /has (.*)$/.exec(given.warnings[0]!)!;
    const asked = resolveStyle({ image, imageOptions: { imageSize: Number(drawn) } });
    expect((await renderer.render({ ...common, look: asked })).body.equals(given.body)).toBe(true);
    for (const other of [
      { unreadable: 'draw' },
      { format: 'svg' },
      { format: 'pdf' },
      { format: 'jpg', width: 640 },
    ] as const)
      expect((await renderer.render({ ...common, look, ...other })).warnings).toEqual(given.warnings);
  }
  await renderer.close();
});
