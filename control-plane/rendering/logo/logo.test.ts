import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { prepareLogo } from './index.ts';
import { whySvgRefused } from './svg.ts';

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c81e1e' } });

const uri = (type: string, file: Buffer | string) =>
  `data:image/${type};base64,${Buffer.from(file).toString('base64')}`;

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">${content}</svg>`;

describe('a logo', () => {
  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('of type %s becomes a PNG of its shape', async (type) => {
    const file = await picture(40, 20).toFormat(type).toBuffer();
    const logo = await prepareLogo(uri(type, file));
    expect(logo).toMatchObject({ width: 40, height: 20 });
    const png = Buffer.from(logo.href.slice('data:image/png;base64,'.length), 'base64');
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 40, height: 20 });
  });

  it('as an SVG is drawn as large as it can be needed', async () => {
    const logo = await prepareLogo(uri('svg+xml', svg('<path d="M0 0h40v20z" fill="url(#a)"/>')));
    expect(logo).toMatchObject({ width: 768, height: 384 });
  });

  it('of many pixels is made small', async () => {
    expect(await prepareLogo(uri('png', await picture(2000, 1000).png().toBuffer()))).toMatchObject({
      width: 768,
      height: 384,
    });
  });

  it('may come as base64 alone, and as image/jpg', async () => {
    const file = await picture(9, 9).jpeg().toBuffer();
    expect((await prepareLogo(file.toString('base64'))).width).toBe(9);
    expect((await prepareLogo(uri('jpg', file))).width).toBe(9);
  });

  it('that lies about its type is refused', async () => {
    const file = await picture(9, 9).jpeg().toBuffer();
    await expect(prepareLogo(uri('png', file))).rejects.toThrow('image says that it is png, and is jpeg');
  });

  it('that is damaged or no picture is refused', async () => {
    const file = await picture(90, 90).png().toBuffer();
    await expect(prepareLogo(uri('png', file.subarray(0, 60)))).rejects.toMatchObject({
      code: 'UNPROCESSABLE',
    });
    await expect(prepareLogo(uri('png', 'not a picture'))).rejects.toThrow('image cannot be read');
    await expect(prepareLogo(uri('svg+xml', '<html/>'))).rejects.toMatchObject({ code: 'UNPROCESSABLE' });
  });

  it('of more than 50 megapixels is refused before it is decoded', async () => {
    // The head of a PNG of 10,000 × 10,000 pixels; the rest is missing, so that decoding would fail in another way.
    const file = await picture(10, 10).png().toBuffer();
    file.writeUInt32BE(10_000, 16);
    file.writeUInt32BE(10_000, 20);
    file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
    await expect(prepareLogo(uri('png', file))).rejects.toThrow('image has 100 megapixels, more than 50');
  });

  it('of more than a megabyte is refused', async () => {
    await expect(prepareLogo(uri('png', Buffer.alloc(2 ** 20 + 1)))).rejects.toThrow(
      'must not be larger than 1 MB',
    );
  });
});

describe('an SVG that is more than a drawing is refused, naming what it has', () => {
  it.each([
    ['<script>alert(1)</script>', 'the element script'],
    ['<path onload="alert(1)"/>', 'the script onload'],
    ['<foreignObject><b/></foreignObject>', 'the element foreignObject'],
    ['<image href="https://example.com/x.png"/>', 'the element image'],
    ['<use href="https://example.com/x.svg#a"/>', 'a reference to something outside it'],
    ['<use xlink:href="&#x68;ttps://example.com/"/>', 'a reference to something outside it'],
    ['<a href="#x"><path/></a>', 'the element a'],
    ['<path fill="url(https://example.com/)"/>', 'url() of something outside it'],
    ['<style>@import "x.css";</style>', '@import'],
    ['<style><![CDATA[path{fill:url(//example.com)}]]></style>', 'url() of something outside it'],
    ['<path style="fill:\\75rl(x)"/>', 'escapes in its styles'],
    ['<text>Hi</text>', 'text, whose font is not in it'],
    ['<animate/>', 'the element animate'],
    ['<?xml-stylesheet href="x"?>', 'declarations of its own'],
    ['<!ENTITY a "b">', 'declarations of its own'],
    ['<use href="#a"/>'.repeat(201), 'more than 200 elements use'],
  ])('%s', (content, why) => {
    expect(whySvgRefused(svg(content))).toContain(why);
  });

  it('also where entities are declared before it', () => {
    expect(whySvgRefused(`<!DOCTYPE svg [<!ENTITY a "b">]>${svg('')}`)).toBeDefined();
  });

  it('while drawings of common editors are not', () => {
    const drawing = `<?xml version="1.0"?><!-- made by hand --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd">
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">
      <metadata><rdf:RDF/></metadata><defs><linearGradient id="g"><stop stop-color="red"/></linearGradient></defs>
      <style>.a{fill:url(#g)}</style><g class="a"><path id="p" d="M0 0h9v9z"/><use xlink:href="#p"/></g></svg>`;
    expect(whySvgRefused(drawing)).toBeUndefined();
  });
});
