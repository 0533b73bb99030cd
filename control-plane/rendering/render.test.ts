import { inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { frameIds, type Style } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { decodeQr } from '../../deploy/testing/decode.ts';
import { prepareLogo } from './logo/prepare-logo.ts';
import { resolveStyle } from './look/resolve-style.ts';
import { readsNeeded } from './proof/tally.ts';
import { render as renderTask } from './render.ts';
import { pictureFormats, type RenderRequest } from './request.ts';

const payload = 'https://qr.example.com/r/abc123XYZ';

const request = (style: Style, more: Partial<RenderRequest> = {}): RenderRequest => ({
  payload,
  look: resolveStyle(style),
  format: 'png',
  width: 400,
  ...more,
});

const render = async (request: RenderRequest) => {
  const { logo } = request.look;
  return renderTask({ ...request, logo: logo && (await prepareLogo(logo.image, 512)) });
};

const logo = (
  await sharp({ create: { width: 60, height: 60, channels: 3, background: '#c81e1e' } })
    .png()
    .toBuffer()
).toString('base64');

const gradient = {
  type: 'linear' as const,
  rotation: 0.5,
  colorStops: [
    { offset: 0, color: '#102a43' },
    { offset: 1, color: '#7b1e3a' },
  ],
};

const rich: Style = {
  dotsOptions: { type: 'rounded', color: gradient },
  frame: { id: 'banner', text: 'Grüße' },
  image: logo,
};

const pixelAt = async (picture: Buffer, left: number, top: number): Promise<number[]> => [
  ...(await sharp(picture).ensureAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer()),
];

describe('a picture', () => {
  it.each(pictureFormats)(
    'as %s has exactly the requested size, including frame and caption',
    async (format) => {
      for (const [width, height] of [
        [300, 300],
        [640, 360],
        [257, 512],
      ] as const) {
        const { body, contentType } = await render(request(rich, { format, width, height }));
        expect(contentType).toMatch(/^(image|application)\//);
        if (format === 'pdf') expect(body.toString('latin1')).toContain(`/MediaBox [0 0 ${width} ${height}]`);
        else expect(await sharp(body).metadata()).toMatchObject({ width, height });
      }
    },
  );

  it.each(pictureFormats)('as %s is the same to the byte for the same request', async (format) => {
    const [first, , second] = [
      await render(request(rich, { format })),
      await render(request({}, { format })),
      await render(request(rich, { format })),
    ];
    expect(first.body.equals(second.body)).toBe(true);
  });

  it.each(frameIds)('in the frame %s is read with and without its caption', async (id) => {
    for (const text of ['Scan me', '']) {
      const { body } = await render(request({ frame: { id, text } }));
      expect(await decodeQr(body)).toBe(payload);
    }
  });

  it('that is wider than high has the code in the middle, on its background', async () => {
    const style: Style = { backgroundOptions: { color: '#fde68a' } };
    for (const format of ['png', 'webp'] as const) {
      const { body } = await render(request(style, { format, width: 600, height: 300 }));
      expect(await pixelAt(body, 2, 150)).toEqual([0xfd, 0xe6, 0x8a, 255]);
      expect(await pixelAt(body, 150 + 36, 36)).toEqual([0, 0, 0, 255]);
      expect(await decodeQr(await sharp(body).png().toBuffer())).toBe(payload);
    }
  });

  it('with a transparent background is transparent, and white in a JPEG', async () => {
    for (const type of ['square', 'dots'] as const) {
      const style: Style = { dotsOptions: { type }, backgroundOptions: { color: 'transparent' } };
      expect((await pixelAt((await render(request(style))).body, 2, 2))[3]).toBe(0);
      expect(await pixelAt((await render(request(style, { format: 'jpg' }))).body, 2, 2)).toEqual([
        255, 255, 255, 255,
      ]);
    }
  });

  it('with a fully round background is round', async () => {
    const { body } = await render(request({ backgroundOptions: { round: 1 } }));
    expect((await pixelAt(body, 2, 2))[3]).toBe(0);
    expect((await pixelAt(body, 200, 2))[3]).toBe(255);
  });

  it('runs gradients in radians, 0 from left to right', async () => {
    const color = { ...gradient, rotation: 0 };
    const style: Style = { frame: { id: 'banner', text: '', color }, dotsOptions: { color } };
    const { body } = await render(request(style));
    expect((await pixelAt(body, 2, 200))[2]).toBeGreaterThan((await pixelAt(body, 397, 200))[2]! - 20);
    expect((await pixelAt(body, 2, 200))[0]).toBeLessThan((await pixelAt(body, 397, 200))[0]!);
    expect(await pixelAt(body, 2, 10)).toEqual(await pixelAt(body, 2, 390));
  });

  it('as a PDF is vectors, except for a logo of pixels', async () => {
    const pictures = async (style: Style) =>
      (await render(request(style, { format: 'pdf' }))).body.toString('latin1').match(/\/Subtype \/Image/g)
        ?.length ?? 0;
    const { image: _, ...withoutLogo } = rich;
    expect(await pictures(withoutLogo)).toBe(0);
    expect(await pictures(rich)).toBeGreaterThan(0);
  });

  it('as an SVG is self-contained: no fonts, no links, no scripts', async () => {
    const svg = (await render(request(rich, { format: 'svg' }))).body.toString();
    expect(svg).not.toMatch(/<text|<script|https?:(?!\/\/www\.w3\.org\/2000\/svg)|font-family/);
  });
});

describe('an SVG in a page', () => {
  const svgOf = async (style: Style, more: Partial<RenderRequest> = {}) =>
    (await render(request(style, { format: 'svg', ...more }))).body.toString();
  const idsIn = (svg: string) => [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
  const { image: _, ...gradients } = rich;
  const colored: Style = { ...gradients, frame: { ...rich.frame!, color: gradient } };

  it('shares no id with another code, and each reference finds its own', async () => {
    const others = await Promise.all([
      svgOf(colored),
      svgOf(colored, { payload: `${payload}2` }),
      svgOf(colored, { width: 500 }),
      svgOf({ ...colored, dotsOptions: { color: { ...gradient, rotation: 1 } } }),
      svgOf(rich),
      svgOf(
        { backgroundOptions: { color: gradient }, dotsOptions: { color: '#ffffff' } },
        { width: 500, height: 400 },
      ),
    ]);
    const ids = others.flatMap(idsIn);
    expect(ids.length).toBeGreaterThan(others.length);
    expect(new Set(ids).size).toBe(ids.length);
    for (const svg of others) {
      for (const [, id] of svg.matchAll(/url\(#([^)]+)\)/g)) expect(idsIn(svg)).toContain(id);
    }
  });

  it('is the same to the byte for the same code', async () => {
    expect(await svgOf(colored)).toBe(await svgOf(colored));
  });

  it('is an image whose name says that it is a code, and includes its caption', async () => {
    expect(await svgOf({})).toMatch(/^<svg [^>]*role="img"><title>QR code<\/title>/);
    const captioned = await svgOf({ frame: { id: 'border', text: 'Tea & <cake> "2"' } });
    expect(captioned).toMatch(
      /^<svg [^>]*role="img"><title>QR code: Tea &amp; &lt;cake&gt; &quot;2&quot;<\/title>/,
    );
    expect(await svgOf({ frame: { id: 'border', text: ' ' } })).toContain('<title>QR code</title>');
  });
});

describe('plain squares as a PNG', () => {
  it('have one bit per pixel, and equal the pixels that librsvg draws', async () => {
    for (const [width, height] of [
      [512, 512],
      [333, 500],
    ] as const) {
      const { body } = await render(request({}, { width, height }));
      expect([body[24], body[25]]).toEqual([1, 3]);
      const { body: drawn } = await render(request({}, { width, height, format: 'svg' }));
      const [left, right] = await Promise.all(
        [body, drawn].map((each) => sharp(each).flatten({ background: '#fff' }).greyscale().raw().toBuffer()),
      );
      const different = left!.filter((value, index) => Math.abs(value - right![index]!) > 127).length;
      expect(different / left!.length).toBeLessThan(0.01);
    }
  });

  it('leave exactly the margin free', async () => {
    const { body } = await render(request({ margin: 2 }, { width: 33 * 4 + 0 }));
    expect(await pixelAt(body, 7, 60)).toEqual([255, 255, 255, 255]);
    expect(await pixelAt(body, 8, 8)).toEqual([0, 0, 0, 255]);
    expect(inflateSync(body.subarray(body.indexOf('IDAT') + 4, body.indexOf('IEND') - 8)).length).toBe(
      132 * (1 + 17),
    );
  });
});

describe('the proof that a picture is read', () => {
  it('is made for each picture or, in a run of many, for the first of its kind', async () => {
    const style: Style = { dotsOptions: { type: 'classy', color: '#123456' } };
    expect((await render(request(style, { proof: 'style' }))).decoded).toBe('yes');
    expect((await render(request(style, { proof: 'style', payload: `${payload}1` }))).decoded).toBe(
      'one of its kind',
    );
    expect((await render(request(style))).decoded).toBe('yes');
  });

  it('is made for the first ones of its kind with a logo, each with another payload', async () => {
    const style: Style = { dotsOptions: { color: '#123456' }, image: logo, imageOptions: { imageSize: 0.2 } };
    const decodedOf = async (nth: number) =>
      (await render(request(style, { proof: 'style', payload: `${payload}${nth + 100}`, width: 200 })))
        .decoded;
    const first: string[] = [];
    for (let nth = 0; nth < readsNeeded; nth++)
      first.push(await decodedOf(Math.max(0, nth - 1)), await decodedOf(0));
    expect(new Set(first)).toEqual(new Set(['yes']));
    expect(await decodedOf(readsNeeded - 1)).toBe('yes');
    expect(await decodedOf(readsNeeded)).toBe('one of its kind');
  });

  it('is made for each if the logo hides too much of some, whose logos are smaller', async () => {
    const style: Style = { image: logo, imageOptions: { imageSize: 0.36, margin: 1 } };
    // With digits at its end the symbol would be smaller.
    const idOf = (nth: number) => `https://qr.example.com/r/bbc${[...`${nth}`].join('d')}e`;
    const whole: string[] = [];
    let smaller = 0;
    for (let nth = 100; nth < 130; nth++) {
      const one = request(style, { proof: 'style', payload: idOf(nth), width: 200 });
      const { body, decoded, warnings } = await render(one);
      expect(await decodeQr(body)).toBe(idOf(nth));
      if (warnings.length === 0) whole.push(decoded);
      else smaller++;
    }
    expect([new Set(whole), smaller > 0]).toEqual([new Set(['yes']), true]);
  });

  it.each<[string, Style, Partial<RenderRequest>, string]>([
    [
      'a missing quiet zone',
      { margin: 0, frame: { id: 'border', color: '#000000', background: '#000000' } },
      {},
      'margin 0 leaves too little of a quiet zone for the code to be read: take 4',
    ],
    ['a size that is too small', { shape: 'circle' }, { width: 64 }, 'size 64 is too small to be read'],
    [
      'a size at which a circle with a logo is read only if its modules are not rounded',
      { shape: 'circle', image: logo, dotsOptions: { type: 'classy-rounded' } },
      { width: 150 },
      'size 150 is too small to be read: the 41 modules of this code, quiet zone included, need 176',
    ],
    [
      'a size that is too small, framed',
      { frame: { id: 'phone' } },
      { width: 64, height: 72 },
      'size 64 × 72 is too small',
    ],
    [
      'colours too close',
      { dotsOptions: { color: '#ffff99' } },
      {},
      'dotsOptions.color #ffff99 on backgroundOptions.color #ffffff has a contrast of 1.0 to 1, where 3 to 1 is good, and is not read: take',
    ],
    [
      'colours too close around a logo that hides too much',
      { dotsOptions: { color: '#ffff99' }, image: logo, imageOptions: { imageSize: 1 } },
      {},
      'dotsOptions.color #ffff99 on backgroundOptions.color #ffffff has a contrast of 1.0 to 1',
    ],
    [
      'a hole that is too large',
      { image: logo, imageOptions: { margin: 40 } },
      {},
      'imageOptions.margin 40 is too large, and ',
    ],
    ['an image that is not a logo', { image: 'AAAA' }, {}, 'image cannot be read'],
    ['a caption without glyphs', { frame: { id: 'border', text: '𒀀' } }, {}, 'frame.text has 𒀀 (U+12000)'],
    [
      'a caption too close to its band',
      { frame: { id: 'banner', color: '#ffcc00', textColor: '#ffffff' } },
      {},
      'frame.textColor #ffffff on frame.color #ffcc00 has a contrast of 1.5 to 1',
    ],
    ['a mode that lacks characters', { qrOptions: { mode: 'numeric' } }, {}, 'qrOptions.mode numeric'],
    ['a symbol too small for the data', { qrOptions: { typeNumber: 1 } }, {}, 'data has 34 bytes'],
  ])('refuses %s, with the reason and a remedy', async (_, style, more, message) => {
    const refused = await render(request(style, more)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ClientError);
    expect(refused).toMatchObject({ code: 'UNPROCESSABLE', message: expect.stringContaining(message) });
  });
});

it('draws square modules in a circle with a logo at a size at which rounded ones are refused', async () => {
  const { body, decoded } = await render(request({ shape: 'circle', image: logo }, { width: 150 }));
  expect([decoded, await decodeQr(body)]).toEqual(['yes', payload]);
});

describe('memory', () => {
  it('stays flat over many different pictures', async () => {
    const renderMany = async (from: number, count: number) => {
      for (let at = from; at < from + count; at++) {
        await render(
          request(at % 10 === 0 ? rich : {}, { payload: `${payload}${at}`, width: 200, proof: 'style' }),
        );
      }
    };
    await renderMany(0, 500);
    const before = process.memoryUsage().rss;
    await renderMany(500, 1500);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
  });
});
