/** Makes the pictures of the example pages anew: `node deploy/embedded/examples/drawing/draw.ts`. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { scenes } from './scenes.ts';

const folder = path.resolve(import.meta.dirname, '../pictures');

for (const [name, draw] of Object.entries(scenes)) {
  const picture = await sharp(Buffer.from(draw()))
    .webp({ quality: 52, effort: 6, smartSubsample: true })
    .toBuffer();
  await writeFile(path.join(folder, `${name}.webp`), picture);
  console.log(`${name}.webp ${Math.round(picture.length / 1024)} kB`);
}
