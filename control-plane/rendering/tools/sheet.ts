/**
 * `npm run sheet [folder]`: every preset in every frame, to be looked at: one sheet of all at 256 pixels, one for each preset at 1024,
 * and each as a PDF.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { frameIds, presets } from '#schemas/api/style.ts';
import { createRenderer, type PictureFormat, resolveStyle } from '../index.ts';

const payload = 'https://qr.example.com/r/abc123XYZ';
const gap = 24;

const { positionals } = parseArgs({ allowPositionals: true });
const folder = path.resolve(positionals[0] ?? path.join(os.tmpdir(), 'waymark-sheet'));
await mkdir(path.join(folder, 'pdf'), { recursive: true });
const renderer = createRenderer();

const draw = async (
  preset: (typeof presets)[number],
  id: (typeof frameIds)[number],
  format: PictureFormat,
  width: number,
) => (await renderer.render({ payload, style: resolveStyle({ preset, frame: { id } }), format, width })).body;

/** Pictures of one size side by side, on the grey of a wall. */
const arrange = async (pictures: Buffer[], columns: number, side: number, file: string): Promise<void> => {
  const rows = Math.ceil(pictures.length / columns);
  const place = (index: number) => ({
    left: gap + (index % columns) * (side + gap),
    top: gap + Math.floor(index / columns) * (side + gap),
  });
  await sharp({
    create: {
      width: gap + columns * (side + gap),
      height: gap + rows * (side + gap),
      channels: 3,
      background: '#d8d8d8',
    },
  })
    .composite(pictures.map((input, index) => ({ input, ...place(index) })))
    .png()
    .toFile(path.join(folder, file));
};

const small: Buffer[] = [];
for (const preset of presets) {
  const large: Buffer[] = [];
  for (const frame of frameIds) {
    small.push(await draw(preset, frame, 'png', 256));
    large.push(await draw(preset, frame, 'png', 1024));
    await writeFile(
      path.join(folder, 'pdf', `${preset}-${frame}.pdf`),
      await draw(preset, frame, 'pdf', 400),
    );
  }
  await arrange(large, 5, 1024, `1024-${preset}.png`);
}
await arrange(small, frameIds.length, 256, '256.png');
await renderer.close();
console.log(folder);
