/** Logos made to stop the service: each costs its sender a refusal, and other senders nothing. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientError } from '#shared/errors.ts';
import { createRenderer, type RenderRequest, resolveStyle } from '../index.ts';
import { readSvg } from './svg/read-svg.ts';
import { whileStopped } from './testing/stop-processes.ts';

const payload = 'https://qr.example.com/r/abc123XYZ';

const svg = (content: string, head = ''): string =>
  `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100">${content}</svg>`;

const request = (file: string | Buffer): RenderRequest => ({
  payload,
  format: 'svg',
  width: 200,
  look: resolveStyle({ image: `data:image/svg+xml;base64,${Buffer.from(file).toString('base64')}` }),
});

const plain: RenderRequest = { payload, format: 'webp', width: 200, look: resolveStyle({}) };

/** Pseudo-random integers below 100, the same in every run. */
const createDice = () => {
  let state = 1;
  return (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * 100);
  };
};

/** A path as long as a logo's may be, which crosses itself so often that it takes seconds. */
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

const dashed = (attributes: string): string =>
  `<circle r="99" stroke="red" stroke-dasharray=".1" ${attributes}/>`;

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
  'ten million dashes': svg(dashed('').repeat(3_500)),
  'a gradient of 2,400 stops, 2,400 times': svg(
    `<linearGradient id="g">${Array.from({ length: 2_400 }, (_, i) => `<stop offset="${i / 2_400}"/>`).join('')}</linearGradient><g fill="url(#g)">${'<path d="M0 0h99v99H0"/>'.repeat(2_400)}</g>`,
  ),
  'clipped groups in clipped groups': svg(
    `<clipPath id="c"><circle r="99"/></clipPath>${'<g clip-path="url(#c)">'.repeat(60)}${'<path d="M0 0h9v9"/>'.repeat(3_000)}${'</g>'.repeat(60)}`,
  ),
  'repetitions by use, faded each time': svg(
    `<path id="a" d="M0 0h9v9"/>${'<use href="#a" opacity=".5"/>'.repeat(4_900)}`,
  ),
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
  // Each is refused for its content, not for the time that a busy machine takes.
  const renderer = createRenderer({ threads: 1, logoMsMax: 20_000 });
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

const refusalOf = (content: string): string => {
  try {
    readSvg(Buffer.from(svg(content)));
    return 'none';
  } catch (error) {
    if (error instanceof ClientError) return error.message;
    throw error;
  }
};

/** SVGs of less than 200 kB each. */
const finelyDashed: Record<string, string> = {
  'circles of ten million dashes': dashed('').repeat(3_500),
  'dashes of a group': `<g stroke="red" stroke-dasharray=".1">${'<circle r="99"/>'.repeat(3_500)}</g>`,
  'dashes of a style sheet': `<style>circle{stroke:red;stroke-dasharray:.1}</style>${'<circle r="99"/>'.repeat(3_500)}`,
  'dashes of a style': '<circle r="99" stroke="red" style="stroke-dasharray:.1/**/.1"><g/></circle>'.repeat(
    2_400,
  ),
  'dashes that use repeats': `<defs><g id="a">${'<circle r="99"/>'.repeat(50)}</g></defs>${'<use href="#a" stroke="red" stroke-dasharray="1e-1"/>'.repeat(100)}`,
  'dashes of a mask and of a pattern': `<mask id="m">${dashed('').repeat(20)}</mask><pattern id="p" width="9" height="9">${dashed('').repeat(20)}</pattern><g fill="url(#p)">${'<rect width="9" height="9" mask="url(#m)"/>'.repeat(2)}</g>`,
  'dashes along curves and arcs': `<path stroke="red" stroke-dasharray=".01" d="M0 0${'c99 99-99 99 0 0a50 50 0 0 1 9 9'.repeat(500)}"/>`,
  'dashes in parts of a picture': `<g stroke="red" stroke-dasharray=".001%">${'<ellipse rx="99%" ry="9mm"/>'.repeat(900)}</g>`,
  'dashes that overlap': `<g fill="none" stroke="red" stroke-width="80" stroke-linecap="round" stroke-dasharray=".03">${'<circle r="45"/>'.repeat(20)}</g>`,
  'dashes of an outline that is drawn larger':
    '<g transform="scale(1e6)"><circle r="99" stroke="red" stroke-dasharray="1" vector-effect="non-scaling-stroke"/></g>',
  'lists of 40,000 dashes of outlines without a stroke': `<g stroke-dasharray="${'1 '.repeat(40_000)}">${'<path d="M0 0h9"/>'.repeat(3_000)}</g>`,
  'lists of 40,000 dashes': `<g stroke="red" stroke-dasharray="${'1 '.repeat(40_000)}">${'<path d="M0 0h9"/>'.repeat(3_000)}</g>`,
};

/** SVGs of less than 200 kB each, in a picture of 100 units. */
const farBeyond: Record<string, [content: string, names: RegExp]> = {
  'pattern tiles of 2,000 units': [
    `<pattern id="p" width="2000" height="2000" patternUnits="userSpaceOnUse"><path d="M0 0h9v9z"/></pattern>${'<rect width="100" height="100" fill="url(#p)"/>'.repeat(29)}`,
    /tiles of its patterns/,
  ],
  'pattern tiles that are drawn larger': [
    `<pattern id="p" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="scale(200)"><path d="M0 0h9v9z"/></pattern>${'<rect width="100" height="100" fill="url(#p)"/>'.repeat(29)}`,
    /tiles of its patterns/,
  ],
  'pattern tiles of twenty times what they fill': [
    `<pattern id="p" width="20" height="20"><path d="M0 0h9v9z"/></pattern>${'<rect width="100" height="100" fill="url(#p)"/>'.repeat(29)}`,
    /tiles of its patterns/,
  ],
  'circles of 60,000 units': ['<circle r="60000"/>'.repeat(4_900), /outlines/],
  'circles that are drawn larger': [
    `<g transform="scale(600)">${'<circle r="100"/>'.repeat(4_900)}</g>`,
    /outlines/,
  ],
  'circles that a matrix draws larger': [
    `<g transform="matrix(0 600 -600 0 1 1)">${'<circle r="100"/>'.repeat(4_900)}</g>`,
    /outlines/,
  ],
  'circles in a viewport of its own': [
    `<svg width="100" height="100" viewBox="0 0 .1 .1">${'<circle r="60"/>'.repeat(4_900)}</svg>`,
    /outlines/,
  ],
  'curves of data that ends in an error': [
    `<path d="M0 0a60000 60000 0 1 0 1 1 x"/>`.repeat(4_000),
    /outlines/,
  ],
};

describe('a logo that draws far beyond its picture', () => {
  it.each(Object.entries(farBeyond))('is refused before anything is drawn: %s', (_, [content, names]) => {
    expect(svg(content).length).toBeLessThan(200_000);
    expect(refusalOf(content)).toMatch(/^image asks for too much: /);
    expect(refusalOf(content)).toMatch(names);
  });
});

/** Parts found in drawings of ordinary editors. */
const ordinary: Record<string, string> = {
  'a dashed ring': dashed('stroke-width="10" stroke-linecap="round"').replace('".1"', '"4 2"'),
  'a route on a map': `<path fill="none" stroke="red" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" stroke-dasharray="0,4" d="M0 0${'c9 9 1-20 20 5s3-7 9 9a5 3 10 11 5 5z'.repeat(40)}"/>`,
  'a hundred stippled coasts': `<g fill="none" stroke="#333" stroke-width=".3" stroke-dasharray=".5">${'<path d="M5 5c9 9 50 20 80 80Q3 3 9 60T9 9"/>'.repeat(100)}</g>`,
  'fine dashes of outlines without a stroke': `<g stroke="none" stroke-dasharray=".001">${'<circle r="99"/>'.repeat(1_000)}</g>`,
  'dashes without a length, which are solid': dashed('').replace('".1"', '"0 0"').repeat(100),
  'an invalid list of dashes, which is solid': dashed('').replace('".1"', '"-1 .001"').repeat(100),
  'none, for the outlines in a group of dashes': `<g stroke="red" stroke-dasharray=".0001">${'<circle r="99" stroke-dasharray="none"/>'.repeat(100)}</g>`,
  'dashes in a drawing that is scaled': `<g transform="scale(.001)"><circle r="45000" stroke="red" stroke-width="5000" stroke-dasharray="2000"/></g>${dashed('').replace('".1"', '"1"')}`,
  'a horizon that is a part of a huge circle':
    '<circle cx="50" cy="60100" r="60000"/><rect x="-5000" width="10000" height="50"/>',
  'patterns as large as the picture': `<pattern id="p" width="100%" height="100%"><path d="M0 0h9v9z"/></pattern>${'<rect width="100" height="100" fill="url(#p)"/>'.repeat(9)}`,
  'a clip path with fine dashes': `<clipPath id="c"><g>${dashed('').replace('.1', '.0001')}</g></clipPath><rect clip-path="url(#c)"/>`,
};

describe('a logo with dashed strokes', () => {
  it('is refused with the number of its dashes and the number allowed', () => {
    expect(refusalOf(dashed('').repeat(3_500))).toMatch(
      /^image asks for too much: its stroke-dasharray cuts strokes into as much as \d+ thin dashes, repetitions included, and may cut them into 250000;/,
    );
  });

  it.each(Object.entries(finelyDashed))('is refused before anything is drawn: %s', (_, content) => {
    expect(svg(content).length).toBeLessThan(200_000);
    expect(refusalOf(content)).toMatch(/^image .*stroke-dasharray/);
  });

  it.each(Object.entries(ordinary))('is drawn: %s', (_, content) => {
    expect(refusalOf(content)).toBe('none');
  });
});

/** SVGs within all limits that take the rasteriser too long, which only drawing them shows. */
const endless: string[] = [
  svg(tangle(2_000)),
  svg(tangle(2_000, 'fill-rule="evenodd"')),
  svg(tangle(2_500, 'fill="none" stroke="#000" stroke-linejoin="round"')),
  svg(tangle(2_500, 'fill="none" stroke="#000" stroke-width="3"')),
  svg(`<g transform="scale(.01)">${tangle(2_200)}</g>${tangle(2_000, 'opacity=".5"')}`),
];

describe('a logo that takes too long', () => {
  it('holds up no other picture or file, is refused, and leaves no process behind', async () => {
    const renderer = createRenderer({ threads: 1, logoMsMax: 2_000 });
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
    // More than the process's threads for files.
    expect(endless.length).toBeGreaterThan(4);
    for (let each = 0; each < 5; each++) {
      await renderer.render(plain);
      expect((await readFile(fileURLToPath(import.meta.url))).length).toBeGreaterThan(0);
    }
    expect(ended).toBeLessThan(endless.length);
    // None is drawn in time, however fast the machine.
    const answers = await whileStopped(() => Promise.all(refusals));
    const late = answers.filter(({ code }) => code === 'UNPROCESSABLE');
    // A logo that waited too long behind the others is refused with UNAVAILABLE.
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
