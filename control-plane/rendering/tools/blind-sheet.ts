/**
 * The blind sheet, for ranking looks without knowing whose they are: our presets and frames among looks of our own
 * options that imitate those of Flowcode and QR Code Generator, as they are known. `blind.html` shows each at three
 * sizes under a number, in an order that follows from the seed; `blind-key.txt` says which is which.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { frameIds, presets, type Style } from '#schemas/api/style.ts';

interface Entry {
  name: string;
  style: Style;
}

/** A mark in the middle of a ring. */
const ringedLogo = (ring: string, mark: string): string => {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><circle cx="50" cy="50" r="50" fill="#ffffff"/>` +
    `<circle cx="50" cy="50" r="43" fill="none" stroke="${ring}" stroke-width="6"/>` +
    `<path d="M50 24l8 18 18 8-18 8-8 18-8-18-18-8 18-8z" fill="${mark}"/></svg>`;
  return Buffer.from(svg).toString('base64');
};

/** A circle of dots with round eyes and a logo in a ring. */
const flowcode = (dark: string, mark: string, eyes = dark): Style => ({
  shape: 'circle',
  dotsOptions: { type: 'dots', color: dark },
  cornersSquareOptions: { type: 'dot', color: eyes },
  cornersDotOptions: { type: 'dot', color: eyes },
  backgroundOptions: { color: '#ffffff', round: 1 },
  image: ringedLogo(dark, mark),
  imageOptions: { imageSize: 0.28 },
});

const scanMe = { text: 'Scan me', uppercase: true } as const;

/** Square modules, rounded eyes, and a frame of the code's colour with a bar. */
const qrCodeGenerator = (
  dark: string,
  id: (typeof frameIds)[number],
  eye: 'square' | 'extra-rounded' | 'dot' = 'extra-rounded',
): Style => ({
  dotsOptions: { type: 'square', color: dark },
  cornersSquareOptions: { type: eye, color: dark },
  cornersDotOptions: { type: eye, color: dark },
  backgroundOptions: { color: '#ffffff' },
  frame: { id, color: dark, ...scanMe },
});

const imitations: readonly Entry[] = [
  { name: 'Flowcode: black', style: flowcode('#000000', '#000000') },
  { name: 'Flowcode: purple, its logo pink', style: flowcode('#3b1a78', '#e11d74') },
  { name: 'Flowcode: black, its eyes blue', style: flowcode('#111111', '#1d4ed8', '#1d4ed8') },
  { name: 'Flowcode: green', style: flowcode('#0b5d3b', '#0b5d3b') },
  { name: 'QR Code Generator: bar below', style: qrCodeGenerator('#000000', 'banner') },
  { name: 'QR Code Generator: button below', style: qrCodeGenerator('#000000', 'scanme', 'square') },
  { name: 'QR Code Generator: round card', style: qrCodeGenerator('#000000', 'rounded', 'dot') },
  { name: 'QR Code Generator: bubble', style: qrCodeGenerator('#0c6fc0', 'bubble') },
  { name: 'QR Code Generator: no frame', style: qrCodeGenerator('#000000', 'none') },
];

/** Each preset as it is, and each frame once around a preset that has none. */
const own: readonly Entry[] = [
  ...presets.map((preset) => ({ name: `preset ${preset}`, style: { preset } })),
  ...frameIds.slice(1).map((id, index) => {
    const preset = (['soft', 'ocean', 'sunset', 'contrast-eyes', 'classic'] as const)[index % 5]!;
    return { name: `preset ${preset} in frame ${id}`, style: { preset, frame: { id } } };
  }),
];

/** The mulberry32 generator. @returns a function whose results are at least 0 and less than 1 */
const randomFrom = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const shuffled = <T>(all: readonly T[], seed: number): T[] => {
  const random = randomFrom(seed);
  return all
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
};

/** Pixels: on a page held in the hand, on a phone's list, across a room. */
const sides = [256, 120, 48] as const;

const page = (seed: number, cells: readonly string[]): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Blind sheet ${seed}</title><style>
body{margin:24px;background:#e9e7e2;font:600 14px system-ui,sans-serif}
main{display:grid;grid-template-columns:repeat(auto-fill,400px);gap:28px 20px}
figure{margin:0;display:grid;grid-template-columns:256px 120px;gap:12px;align-items:start}
figcaption{grid-column:1/-1}div{display:grid;gap:24px;justify-items:center}
</style><main>${cells.join('\n')}</main></html>`;

/**
 * Writes the sheet and its key.
 * @param draw draws a style within a square of so many pixels
 */
export const writeBlindSheet = async (
  folder: string,
  seed: number,
  draw: (style: Style, side: number) => Promise<Buffer>,
): Promise<void> => {
  const [cells, key]: [string[], string[]] = [[], [`seed ${seed}`]];
  for (const [index, { name, style }] of shuffled([...own, ...imitations], seed).entries()) {
    const drawn = await draw(style, 2 * sides[0]);
    const images: string[] = [];
    for (const side of sides) {
      const png = side === sides[0] ? drawn : await sharp(drawn).resize(side).png().toBuffer();
      images.push(`<img src="data:image/png;base64,${png.toString('base64')}" width="${side}" alt="">`);
    }
    const [large, ...small] = images;
    cells.push(`<figure><figcaption>${index + 1}</figcaption>${large}<div>${small.join('')}</div></figure>`);
    key.push(`${index + 1} ${name}`);
  }
  await writeFile(path.join(folder, 'blind.html'), page(seed, cells));
  await writeFile(path.join(folder, 'blind-key.txt'), `${key.join('\n')}\n`);
};
