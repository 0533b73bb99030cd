/**
 * The colours of a logo. It is drawn into a code first, by the processes that read untrusted pictures: here only a picture of
 * our own is read.
 */
import sharp from 'sharp';
import { type Renderer, resolveStyle } from '../../../rendering/index.ts';

const sidePixels = 256;
/** The logo takes 0.3 of the code, which has a margin of four modules around it. */
const logoPixels = 48;
const samplesPerSide = 24;
const colorsMax = 5;
/** Of all samples: a colour with fewer is an edge. */
const leastShare = 0.03;

const hex = (channels: readonly number[]): string =>
  `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;

/** In 16 steps, so that shades of one colour are one. */
const rounded = (channel: number): number => Math.min(255, Math.round(channel / 17) * 17);

/** The most frequent colours, the most frequent first. */
export const colorsOf = (pixels: Uint8Array): string[] => {
  const counts = new Map<string, number>();
  for (let at = 0; at < pixels.length; at += 3) {
    const color = hex([...pixels.subarray(at, at + 3)].map(rounded));
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const least = (pixels.length / 3) * leastShare;
  return [...counts]
    .filter(([, count]) => count >= least)
    .sort(([, a], [, b]) => b - a)
    .slice(0, colorsMax)
    .map(([color]) => color);
};

/** @throws {ClientError} UNPROCESSABLE naming `image` if it cannot be drawn */
export const logoColors = async (renderer: Renderer, image: string, tenant: string): Promise<string[]> => {
  const { body } = await renderer.render(
    {
      payload: 'https://example.com/',
      look: resolveStyle({ image }),
      ...{ format: 'png', width: sidePixels, height: sidePixels, unreadable: 'draw' },
    },
    tenant,
  );
  const corner = Math.round((sidePixels - logoPixels) / 2);
  const pixels = await sharp(body)
    .extract({ left: corner, top: corner, width: logoPixels, height: logoPixels })
    .flatten({ background: '#ffffff' })
    .removeAlpha()
    .resize(samplesPerSide, samplesPerSide, { fit: 'fill', kernel: 'nearest' })
    .toColourspace('srgb')
    .raw()
    .toBuffer();
  return colorsOf(pixels);
};
