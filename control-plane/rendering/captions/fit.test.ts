import { describe, expect, it } from 'vitest';
import { frameFonts, frameIds, frameTextLengthMax } from '#schemas/api/style.ts';
import { frameKinds } from '../frames/frame-kinds.ts';
import { resolveStyle } from '../look/resolve-style.ts';
import { setCaption } from './caption.ts';
import { capHeightMin, type FittedCaption, fitCaption } from './fit.ts';

type FrameId = Exclude<(typeof frameIds)[number], 'none'>;
const framed = frameIds.filter((id) => id !== 'none');

const fitIn = async (
  text: string,
  id: FrameId = 'banner',
  font: (typeof frameFonts)[number] = 'sans',
): Promise<FittedCaption> => {
  const { frame } = resolveStyle({ frame: { id, text, font } });
  const caption = frame && (await setCaption(frame));
  if (!caption) throw new Error('a caption was expected');
  return fitCaption(caption, frameKinds[id].captionBoxes);
};

const capHeight = ({ lines, size }: FittedCaption): number => lines[0]!.capHeight * size;

/** Whether the caption has the expected lines, compared by their outlines. */
const linesOf = async (text: string, expected: readonly string[]): Promise<boolean> => {
  const { lines } = await fitIn(text);
  const wanted = await Promise.all(
    expected.map(
      async (line) => (await setCaption(resolveStyle({ frame: { id: 'banner', text: line } }).frame!))!,
    ),
  );
  return (
    lines.length === expected.length &&
    lines.every((line, index) => line.draw(0, 0, 100) === wanted[index]!.settings[0]![0]!.draw(0, 0, 100))
  );
};

describe('a caption', () => {
  it('that fits is on one line at full size', async () => {
    for (const id of framed) {
      const { lines, size } = await fitIn('Scan me', id);
      expect([lines.length, size]).toEqual([1, frameKinds[id].captionBoxes[0].size]);
    }
  });

  it('shrinks on one line while it stays legible', async () => {
    const fitted = await fitIn('Scan for our menu');
    expect(fitted.lines).toHaveLength(1);
    expect(fitted.size).toBeLessThan(frameKinds.banner.captionBoxes[0].size);
    expect(capHeight(fitted)).toBeGreaterThanOrEqual(capHeightMin);
  });

  it('wraps to two lines before it becomes illegible, at the space that balances them best', async () => {
    expect(await linesOf('Scan to see our new menu', ['Scan to see', 'our new menu'])).toBe(true);
  });

  it.each([
    ['example.com/summer-sale!', ['example.com/', 'summer-sale!']],
    ['请用手机扫描二维码查看本店全部菜单和今日特价', ['请用手机扫描二维码查看', '本店全部菜单和今日特价']],
  ])('without spaces wraps between words: %s', async (text, lines) => {
    expect(await linesOf(text, lines)).toBe(true);
  });

  it.each(frameFonts)(
    'in the %s font has capitals higher than a twenty-second of the code’s side, however wide its letters',
    async (font) => {
      for (const id of framed) {
        for (const text of ['WWWWWWWWWWWW WWWWWWWWWWW', 'W'.repeat(frameTextLengthMax)])
          expect(capHeight(await fitIn(text, id, font)), `${id} ${text}`).toBeGreaterThanOrEqual(45);
      }
    },
  );

  it('of one long word breaks within the word rather than become illegible', async () => {
    const fitted = await fitIn('Donaudampfschiffahrtsges');
    expect(fitted.lines).toHaveLength(2);
    expect(capHeight(fitted)).toBeGreaterThanOrEqual(capHeightMin);
  });

  it('with marks above and below its letters stays in its box', async () => {
    for (const id of framed) {
      for (const text of ['ปี่ญู ผู้ใหญ่', 'हिन्दू मूर्ति', 'ÅŸǴĢ', 'ผู้ใหญ่ ที่นี่ น้ำ ปี่ญู ก็']) {
        const { lines, size } = await fitIn(text, id);
        const box = frameKinds[id].captionBoxes[lines.length - 1]!;
        const ink = lines.length === 1 ? (lines[0]!.ascent + lines[0]!.descent) * size : 0;
        expect(ink).toBeLessThanOrEqual(box.height + 1e-9);
        for (const { width } of lines) expect(width * size).toBeLessThanOrEqual(box.width + 1e-9);
      }
    }
  });
});
