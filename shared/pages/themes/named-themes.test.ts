import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Blob, Font, Face as FontData } from 'harfbuzzjs';
import { html } from 'hono/html';
import { describe, expect, test } from 'vitest';
import decompress from 'woff2-encoder/decompress';
import { themeNames } from '#schemas/api/blocks.ts';
import { renderShell, type ShellParts } from '../shell.ts';
import { capitals, type Face, measuredText } from './fonts.ts';
import { namedThemes, themeFonts } from './named-themes.ts';

const require = createRequire(import.meta.url);

const parts: ShellParts = { language: 'en', theme: {}, title: 'A page', body: html`<main></main>` };

const faces = [
  ...new Map(
    Object.values(namedThemes)
      .flatMap(({ title, text }) => [title, text])
      .map((face) => [`${face.family} ${face.weight}`, face] as const),
  ),
];

const bytesOf = async ({ family, weight }: Face): Promise<Uint8Array> =>
  decompress(
    await readFile(require.resolve(`@fontsource/${family}/files/${family}-latin-${weight}-normal.woff2`)),
  );

/** OpenType: the offset of a table in the file. */
const tableOf = (font: DataView, tag: string): number => {
  for (let at = 12; at < 12 + 16 * font.getUint16(4); at += 16)
    if (String.fromCharCode(...[0, 1, 2, 3].map((index) => font.getUint8(at + index))) === tag)
      return font.getUint32(at + 8);
  throw new Error(`The font has no ${tag}`);
};

const pathsIn = (text: string): string[] =>
  [...text.matchAll(/url\((\/fonts\/[^)]+)\)/g)].map(([, path]) => path!);

describe('a font of a named theme', () => {
  test.each(faces)('%s has the widths and heights that its stand-ins are scaled to', async (_, face) => {
    const bytes = await bytesOf(face);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const em = view.getUint16(tableOf(view, 'head') + 18);
    const hhea = tableOf(view, 'hhea');
    expect(view.getInt16(hhea + 4) / em).toBeCloseTo(face.ascent, 3);
    expect(-view.getInt16(hhea + 6) / em).toBeCloseTo(face.descent, 3);
    const font = new Font(new FontData(new Blob(bytes)));
    const text = face.standIns === capitals ? measuredText.toUpperCase() : measuredText;
    const advances = [...text].map((letter) =>
      font.glyphHAdvance(font.nominalGlyph(letter.codePointAt(0)!)!),
    );
    expect(advances.reduce((sum, each) => sum + each, 0) / text.length / em).toBeCloseTo(face.width, 3);
  });

  test('is found at its path, also with the hash of another version, and nowhere else', () => {
    const [path = ''] = pathsIn(renderShell({ ...parts, theme: { name: 'paper' } }).html);
    const file = themeFonts.at(path)!;
    expect([file.path, file.bytes.subarray(0, 4).toString()]).toEqual([path, 'wOF2']);
    expect(themeFonts.at(path.replace(/\.[0-9a-f]{8}\./, '.00000000.'))).toBe(file);
    for (const other of [`${path}/`, path.replace('/fonts/', '/'), '/fonts/../package.json', '/fonts/', ''])
      expect(themeFonts.at(other)).toBeUndefined();
  });
});

describe('a page', () => {
  test('without a named theme has no font, and may load none', () => {
    const page = renderShell({ ...parts, theme: { accent: '#9a3412' } });
    expect(page.html + page.contentSecurityPolicy).not.toMatch(/font-face|fonts\/|font-src/);
  });

  test.each(themeNames)(
    'in %s names two fonts, which are shown when they arrive, from its own host',
    (name) => {
      const page = renderShell({ ...parts, theme: { name } });
      const paths = pathsIn(page.html);
      expect(paths).toHaveLength(2);
      for (const path of paths) expect(themeFonts.at(path)?.path).toBe(path);
      expect(page.html.match(/font-display:swap/g)).toHaveLength(2);
      expect(page.contentSecurityPolicy).toContain("; font-src 'self'; ");
    },
  );

  test('has the letters of Central Europe only if its texts do', () => {
    const theme = { name: 'market' } as const;
    expect(pathsIn(renderShell({ ...parts, theme, title: 'Café Æther' }).html).join()).not.toContain('-ext-');
    for (const text of [{ title: 'Łódź' }, { body: html`<p>Žižkov` }])
      expect(pathsIn(renderShell({ ...parts, theme, ...text }).html).join()).toContain('-latin-ext-');
  });

  test('in Arabic loads no font for its digits, but one for a title in Latin letters', () => {
    const page = { ...parts, language: 'ar', theme: { name: 'noir' }, title: 'مطعم 7' } as const;
    expect(pathsIn(renderShell(page).html)).toEqual([]);
    expect(pathsIn(renderShell({ ...page, title: 'مطعم Yasmin' }).html)).toHaveLength(2);
  });
});
