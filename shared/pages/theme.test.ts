import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { themeNames } from '#schemas/api/blocks.ts';
import { contrast, edgeContrastMin, legible, mix, poleOf, textContrastMin } from '#shared/colors.ts';
import { type Palette, resolveTheme, themeStyle, weakestTextOf } from './theme.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const maybe = fc.option(color, { nil: undefined });
const name = fc.option(fc.constantFrom(...themeNames), { nil: undefined });
const themes = fc.record({ name, background: maybe, text: maybe, accent: maybe }).map((given) => ({
  ...(given.name && { name: given.name }),
  ...(given.background && { background: given.background }),
  ...(given.text && { text: given.text }),
  ...(given.accent && { accent: given.accent }),
}));

const palettesOf = (theme: Parameters<typeof resolveTheme>[0]): Palette[] => {
  const { light, dark } = resolveTheme(theme);
  return [light, dark].filter((palette) => palette !== undefined);
};

/** 0 to 360; undefined for greys and near-greys, whose hue is a rounding artefact. */
const hueOf = (value: string): number | undefined => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(value.slice(at, at + 2), 16));
  const max = Math.max(r, g, b);
  const range = max - Math.min(r, g, b);
  if (range < 40) return undefined;
  if (max === r) return (((g - b) / range) * 60 + 360) % 360;
  return max === g ? ((b - r) / range) * 60 + 120 : ((r - g) / range) * 60 + 240;
};

const grey = { background: '#7a7a7a', text: '#808080', accent: '#757575' };

describe('a theme', () => {
  test("has a contrast of 4.5 to 1 for every text on every ground, whatever the owner's colours", () => {
    fc.assert(
      fc.property(themes, (theme) => {
        for (const palette of palettesOf(theme))
          expect(weakestTextOf(palette)).toBeGreaterThanOrEqual(textContrastMin);
      }),
      { numRuns: 1_000, examples: [[grey], [{ background: '#777777' }], [{ background: '#757575' }]] },
    );
  });

  test('makes the edges of fields and of the first button visible', () => {
    fc.assert(
      fc.property(themes, (theme) => {
        for (const { edge, rim, ground, surface } of palettesOf(theme)) {
          expect(Math.min(contrast(edge, ground), contrast(edge, surface))).toBeGreaterThanOrEqual(
            edgeContrastMin,
          );
          expect(contrast(rim, ground)).toBeGreaterThanOrEqual(1.5);
        }
      }),
      { numRuns: 500, examples: [[grey]] },
    );
  });

  test('keeps the given background and accent, and the text if it is legible', () => {
    fc.assert(
      fc.property(name, color, color, color, (named, background, text, accent) => {
        const [palette] = palettesOf({ ...(named && { name: named }), background, text, accent });
        expect([palette!.ground, palette!.accent]).toEqual([background, accent]);
        const { ground, surface, tint } = palette!;
        const isLegible = [ground, surface, tint].every((on) => contrast(text, on) >= textContrastMin);
        if (isLegible) expect(palette!.text).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  test('keeps the hue of a colour that it moves', () => {
    fc.assert(
      fc.property(color, color, (text, ground) => {
        const moved = legible(text, [ground], poleOf(ground));
        const [before, after] = [hueOf(text), hueOf(moved)];
        if (before === undefined || after === undefined) return;
        const turn = Math.abs(before - after);
        expect(Math.min(turn, 360 - turn)).toBeLessThan(3);
      }),
      { numRuns: 1_000 },
    );
  });

  test('has both schemes, or only one if the owner gives a background', () => {
    expect(Object.keys(resolveTheme({ text: '#123456' }))).toEqual(['light', 'dark']);
    expect(Object.keys(resolveTheme({ background: '#fff7ed' }))).toEqual(['light']);
    expect(Object.keys(resolveTheme({ background: '#0b1020' }))).toEqual(['dark']);
  });

  test('has the colours of its name where the owner gives none; noir is dark by day, too', () => {
    const { light, dark } = resolveTheme({ name: 'market', accent: '#123456' });
    expect([light!.ground, light!.accent, dark!.ground]).toEqual(['#fff4d2', '#123456', '#14251b']);
    expect(Object.keys(resolveTheme({ name: 'noir' }))).toEqual(['dark']);
    expect(Object.keys(resolveTheme({ name: 'noir', background: '#fff7ed' }))).toEqual(['light']);
  });

  test('is ink on paper in print, also if it is dark', () => {
    for (const theme of [{}, { background: '#0b1020' }, { name: 'noir' } as const]) {
      const style = themeStyle(resolveTheme(theme));
      const names = [...style.matchAll(/(--[a-z-]+):/g)].map(([, name]) => name);
      const printed = style.slice(style.indexOf('@media print'));
      expect(printed).toContain('--text:#000');
      for (const name of new Set(names)) if (name !== '--bad') expect(printed).toContain(`${name}:`);
    }
  });

  test('mixes colours by their share', () => {
    expect([
      mix('#000000', '#ffffff', 0),
      mix('#000000', '#ffffff', 1),
      mix('#102030', '#304050', 0.5),
    ]).toEqual(['#000000', '#ffffff', '#203040']);
  });
});
