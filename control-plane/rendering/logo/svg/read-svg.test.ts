import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { embedSvg } from '../../vector/embedded-svg.ts';
import { prepareLogo } from '../prepare-logo.ts';
import { readSvg } from './read-svg.ts';

const svg = (content: string, attributes = 'viewBox="0 0 40 20"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`;

const read = (text: string) => embedSvg(readSvg(Buffer.from(text)).parts, '', 'p');

/** The drawn part of a file: its content without the root. */
const drawn = (content: string) => read(svg(content)).replace(/^<svg[^>]*>|<\/svg>$/g, '');

describe('an SVG that is more than a drawing is refused, naming the part', () => {
  it.each([
    ['<script>alert(1)</script>', 'the element script'],
    ['<!-- <metadata> --><script>alert(1)</script><!-- </metadata> -->', 'the element script'],
    ['<desc><![CDATA[</desc>]]></desc><script/>', 'the element script'],
    ['<s:script xmlns:s="http://www.w3.org/2000/svg"/>', 'the element script'],
    ['<path onload="alert(1)"/>', 'the script onload'],
    ['<foreignObject><b/></foreignObject>', 'the element foreignObject'],
    ['<image href="https://example.com/x.png"/>', 'the element image'],
    ['<image href="data:image/png;base64,AAAA"/>', 'the element image'],
    ['<use href="https://example.com/x.svg#a"/>', 'a reference to something outside it'],
    [
      '<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="&#x68;ttps://example.com/"/>',
      'a reference to something outside it',
    ],
    ['<use href="data:image/svg+xml,%3Csvg/%3E#a"/>', 'a reference to something outside it'],
    ['<a href="#x"><path/></a>', 'the element a'],
    ['<path fill="url(https://example.com/)"/>', 'url() of something outside it'],
    ['<path fill="url(data:image/png;base64,AA)"/>', 'url() of something outside it'],
    ['<path fill="image-set(x)"/>', 'image-set() in fill'],
    ['<style>@import "x.css";</style>', '@import'],
    ['<style>@media print { path { fill: red } }</style>', '@media'],
    ['<style><![CDATA[path{fill:url(//example.com)}]]></style>', 'url() of something outside it'],
    ['<style>g > path { fill: red }</style>', 'the selector g>path: name an element, a class or an id'],
    ['<path style="fill:\\75rl(x)"/>', 'escapes in its styles'],
    ['<path style="transform: rotate(4deg)"/>', 'transform in its styles'],
    ['<path style="mix-blend-mode: multiply"/>', 'mix-blend-mode, which is not drawn'],
    ['<path filter="url(#f)"/>', 'filter, which is not drawn'],
    ['<filter id="f"><feTurbulence/></filter>', 'the element filter'],
    ['<marker id="m"/>', 'the element marker'],
    ['<text>Hi</text>', 'text, whose font is not in it'],
    ['<animate/>', 'the element animate'],
    ['<?xml-stylesheet href="x"?>', 'a style sheet outside it'],
  ])('%s', (content, why) => {
    expect(() => read(svg(content))).toThrow(`image must be a drawing and nothing else, and has ${why}`);
  });

  it.each([
    ['entities are declared', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('')}`, 'declarations of its own'],
    ['an entity is used', svg('<path d="&a;"/>'), 'not well-formed'],
    ['it is in UTF-16', Buffer.from(`\ufeff${svg('')}`, 'utf16le'), 'must be in UTF-8'],
    ['it declares another encoding', `<?xml version="1.0" encoding="latin1"?>${svg('')}`, 'latin1'],
    ['it contains a NUL', svg('<path d="\u0000"/>'), 'not well-formed'],
    ['it is not closed', svg('<g>'), 'not well-formed'],
    ['more text follows it', `${svg('')}<svg/>`, 'not well-formed'],
    ['it is another document', '<html/>', 'the element html'],
    ['it has no size', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'has no size'],
    ['its size is zero', svg('', 'width="0" height="0"'), 'has no size'],
    ['it is too long', svg('<g/>'.repeat(60_000)), 'must not be larger than 200 kB'],
    ['it is too deep', svg('<g>'.repeat(70) + '</g>'.repeat(70)), 'deeper than 64'],
    ['it has too many elements', svg('<g/>'.repeat(6_000)), 'more than 5000 elements'],
  ])('if %s', (_, file, why) => {
    expect(() => readSvg(Buffer.from(file))).toThrow(why);
  });
});

describe('an SVG that asks for more than a logo needs is refused before it is drawn', () => {
  const nested = (levels: number, times: number, element: string, refer: (id: string) => string): string =>
    Array.from({ length: levels }, (_, level) => {
      const inner = level === 0 ? '<path d="M0 0h9v9z"/>' : refer(`#l${level - 1}`).repeat(times);
      return `<${element} id="l${level}">${inner}</${element}>`;
    }).join('');
  const lines = (count: number) => `<path d="M0 0${'L9 9'.repeat(count)}"/>`;

  it.each([
    ['use in use', nested(10, 5, 'g', (id) => `<use href="${id}"/>`), 'elements'],
    [
      'masks in masks',
      `${nested(80, 1, 'mask', (id) => `<g mask="url(${id})"><path/></g>`)}<path mask="url(#l79)"/>`,
      'faded groups',
    ],
    [
      'patterns in patterns',
      `${nested(6, 5, 'pattern', (id) => `<path fill="url(${id})"/>`)}<path fill="url(#l5)"/>`,
      'elements',
    ],
    [
      'clip paths in clip paths',
      `${nested(8, 5, 'clipPath', (id) => `<path clip-path="url(${id})"/>`)}<path clip-path="url(#l7)"/>`,
      'elements',
    ],
    ['a path of 30,000 points', lines(30_000), 'path commands'],
    [
      'a path that is repeated',
      `<g id="p">${lines(2_000)}</g>${'<use href="#p"/>'.repeat(20)}`,
      'path commands',
    ],
    [
      'paint that a group passes on',
      `<pattern id="p">${'<path d="M0 0"/>'.repeat(50)}</pattern><g fill="url(#p)">${'<path/>'.repeat(300)}</g>`,
      'elements',
    ],
    ['faded groups', '<g opacity=".5"><path/></g>'.repeat(100), 'faded groups'],
  ])('%s', (_, content, what) => {
    expect(() => read(svg(content))).toThrow(
      new RegExp(`image asks for too much: it draws [\\d.e+]+ .*${what}, repetitions included`),
    );
  });

  it.each([
    ['use', '<g id="a"><use href="#a"/></g>'],
    ['a pattern', '<pattern id="a"><path fill="url(#a)"/></pattern>'],
    ['masks', '<mask id="a"><g mask="url(#b)"/></mask><mask id="b"><g mask="url(#a)"/></mask>'],
    ['a gradient', '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>'],
  ])('%s of itself', (_, content) => {
    expect(() => read(svg(content))).toThrow('refers to itself');
  });

  it('a chain of references that no drawing has', () => {
    const chain = Array.from({ length: 2_000 }, (_, i) => `<use id="u${i}" href="#u${i + 1}"/>`).join('');
    expect(() => read(svg(chain))).toThrow('deeper than');
  });
});

describe('a drawing is rewritten', () => {
  it('with only the drawn parts', () => {
    const file = `<?xml version="1.0"?><!-- made by hand --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd">
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:e="urn:editor"
        viewBox="0 0 9 9" e:zoom="3" data-name="x"><title>My logo</title><metadata><rdf:RDF xmlns:rdf="urn:r"/></metadata>
      <e:view><script/></e:view><defs><linearGradient id="g"><stop stop-color="red"/></linearGradient></defs>
      <style>.a{fill:url(#g)} path{stroke:blue}</style><g class="a"><path id="p" d="M0 0h9v9z"/><use xlink:href="#p"/></g></svg>`;
    expect(read(file)).toBe(
      '<svg viewBox="0 0 9 9" color="#000000" shape-rendering="auto">' +
        '<defs><linearGradient id="p0"><stop stop-color="red"/></linearGradient></defs>' +
        '<g fill="url(#p0)"><path d="M0 0h9v9z" stroke="blue" id="p1"/><use href="#p1"/></g></svg>',
    );
  });

  it('with its text escaped', () => {
    expect(drawn('<path stroke-dasharray="&quot;&lt;&amp;" fill=\'"&gt;\'/>')).toBe(
      '<path stroke-dasharray="&quot;&lt;&amp;" fill="&quot;&gt;"/>',
    );
  });

  it('with its styles as attributes, in order of precedence', () => {
    const style =
      '<style>path{fill:red;stroke:red} .b,.c:hover{fill:blue} #d{fill:lime} .e{opacity:.5!important} *{color:red}</style>';
    const fills = (content: string) => drawn(style + content);
    expect(fills('<path class="a b"/>')).toBe('<path color="red" fill="blue" stroke="red"/>');
    expect(fills('<path class="b" id="d"/>')).toContain('fill="lime"');
    expect(fills('<path class="c" fill="black"/>')).toContain('fill="red"');
    expect(fills('<path class="b" style="fill: #123456"/>')).toContain('fill="#123456"');
    expect(fills('<path class="e" style="opacity:1"/>')).toContain('opacity=".5"');
  });

  it('and looks the same', async () => {
    const file = svg(
      '<style>.a{fill:url(#g)}</style><defs><radialGradient id="g"><stop stop-color="#f00"/><stop offset="1" stop-color="#00f"/>' +
        '</radialGradient><clipPath id="c"><circle cx="20" cy="10" r="9"/></clipPath>' +
        '<pattern id="s" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="2" height="4" fill="#0a0"/></pattern>' +
        '<mask id="m"><rect width="40" height="20" fill="#888"/></mask></defs>' +
        '<rect class="a" width="40" height="20" clip-path="url(#c)"/><g mask="url(#m)"><rect width="9" height="9" fill="url(#s)"/></g>' +
        '<g transform="translate(30 3) rotate(20)" style="opacity:.7"><path d="M0 0h6v6z" fill="#fa0" stroke="#000"/></g>',
    );
    const prepared = await prepareLogo(Buffer.from(file).toString('base64'), 400);
    const own = Buffer.from(prepared.href.slice(prepared.href.indexOf(',') + 1), 'base64');
    const given = Buffer.from(file.replace('<svg ', '<svg width="400" height="200" '));
    const [left, right] = await Promise.all(
      [own, given].map((each) => sharp(each).ensureAlpha().raw().toBuffer()),
    );
    expect(left!.equals(right!)).toBe(true);
  });

  it.each([
    ['width="80" height="40"', [80, 40]],
    ['width="1in" height="48px"', [96, 48]],
    ['width="100%" height="100%" viewBox="0 0 30 20"', [30, 20]],
    ['viewBox="-5,-5 30,20"', [30, 20]],
  ])('as large as %s says', (attributes, size) => {
    const { width, height } = readSvg(Buffer.from(svg('', attributes)));
    expect([width, height]).toEqual(size);
  });
});
