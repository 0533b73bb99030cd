import { describe, expect, it } from 'vitest';
import { frameFonts } from '#schemas/api/style.ts';
import { orderRuns } from './bidi.ts';
import { chooseFaces } from './faces.ts';
import { outlineText } from './text-outline.ts';

/** From left to right; right-to-left runs in angle brackets. */
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
    // Numbers read left to right, even within right-to-left text.
    ['תפריט 12:30', '12:30|<תפריט >'],
    ['أهلا 2025', '2025|<أهلا >'],
    // Signs belong only to an adjacent number.
    ['אבג 10% דה', '< דה>|10%|<אבג >'],
    ['Menu, 5€ אבג', 'Menu, 5€ |<אבג>'],
    ['שלום!', '<שלום!>'],
    // Both brackets of a pair have the same direction.
    ['אבג (abc) דה', '<) דה>|abc|<אבג (>'],
    ['(שלום)', '<(שלום)>'],
    // Trailing spaces lie in the direction of the line.
    ['abc אבג ', 'abc |<אבג>| '],
    ['\u200fabc', 'abc|<\u200f>'],
    ['12', '12'],
    ['', ''],
  ])('%s', (text, expected) => {
    expect(order(text)).toBe(expected);
  });

  it('are complete for any text', () => {
    for (const text of ['a(ב]1٣,٤ ج)', '))((', '٪٣', 'a\u0301ב\u05b0', '‏‎']) {
      const parts = orderRuns(text).map((run) => run.text);
      expect([...parts.join('')].sort()).toEqual([...text].sort());
    }
  });
});

describe('a caption in outlines', () => {
  it.each(frameFonts)('in %s is drawn in every script that has a face', async (font) => {
    for (const text of [
      'Füße Žluťoučký',
      'Ελληνικά',
      'Привет',
      'Quét mã',
      'שלום',
      'مرحبا',
      '€ 5.00 & more!',
      '扫码看菜单',
      '掃描菜單',
      'メニューを見る',
      '메뉴 보기',
      'สแกนที่นี่',
      'मेनू देखें',
      'Menu 🍕 👩‍👩‍👧 🇩🇪 1️⃣',
    ]) {
      const { width, draw } = await outlineText(text, font);
      expect(width).toBeGreaterThan(1);
      expect(draw(0, 0, 100)).toMatch(/^M[-\d. MLQCz]+z$/);
    }
  });

  it('has its own font’s letters', async () => {
    const drawn = await Promise.all(
      frameFonts.map(async (font) => (await outlineText('Scan me', font)).draw(0, 0, 100)),
    );
    expect(new Set(drawn).size).toBe(frameFonts.length);
  });

  it('joins Arabic letters: a word is narrower than its letters apart', async () => {
    let apart = 0;
    for (const letter of 'مرحبا') apart += (await outlineText(letter, 'sans')).width;
    expect((await outlineText('مرحبا', 'sans')).width).toBeLessThan(apart * 0.95);
  });

  it('begins a right-to-left text on the right, and mirrors its brackets', async () => {
    const drawn = async (text: string) => (await outlineText(text, 'sans')).draw(0, 0, 100);
    // Glyphs are in order from left to right: the last letter comes first.
    expect((await drawn('אב')).startsWith(await drawn('ב'))).toBe(true);
    expect((await drawn('א(ב')).endsWith(await drawn('א'))).toBe(false);
    const ends = async (text: string) => (await drawn(text)).match(/M/g)?.length;
    expect(await ends('(אב)')).toBe((await ends('אב'))! + 2);
  });

  it('draws a letter with its accent in one font, however it was typed', async () => {
    const composed = (await outlineText('é', 'serif')).draw(0, 0, 100);
    expect((await outlineText('e\u0301', 'serif')).draw(0, 0, 100)).toBe(composed);
  });

  it('puts Thai marks over and under their letters, one above the other', async () => {
    const [plain, marked] = [await outlineText('ทน', 'sans'), await outlineText('ที่นู้', 'sans')];
    expect(marked.width).toBeCloseTo(plain.width, 2);
    expect(marked.ascent).toBeGreaterThan(plain.ascent + 0.3);
    expect(marked.descent).toBeGreaterThan(plain.descent + 0.1);
  });

  it('joins Devanagari consonants, and puts the short i before them', async () => {
    const conjunct = await outlineText('क्ष', 'sans');
    expect(conjunct.width).toBeLessThan((await outlineText('कष', 'sans')).width * 0.75);
    const consonant = (await outlineText('न', 'sans')).draw(0, 0, 100);
    const syllable = (await outlineText('नि', 'sans')).draw(0, 0, 100);
    expect(syllable.startsWith(consonant.slice(0, 12))).toBe(false);
  });

  it('shows an emoji of several characters as one picture', async () => {
    const one = (await outlineText('👩', 'sans')).width;
    for (const sequence of ['👩‍👩‍👧', '👋🏽', '🇩🇪', '1️⃣'])
      expect((await outlineText(sequence, 'sans')).width).toBeLessThan(one * 1.2);
  });

  it.each([
    ['𒀀', '𒀀 (U+12000)'],
    ['Menu 𒀀 𓀀', '𒀀 (U+12000), 𓀀 (U+13000)'],
    ['\ue000', '(U+E000)'],
  ])(
    'that no font can draw is refused, naming frame.text and every such character: %s',
    async (text, named) => {
      const refused = outlineText(text, 'sans');
      await expect(refused).rejects.toThrow(/^frame\.text has /);
      await expect(refused).rejects.toThrow(`${named}, which no caption font can draw`);
    },
  );
});

describe('one caption is set in one face', () => {
  const familiesOf = async (text: string, font: (typeof frameFonts)[number]) => [
    ...new Set(Array.from((await chooseFaces(text, font)).values(), ({ family }) => family)),
  ];

  it.each([
    ['Scan me', 'serif', ['playfair-display']],
    // Playfair Display has no Greek, so the whole caption uses another face.
    ['Menu Ελληνικά', 'serif', ['inter']],
    ['Menu תפריט', 'rounded', ['rubik']],
    ['Menu 扫码', 'sans', ['noto-sans-sc']],
    ['Menu สแกน', 'display', ['noto-sans-thai']],
    ['Menu मेनू', 'mono', ['noto-sans-devanagari']],
    ['メニュー漢字', 'sans', ['noto-sans-jp']],
    ['메뉴 보기', 'sans', ['noto-sans-kr']],
    // Emoji are pictures next to the text.
    ['Menu 🍕', 'serif', ['playfair-display', 'noto-emoji']],
    // No face has both: each script is set in its own face.
    ['Ελληνικά สแกน', 'sans', ['inter', 'noto-sans-thai']],
  ] as const)('%s in %s', async (text, font, families) => {
    expect((await familiesOf(text, font)).sort()).toEqual([...families].sort());
  });

  it('in a substitute face is as heavy', async () => {
    const weights = async (font: (typeof frameFonts)[number]) => [
      ...new Set(Array.from((await chooseFaces('扫码', font)).values(), ({ weight }) => weight)),
    ];
    expect(await weights('rounded')).toEqual([800]);
    expect(await weights('sans')).toEqual([700]);
  });
});
