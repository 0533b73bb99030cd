import { describe, expect, it } from 'vitest';
import { frameFonts } from '#schemas/api/style.ts';
import { orderRuns } from './bidi.ts';
import { fontFor } from './fonts.ts';
import { outlineText } from './outline.ts';

/** From left to right; runs that are read from right to left in angle brackets. */
const order = (text: string): string =>
  orderRuns(text)
    .map((run) => (run.rightToLeft ? `<${run.text}>` : run.text))
    .join('|');

describe('the parts of a caption from left to right', () => {
  it.each([
    ['Scan me', 'Scan me'],
    ['סרוק אותי', '<סרוק אותי>'],
    ['Menu תפריט', 'Menu |<תפריט>'],
    ['תפריט Menu', 'Menu|<תפריט >'],
    // A number is read from left to right among letters that are not.
    ['תפריט 12:30', '12:30|<תפריט >'],
    ['أهلا 2025', '2025|<أهلا >'],
    // Signs belong to the number beside them, and only there.
    ['אבג 10% דה', '< דה>|10%|<אבג >'],
    ['Menu, 5€ אבג', 'Menu, 5€ |<אבג>'],
    ['שלום!', '<שלום!>'],
    // Both brackets of a pair go the same way.
    ['אבג (abc) דה', '<) דה>|abc|<אבג (>'],
    ['(שלום)', '<(שלום)>'],
    // Spaces at the end lie in the direction of the line.
    ['abc אבג ', 'abc |<אבג>| '],
    ['\u200fabc', 'abc|<\u200f>'],
    ['12', '12'],
    ['', ''],
  ])('%s', (text, expected) => {
    expect(order(text)).toBe(expected);
  });

  it('are all there, whatever the text', () => {
    for (const text of ['a(ב]1٣,٤ ج)', '))((', '٪٣', 'a\u0301ב\u05b0', '‏‎']) {
      const parts = orderRuns(text).map((run) => run.text);
      expect([...parts.join('')].sort()).toEqual([...text].sort());
    }
  });
});

describe('a caption in outlines', () => {
  it.each(frameFonts)('in %s has accents, Greek, Cyrillic, Vietnamese, Hebrew and Arabic', (font) => {
    for (const text of [
      'Füße Žluťoučký',
      'Ελληνικά',
      'Привет',
      'Quét mã',
      'שלום',
      'مرحبا',
      '€ 5.00 & more!',
    ]) {
      const { width, draw } = outlineText(text, font);
      expect(width).toBeGreaterThan(1);
      expect(draw(0, 0, 100)).toMatch(/^M[-\d. MLQCz]+z$/);
    }
  });

  it('of one font is of its own letters', () => {
    for (const font of frameFonts) expect(fontFor(font, 'a')).not.toBe(fontFor(font, 'ש'));
    expect(outlineText('Scan me', 'sans').draw(0, 0, 100)).not.toBe(
      outlineText('Scan me', 'serif').draw(0, 0, 100),
    );
  });

  it('joins Arabic letters: a word is narrower than its letters apart', () => {
    const apart = [...'مرحبا'].reduce((sum, letter) => sum + outlineText(letter, 'sans').width, 0);
    expect(outlineText('مرحبا', 'sans').width).toBeLessThan(apart * 0.95);
  });

  it('begins a right-to-left text on the right', () => {
    const first = (text: string) =>
      Number(/^M([-\d.]+)/.exec(outlineText(text, 'sans').draw(0, 0, 100))?.[1]);
    // The glyphs stand from left to right: the last letter comes first.
    expect(
      outlineText('אב', 'sans')
        .draw(0, 0, 100)
        .startsWith(outlineText('ב', 'sans').draw(0, 0, 100)),
    ).toBe(true);
    expect(first('אב')).toBeCloseTo(first('ב'), 1);
  });

  it('writes a letter with its accent in one font, however it was typed', () => {
    expect(outlineText('e\u0301', 'serif').draw(0, 0, 100)).toBe(outlineText('é', 'serif').draw(0, 0, 100));
  });

  it.each(['漢字', 'Menu 🍕', 'ไทย'])(
    'that no font can draw is refused, naming frame.text and the glyph: %s',
    (text) => {
      const missing = text.replace('Menu ', '').at(0)!;
      expect(() => outlineText(text, 'sans')).toThrow(
        /^frame\.text has .+ \(U\+[0-9A-F]{4,5}( U\+[0-9A-F]{4,5})*\)/,
      );
      expect(() => outlineText(text, 'sans')).toThrow(missing);
    },
  );
});
