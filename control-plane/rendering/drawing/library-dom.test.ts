import { describe, expect, it } from 'vitest';
import { toContent } from '../vector/layers.ts';
import { createLibraryDom } from './library-dom.ts';

type Attributes = Record<string, string>;

/** Draws as the library does: clip paths of shapes, each with a coloured rectangle. */
const createPage = () => {
  const { jsdom, drawn } = createLibraryDom();
  const { document, XMLSerializer } = new jsdom().window;
  const create = (name: string, attributes: Attributes = {}) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const svg = create('svg');
  const defs = svg.appendChild(create('defs'));
  return {
    create,
    svg,
    defs,
    fill(id: string, fill: string, ...shapes: [string, Attributes][]): void {
      const clip = defs.appendChild(create('clipPath', { id: `clip-path-${id}` }));
      for (const [name, attributes] of shapes) clip.appendChild(create(name, attributes));
      svg.appendChild(create('rect', { 'clip-path': `url('#clip-path-${id}')`, fill }));
    },
    drawn(): string {
      new XMLSerializer().serializeToString(svg);
      return toContent(drawn());
    },
  };
};

const square = (x: number, y: number): [string, Attributes] => [
  'rect',
  { x: String(x), y: String(y), width: '10', height: '10', transform: `rotate(0,${x + 5},${y + 5})` },
];

const shapeAt = (d: string, degrees: number): [string, Attributes] => [
  'path',
  { d, transform: `rotate(${degrees},5,5)` },
];

describe('the flat document', () => {
  it('merges only squares that touch in a row', () => {
    const page = createPage();
    page.fill('dots-7', '#000', square(0, 0), square(10, 0), square(30, 0), square(0, 10));
    expect(page.drawn()).toBe('<path fill="#000" d="M0 0h20v10h-20zM30 0h10v10h-10zM0 10h10v10h-10z"/>');
  });

  it('joins neighbours of one colour into one path, keeping the order of colours', () => {
    const page = createPage();
    page.fill('a', '#000', square(0, 0));
    page.fill('b', '#000', square(20, 0));
    page.fill('c', '#f00', square(40, 0));
    expect(page.drawn()).toBe(
      '<path fill="#000" d="M0 0h10v10h-10zM20 0h10v10h-10z"/><path fill="#f00" d="M40 0h10v10h-10z"/>',
    );
  });

  it.each([
    [0, 'M0 0v10h5a5 5 0 0 0 0 -10z'],
    [90, 'M10 0h-10v5a5 5 0 0 0 10 0z'],
    [180, 'M10 10v-10h-5a5 5 0 0 0 0 10z'],
    [-90, 'M0 10h10v-5a5 5 0 0 0 -10 0z'],
  ])('folds a turn of %i degrees into the coordinates', (degrees, path) => {
    const page = createPage();
    page.fill('dots', '#000', shapeAt('M 0 0v 10h 5a 5 5, 0, 0, 0, 0 -10', degrees));
    expect(page.drawn()).toBe(`<path fill="#000" d="${path}"/>`);
  });

  it('draws circles, and rings of several parts', () => {
    const page = createPage();
    page.fill('a', '#000', ['circle', { cx: '5', cy: '5', r: '5' }]);
    page.fill('b', '#111', shapeAt('M 0 0v 70h 70v -70zM 10 10h 50v 50h -50z', 0));
    expect(page.drawn()).toBe(
      '<path fill="#000" d="M0 5a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z"/>' +
        '<path fill="#111" d="M0 0v70h70v-70zm10 10h50v50h-50z"/>',
    );
  });

  it('leaves out shapes that are transparent or empty', () => {
    const page = createPage();
    page.fill('background-color-0', 'transparent', square(0, 0));
    page.fill('dots', '#000');
    expect(page.drawn()).toBe('');
  });

  it('gives gradients ids that depend only on the drawing', () => {
    const page = createPage();
    const gradient = page.create('radialGradient', {
      id: 'dot-color-812',
      cx: '5',
      cy: '6',
      r: '7',
    });
    gradient.appendChild(page.create('stop', { offset: '50%', 'stop-color': '#abcdef' }));
    page.defs.appendChild(gradient);
    page.fill('dot-color-812', "url('#dot-color-812')", square(0, 0));
    expect(page.drawn()).toBe(
      '<defs><radialGradient id="qr0" gradientUnits="userSpaceOnUse" cx="5" cy="6" r="7"><stop offset="50%" stop-color="#abcdef"/>' +
        '</radialGradient></defs><path fill="url(#qr0)" d="M0 0h10v10h-10z"/>',
    );
  });

  it('escapes a caller’s values', () => {
    const page = createPage();
    page.fill('dots', '"/><script>&', square(0, 0));
    expect(page.drawn()).toBe('<path fill="&quot;/&gt;&lt;script&gt;&amp;" d="M0 0h10v10h-10z"/>');
  });

  it.each([
    ['transform', shapeAt('M 0 0h 1', 45)],
    ['path command', shapeAt('M 0 0q 1 1 2 2', 0)],
  ])('refuses a %s that it cannot fold, rather than draw something else', (what, shape) => {
    const page = createPage();
    page.fill('dots', '#000', shape);
    expect(() => page.drawn()).toThrow(`cannot fold the ${what}`);
  });
});
