import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { frameIds, presets } from '#schemas/api/style.ts';
import { render } from '../render.ts';
import { bandOf, distanceOf } from './caption-color.ts';
import { colorsOf } from './contrast.ts';
import { resolveStyle } from './resolve-style.ts';

type Preset = (typeof presets)[number];

/** Pixels of a side: a code of four centimetres as the eye sees it from across a room. */
const distantSide = 24;

const distantView = async (preset: Preset): Promise<Buffer> => {
  const look = resolveStyle({ preset });
  const { body } = await render({
    payload: 'https://qr.example.com/r/abc123XYZ',
    look,
    format: 'png',
    width: 256,
    height: 256,
  });
  return sharp(body).flatten({ background: '#d8d8d8' }).resize(distantSide).raw().toBuffer();
};

/** Root mean square of the differences of all channels, of 255. */
const distance = (a: Buffer, b: Buffer): number =>
  Math.sqrt(a.reduce((sum, byte, index) => sum + (byte - b[index]!) ** 2, 0) / a.length);

/** A caption and its background in the frame. */
const captionContrast = (preset: Preset, id: (typeof frameIds)[number]): number => {
  const { frame } = resolveStyle({ preset, frame: { id } });
  const paints = frame ? [frame.textColor, bandOf(frame).paint] : ['#000000', '#ffffff'];
  const [texts, bands] = paints.map((paint) => colorsOf(paint === 'transparent' ? '#ffffff' : paint));
  return Math.min(...texts!.flatMap((text) => bands!.map((band) => distanceOf(text, band))));
};

const views = new Map<Preset, Buffer>();
beforeAll(async () => {
  for (const preset of presets) views.set(preset, await distantView(preset));
});

describe('the caption of a preset', () => {
  it.each(presets)('%s is legible in small print in every frame: 4.5 to 1', (preset) => {
    for (const id of frameIds)
      expect([id, Number(captionContrast(preset, id).toFixed(2))]).toEqual([
        id,
        expect.toSatisfy((contrast: number) => contrast >= 4.5),
      ]);
  });

  it('keeps the given colour in its own frame', () => {
    expect(resolveStyle({ preset: 'boutique' }).frame?.textColor).toBe('#1c1917');
    expect(resolveStyle({ preset: 'boutique', frame: { id: 'banner' } }).frame?.textColor).toBe('#fdfbf7');
  });

  it('is a given colour instead, if there is one', () => {
    const frame = { id: 'banner', textColor: '#000000' } as const;
    expect(resolveStyle({ preset: 'boutique', frame }).frame).toMatchObject({
      textColor: '#000000',
      textColorGiven: true,
    });
  });
});

const pairs = presets.flatMap((a, index) => presets.slice(index + 1).map((b) => [a, b] as const));

const traitsOf = (preset: Preset) => {
  const { shape, dots, cornersSquare, cornersDot, background, frame } = resolveStyle({ preset });
  return [
    shape,
    dots.type,
    cornersSquare.type,
    cornersDot.type,
    frame?.id,
    background.round,
    typeof background.paint,
  ];
};

describe('presets', () => {
  it('any two are distinguishable across a room', () => {
    const alike = pairs
      .map(([a, b]) => ({ a, b, distance: distance(views.get(a)!, views.get(b)!) }))
      .filter((pair) => pair.distance < 28);
    expect(alike).toEqual([]);
  });

  it('any two differ in at least two traits of their drawing, apart from colours', () => {
    const alike = pairs.filter(([a, b]) => {
      const others = traitsOf(b);
      return traitsOf(a).filter((trait, index) => trait !== others[index]).length < 2;
    });
    expect(alike).toEqual([]);
  });

  it('no three have the same eyes', () => {
    const eyes = presets.map((preset) => traitsOf(preset).slice(2, 4).join(' '));
    for (const each of new Set(eyes)) expect(eyes.filter((other) => other === each).length).toBeLessThan(3);
  });

  it('between them use the circle, gradients behind the code, round tiles and six frames', () => {
    const styles = presets.map((preset) => resolveStyle({ preset }));
    expect(styles.filter(({ shape }) => shape === 'circle')).toHaveLength(1);
    expect(styles.filter(({ background }) => typeof background.paint === 'object').length).toBeGreaterThan(2);
    expect(styles.filter(({ background }) => background.round > 0).length).toBeGreaterThan(1);
    const frames = styles.flatMap(({ frame }) => (frame ? [frame.id] : []));
    expect([frames.length, new Set(frames).size]).toEqual([6, 6]);
  });
});
