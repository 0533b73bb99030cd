/**
 * `npm run sheet [folder]`: the presets and frames, for inspection by eye. `presets.png`: every preset unchanged, as
 * large as on a phone and as seen from across a room, on a wall, on paper and on a dark page; `frames.png`: every
 * preset in every frame; `frames-dark.png`, `frames-paper.png`: every frame with one line, two and none, in three scripts; one sheet for each preset at 1024
 * pixels; and each as a PDF.
 *
 * `npm run sheet -- [folder] --blind seed`: only `blind.html`, for ranking; see blind-sheet.ts.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { frameIds, presets, type Style } from '#schemas/api/style.ts';
import { createRenderer, type PictureFormat, resolveStyle } from '../index.ts';
import { writeBlindSheet } from './blind-sheet.ts';

const payload = 'https://qr.example.com/r/abc123XYZ';
const gap = 24;
const grounds = { wall: '#d8d8d8', paper: '#ffffff', dark: '#0b1020' };

const { positionals, values } = parseArgs({ allowPositionals: true, options: { blind: { type: 'string' } } });
const folder = path.resolve(positionals[0] ?? path.join(os.tmpdir(), 'waymark-sheet'));
await mkdir(folder, { recursive: true });
// A sheet may wait on a busy machine.
const renderer = createRenderer({ waitMsMax: 3_600_000 });

const draw = async (style: Style, format: PictureFormat, side: number): Promise<Buffer> => {
  const rendered = await renderer.render({
    payload,
    look: resolveStyle(style),
    format,
    width: side,
    height: side,
  });
  return rendered.body;
};

/** Pictures of one size side by side. */
const arrange = async (
  pictures: Buffer[],
  columns: number,
  side: number,
  background: string,
): Promise<Buffer> => {
  const rows = Math.ceil(pictures.length / columns);
  const place = (index: number) => ({
    left: gap + (index % columns) * (side + gap),
    top: gap + Math.floor(index / columns) * (side + gap),
  });
  return sharp({
    create: {
      width: gap + columns * (side + gap),
      height: gap + rows * (side + gap),
      channels: 3,
      background,
    },
  })
    .composite(pictures.map((input, index) => ({ input, ...place(index) })))
    .png()
    .toBuffer();
};

const save = (name: string, body: Buffer): Promise<void> => writeFile(path.join(folder, name), body);

/** From the top down. */
const stack = async (name: string, pictures: Buffer[]): Promise<void> => {
  const sizes = await Promise.all(pictures.map((each) => sharp(each).metadata()));
  const tops = sizes.map((_, index) =>
    sizes.slice(0, index).reduce((sum, { height }) => sum + (height ?? 0), 0),
  );
  const width = Math.max(...sizes.map((size) => size.width ?? 0));
  const height = sizes.reduce((sum, size) => sum + (size.height ?? 0), 0);
  await sharp({ create: { width, height, channels: 3, background: grounds.wall } })
    .composite(pictures.map((input, index) => ({ input, left: 0, top: tops[index]! })))
    .png()
    .toFile(path.join(folder, name));
};

const presetSheet = async (): Promise<void> => {
  const own = await Promise.all(presets.map((preset) => draw({ preset }, 'png', 256)));
  const distant = await Promise.all(own.map((each) => sharp(each).resize(48).png().toBuffer()));
  await stack('presets.png', [
    ...(await Promise.all(Object.values(grounds).map((ground) => arrange(own, 6, 256, ground)))),
    await arrange(distant, 12, 48, grounds.wall),
  ]);
};

const frameSheets = async (): Promise<void> => {
  await mkdir(path.join(folder, 'pdf'), { recursive: true });
  const framed: Buffer[] = [];
  for (const preset of presets) {
    const large: Buffer[] = [];
    for (const id of frameIds) {
      const style: Style = { preset, frame: { id } };
      framed.push(await draw(style, 'png', 256));
      large.push(await draw(style, 'png', 1024));
      await save(`pdf/${preset}-${id}.pdf`, await draw(style, 'pdf', 400));
    }
    await save(`1024-${preset}.png`, await arrange(large, 5, 1024, grounds.wall));
  }
  await save('frames.png', await arrange(framed, frameIds.length, 256, grounds.wall));
};

const captionSheets = async (): Promise<void> => {
  const captions = ['Scan me', 'Scan to see our new menu', '', 'امسح الرمز', 'メニューを見る'];
  const looks: Style[] = [{}, { dotsOptions: { color: '#be123c' } }];
  const captioned: Buffer[] = [];
  for (const look of looks)
    for (const text of captions)
      for (const id of frameIds.slice(1))
        captioned.push(await draw({ ...look, frame: { id, text } }, 'png', 256));
  await save('frames-dark.png', await arrange(captioned, frameIds.length - 1, 256, grounds.dark));
  await save('frames-paper.png', await arrange(captioned, frameIds.length - 1, 256, grounds.paper));
};

if (values.blind === undefined) {
  await presetSheet();
  await frameSheets();
  await captionSheets();
} else {
  await writeBlindSheet(folder, Number(values.blind), (style, side) => draw(style, 'png', side));
  console.log(`seed ${values.blind}`);
}
await renderer.close();
console.log(folder);
