/** Logos that are made to stop the service: each costs its sender a refusal, and nobody else anything. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientError } from '#shared/errors.ts';
import { createRenderer, type RenderRequest, resolveStyle } from '../index.ts';

const payload = 'https://qr.example.com/r/abc123XYZ';

const svg = (content: string, head = ''): string =>
  `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100">${content}</svg>`;

const request = (file: string | Buffer): RenderRequest => ({
  payload,
  format: 'svg',
  width: 200,
  style: resolveStyle({ image: `data:image/svg+xml;base64,${Buffer.from(file).toString('base64')}` }),
});

const plain: RenderRequest = { payload, format: 'webp', width: 200, style: resolveStyle({}) };

/** Whole numbers below 100 that look thrown, the same in every run. */
const createDice = () => {
  let state = 1;
  return (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * 100);
  };
};

/** A path that crosses itself so often that it takes seconds, and is as long as a logo's may be. */
const tangle = (curves: number, attributes = ''): string => {
  const dice = createDice();
  const points = Array.from({ length: curves }, () => `C${Array.from({ length: 6 }, dice).join(' ')}`);
  return `<path ${attributes} d="M0 0${points.join('')}"/>`;
};

const nest = (count: number, element: string, use: (id: string) => string, times = 1): string =>
  Array.from(
    { length: count },
    (_, i) =>
      `<${element} id="a${i}">${i === 0 ? '<path d="M0 0h9v9z"/>' : use(`a${i - 1}`).repeat(times)}</${element}>`,
  ).join('');

const laughs = `<!DOCTYPE svg [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, i) => `<!ENTITY ${'bcdefghij'[i]} "${`&${'abcdefghi'[i]};`.repeat(10)}">`).join('')}]>`;

const attack: Record<string, string | Buffer> = {
  'a billion laughs': svg('<path d="&j;"/>', laughs),
  'an external entity': svg('<path d="&a;"/>', '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>'),
  'use in use, ten levels of five': svg(nest(11, 'g', (id) => `<use href="#${id}"/>`, 5)),
  'use of itself': svg('<g id="a"><use href="#a"/></g>'),
  'patterns in patterns': svg(
    `${nest(9, 'pattern', (id) => `<rect fill="url(#${id})"/>`, 5)}<rect fill="url(#a8)"/>`,
  ),
  'a pattern of itself': svg(
    '<pattern id="a" width="1" height="1"><rect fill="url(#a)"/></pattern><rect fill="url(#a)"/>',
  ),
  'masks in masks': svg(
    `${nest(200, 'mask', (id) => `<rect mask="url(#${id})"/>`)}<rect mask="url(#a199)"/>`,
  ),
  'a mask of itself': svg('<mask id="a"><rect mask="url(#a)"/></mask><rect mask="url(#a)"/>'),
  'markers in markers': svg(nest(9, 'marker', (id) => `<path marker-start="url(#${id})"/>`, 9)),
  'clip paths in clip paths': svg(
    `${nest(9, 'clipPath', (id) => `<rect clip-path="url(#${id})"/>`, 5)}<rect clip-path="url(#a8)"/>`,
  ),
  'a huge filter region': svg(
    '<filter id="f" x="-1e9" y="-1e9" width="2e9" height="2e9"/><rect filter="url(#f)"/>',
  ),
  turbulence: svg('<filter id="f"><feTurbulence numOctaves="9999"/></filter><rect filter="url(#f)"/>'),
  'a filter of the style sheet': svg('<style>rect{filter:blur(999px)}</style><rect/>'),
  'patterns of a hundredth, a hundred times': svg(
    `<pattern id="p" width=".01" height=".01"><rect width="1" height="1"/></pattern>${'<rect width="100" height="100" fill="url(#p)"/>'.repeat(100)}`,
  ),
  'a path of 60,000 points': svg(`<path d="M0 0${'h1'.repeat(60_000)}"/>`),
  'text in a font': svg('<text font-family="x">a</text>'),
  'a foreign object': svg('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>'),
  'an imported style': svg('<style>@import url(http://127.0.0.1/);</style>'),
  'a style of many brackets': svg(`<style>path{fill:${'('.repeat(50_000)}}</style><path/>`),
  'a style of many rules': svg(`<style>${'path{fill:red}'.repeat(5_000)}</style>${'<path/>'.repeat(1_000)}`),
  'a script': svg('<script>for(;;);</script>'),
  'a script in CDATA': svg('<style><![CDATA[</style><script>for(;;);</script>]]></style><script/>'),
  'a script between comments': svg('<!-- <metadata> --><script/><!-- </metadata> -->'),
  'a style sheet elsewhere': svg('', '<?xml-stylesheet href="http://127.0.0.1/"?>'),
  'another file': svg('<use xlink:href="file:///etc/passwd#a"/>'),
  'a picture in it': svg('<image href="data:image/png;base64,iVBORw0KGgo="/>'),
  'itself in UTF-16': Buffer.from(`\ufeff${svg('<rect/>')}`, 'utf16le'),
  'a NUL': svg('<rect \u0000/>'),
  '100,000 attributes': svg(`<rect ${Array.from({ length: 100_000 }, (_, i) => `a${i}=""`).join(' ')}/>`),
  '20,000 attributes': svg(`<script ${Array.from({ length: 15_000 }, (_, i) => `a${i}=""`).join(' ')}/>`),
  '10,000 levels': svg(`${'<g>'.repeat(10_000)}${'</g>'.repeat(10_000)}`),
  'no end': `${svg('').slice(0, -6)}${'<g>'.repeat(10)}`,
};

describe('a hostile SVG', () => {
  const renderer = createRenderer({ threads: 1 });
  afterAll(() => renderer.close());

  it.each(Object.entries(attack))('%s is refused, naming image', async (_, file) => {
    const refused = await renderer.render(request(file)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ClientError);
    expect(refused).toMatchObject({
      code: 'UNPROCESSABLE',
      message: expect.stringMatching(/^image (?!takes)/),
    });
  });
});

/** Within what may be asked for, and yet without an end in sight: only the rasteriser finds out. */
const endless: string[] = [
  svg(tangle(2_000)),
  svg(tangle(2_000, 'fill-rule="evenodd"')),
  svg(tangle(2_500, 'fill="none" stroke="#000" stroke-linejoin="round"')),
  svg(tangle(2_500, 'fill="none" stroke="#000" stroke-dasharray=".01"')),
  svg(`<g transform="scale(.01)">${tangle(2_200)}</g>${tangle(2_000, 'opacity=".5"')}`),
];

describe('a logo that takes too long', () => {
  it('keeps no other picture and no file waiting, is refused, and leaves no process behind', async () => {
    const renderer = createRenderer({ threads: 1, logoMsMax: 3_000 });
    await renderer.render(plain);
    let ended = 0;
    const refusals = endless.map((file) =>
      renderer.render(request(file)).then(
        () => ({ code: 'none', message: 'rendered' }),
        (error: ClientError) => {
          ended++;
          return error;
        },
      ),
    );
    // More of them than the process has threads for files.
    expect(endless.length).toBeGreaterThan(4);
    for (let each = 0; each < 5; each++) {
      await renderer.render(plain);
      expect((await readFile(fileURLToPath(import.meta.url))).length).toBeGreaterThan(0);
    }
    expect(ended).toBeLessThan(endless.length);
    const answers = await Promise.all(refusals);
    const late = answers.filter(({ code }) => code === 'UNPROCESSABLE');
    // Whoever had to wait for so long behind the others is told to come again.
    expect(answers.filter(({ code }) => code === 'UNAVAILABLE').length + late.length).toBe(endless.length);
    expect(late.length).toBeGreaterThan(0);
    for (const { message } of late)
      expect(message).toBe('image takes too long to draw: give a simpler or a smaller one');
    // The next logo gets a fresh process.
    const good = await renderer.render(request(svg('<rect width="100" height="100" fill="#c81e1e"/>')));
    expect(good.decoded).toBe('yes');
    await renderer.close();
  });
});
