import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeQr } from '../../../deploy/testing/decode.ts';
import {
  errorBody,
  logo,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

describe('GET /api/qr/codes/{id}/image', () => {
  test('is a PNG of 512 pixels that encodes the redirect URL', async () => {
    const code = await own.createCode();
    const answer = await own.call('GET', `/api/qr/codes/${code.id}/image`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    const png = answer.body as Buffer;
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([512, 512]);
    expect(await decodeQr(png)).toBe(code.redirectUrl);
  });

  test.each([64, 100, 4096])('is %i pixels wide on request', async (size) => {
    const code = await own.createCode();
    const answer = await own.call('GET', `/api/qr/codes/${code.id}/image?size=${size}`);
    expect((answer.body as Buffer).readUInt32BE(16)).toBe(size);
  });

  test('is an SVG that must not run scripts', async () => {
    const code = await own.createCode();
    const answer = await own.call('GET', `/api/qr/codes/${code.id}/image?format=svg&size=300`);
    expect(answer.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
    expect(String(answer.body)).toMatch(/<svg [^>]*width="300"/);
  });

  test('an inactive code still renders', async () => {
    const code = await own.createCode();
    await own.call('DELETE', `/api/qr/codes/${code.id}`);
    expect((await own.call('GET', `/api/qr/codes/${code.id}/image`)).status).toBe(200);
  });

  test('answers 304 to a client that has the same picture', async () => {
    const code = await own.createCode();
    const path = `/api/qr/codes/${code.id}/image`;
    const { headers } = await own.call('GET', path);
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(headers.get('cache-control')).toMatch(/^private/);
    const status = async (suffix: string, ifNoneMatch: string) =>
      (await own.call('GET', path + suffix, undefined, { 'if-none-match': ifNoneMatch })).status;
    expect(await status('', etag)).toBe(304);
    expect(await status('', `"other", W/${etag}`)).toBe(304);
    expect(await status('', '*')).toBe(304);
    expect(await status('?size=512&format=png', etag)).toBe(304);
    expect(await status('?size=513', etag)).toBe(200);
    expect(await status('?format=svg', etag)).toBe(200);
    expect(await status('', '"other"')).toBe(200);
  });
});

describe('rendered from the saved style', () => {
  const formats = [
    ['png', 'image/png'],
    ['svg', 'image/svg+xml'],
    ['webp', 'image/webp'],
    ['jpg', 'image/jpeg'],
  ];

  test.each(formats)(
    '%s, with frame and caption, has the exact size and is readable',
    async (format, type) => {
      const code = await own.createCode({ preset: 'menu', image: logo });
      const path = `/api/qr/codes/${code.id}/image?format=${format}&size=400`;
      const { headers, body } = await own.call('GET', path);
      expect(headers.get('content-type')).toBe(type);
      expect(headers.get('x-qr-decoded')).toBe('yes');
      const picture = sharp(body as Buffer);
      expect(await picture.metadata()).toMatchObject({ width: 400, height: 400 });
      expect(await decodeQr(await picture.flatten({ background: '#ffffff' }).png().toBuffer())).toBe(
        code.redirectUrl,
      );
      expect((await own.call('GET', path)).body).toEqual(body);
    },
  );

  test('pdf', async () => {
    const code = await own.createCode({ preset: 'ocean' });
    const { headers, body } = await own.call('GET', `/api/qr/codes/${code.id}/image?format=pdf&size=400`);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(String(body)).toMatch(/^%PDF-[\s\S]*MediaBox \[0 0 400 400\]/);
  });

  test('without a size the picture has the saved size; without a format it is png, whatever returnType was', async () => {
    const code = await own.createCode({ width: 300, height: 400, returnType: 'jpeg' });
    const { headers, body } = await own.call('GET', `/api/qr/codes/${code.id}/image`);
    expect(headers.get('content-type')).toBe('image/png');
    expect(await sharp(body as Buffer).metadata()).toMatchObject({ width: 300, height: 400 });
    const link = await own.call('GET', `/api/qr/codes/${code.id}/download-url`);
    expect(link.body).toMatchObject({ format: 'png' });
  });

  test.each(['png', 'webp', 'jpg'])(
    'a framed code of size 64 is drawn as %s, with a header that says it is too small and names a sufficient size',
    async (format) => {
      const code = await own.createCode({ frame: { id: 'banner' } });
      const image = (size: number) =>
        own.call('GET', `/api/qr/codes/${code.id}/image?format=${format}&size=${size}`);
      const small = await image(64);
      expect(small.status).toBe(200);
      expect(await sharp(small.body as Buffer).metadata()).toMatchObject({ width: 64, height: 64 });
      expect(small.headers.get('x-qr-decoded')).toBe('no: too small');
      const sizeMin = Number(small.headers.get('x-qr-size-min'));
      expect(sizeMin).toBeGreaterThan(64);
      const large = await image(sizeMin);
      expect(large.headers.get('x-qr-decoded')).toBe('yes');
      expect(large.headers.get('x-qr-size-min')).toBeNull();
      const flat = await sharp(large.body as Buffer)
        .flatten({ background: '#fff' })
        .png()
        .toBuffer();
      expect(await decodeQr(flat)).toBe(code.redirectUrl);
    },
  );

  test.each([
    { shape: 'circle' },
    { margin: 40 },
    { frame: { id: 'phone', text: 'A longer caption' }, image: logo },
    { preset: 'menu', dotsOptions: { type: 'dots' } },
  ])('%j is drawn in every size from 64 to 4096', async (style) => {
    const code = await own.createCode(style);
    for (const size of [64, 65, 90, 128, 200, 4096]) {
      const { status, headers, body } = await own.call('GET', `/api/qr/codes/${code.id}/image?size=${size}`);
      expect([size, status, (body as Buffer).readUInt32BE(16)]).toEqual([size, 200, size]);
      expect(headers.get('x-qr-decoded')).toBe(headers.has('x-qr-size-min') ? 'no: too small' : 'yes');
    }
  });

  test('if only width or height is saved, the other follows from the frame', async () => {
    const sizeOf = async (style: object) => {
      const code = await own.createCode(style);
      const { body } = await own.call('GET', `/api/qr/codes/${code.id}/image`);
      const { width, height } = await sharp(body as Buffer).metadata();
      return { width, height };
    };
    const frame = { id: 'banner', text: 'Menu' };
    expect(await sizeOf({ width: 540, frame })).toEqual({ width: 540, height: 632 });
    expect(await sizeOf({ height: 632, frame })).toEqual({ width: 540, height: 632 });
    expect(await sizeOf({ width: 540 })).toEqual({ width: 540, height: 540 });
    expect(await sizeOf({ frame })).toEqual({ width: 512, height: 512 });
  });

  test('source= attributes the scans of the picture', async () => {
    const code = await own.createCode({ sources: [{ id: 'poster', name: 'Poster' }] });
    const { body } = await own.call('GET', `/api/qr/codes/${code.id}/image?source=poster`);
    expect(await decodeQr(body as Buffer)).toBe(`${code.redirectUrl}?s=poster`);
    const other = await own.call('GET', `/api/qr/codes/${code.id}/image?source=other`);
    expect(other).toMatchObject({
      status: 400,
      body: { error: "source must be one of poster; given: 'other'" },
    });
  });

  test.each(['size=63', 'size=4097', 'size=1e3', 'format=gif', 'format='])('%s is 400', async (query) => {
    const code = await own.createCode();
    const answer = await own.call('GET', `/api/qr/codes/${code.id}/image?${query}`);
    expect(answer.status).toBe(400);
    expect(errorBody.parse(answer.body).error).toContain(query.split('=')[0]);
  });

  test('a change that does not affect the picture keeps its tag', async () => {
    const code = await own.createCode({ preset: 'soft' });
    const etag = async () => (await own.call('GET', `/api/qr/codes/${code.id}/image`)).headers.get('etag');
    const before = await etag();
    await own.call('PUT', `/api/qr/codes/${code.id}`, { destination: 'https://example.org/' });
    expect(await etag()).toBe(before);
    await own.call('PUT', `/api/qr/codes/${code.id}`, { preset: 'ocean' });
    expect(await etag()).not.toBe(before);
    await own.call('PUT', `/api/qr/codes/${code.id}`, { preset: 'soft' });
    expect(await etag()).toBe(before);
  });
});

describe('a style that is readable but not good', () => {
  const orange = { dotsOptions: { color: '#f97316' } };
  const warning = expect.stringMatching(/^dotsOptions\.color #f97316 on .* has a contrast of 2\.8 to 1/);

  test('is stored with warnings in the answers to a create and an update, and in a header of the picture', async () => {
    const created = await own.call('POST', '/api/qr/codes', { data: 'https://example.com/', ...orange });
    expect([created.status, created.body]).toEqual([201, expect.objectContaining({ warnings: [warning] })]);
    const { id } = created.body as { id: string };
    const path = `/api/qr/codes/${id}`;
    expect((await own.call('GET', path)).body).not.toHaveProperty('warnings');
    const { headers } = await own.call('GET', `${path}/image`);
    expect(headers.get('x-qr-warnings')).toEqual(warning);
    const good = await own.call('PUT', path, { dotsOptions: { color: '#102a43' } });
    expect([good.status, 'warnings' in (good.body as object)]).toEqual([200, false]);
    expect((await own.call('GET', `${path}/image`)).headers.get('x-qr-warnings')).toBeNull();
    const updated = await own.call('PUT', path, orange);
    expect([updated.status, updated.body]).toEqual([200, expect.objectContaining({ warnings: [warning] })]);
  });
});

describe('a style stored before a rule that would refuse it', () => {
  const style = { frame: { id: 'banner', text: 'Scan', color: '#dc2626', textColor: '#ef4444' } };
  const fault = /^frame\.textColor #ef4444 on frame\.color #dc2626 has a contrast of 1\.\d to 1/;

  test('is drawn with a warning, also by a link, and is refused when it is saved again', async () => {
    const code = await own.createCode();
    const path = `/api/qr/codes/${code.id}`;
    await plane.pool.query('UPDATE codes SET style = $2, version = version + 1 WHERE id = $1', [
      code.id,
      style,
    ]);
    const picture = await own.call('GET', `${path}/image`);
    expect([picture.status, picture.headers.get('x-qr-warnings')]).toEqual([
      200,
      expect.stringMatching(fault),
    ]);
    expect(await decodeQr(picture.body as Buffer)).toBe(code.redirectUrl);
    const { body } = await own.call('GET', `${path}/download-url?format=svg`);
    const link = new URL((body as { url: string }).url);
    const shown = await plane.callWith(undefined)('GET', link.pathname + link.search);
    expect([shown.status, shown.headers.get('x-qr-warnings')]).toEqual([200, expect.stringMatching(fault)]);
    const legible = { frame: { ...style.frame, textColor: '#ffffff' } };
    expect((await own.call('PUT', path, legible)).status).toBe(200);
    // Although its picture is in memory, since it was drawn all the same.
    const refused = [
      await own.call('PUT', path, style),
      await own.call('POST', '/api/qr/codes', { data: 'https://example.com/', ...style }),
    ];
    for (const answer of refused) {
      expect([answer.status, errorBody.parse(answer.body).error]).toEqual([
        422,
        expect.stringMatching(fault),
      ]);
    }
  });
});

describe('changing any styling key regenerates the stored image', () => {
  const pale = { dotsOptions: { color: '#fffff0' }, backgroundOptions: { color: '#ffffff' } };

  test('a style that cannot be read is 422 naming the field, and nothing is stored', async () => {
    const created = await own.call('POST', '/api/qr/codes', { data: 'https://example.com/', ...pale });
    expect(created.status).toBe(422);
    expect(errorBody.parse(created.body).error).toMatch(/^dotsOptions\.color/);
    const code = await own.createCode({ preset: 'soft' });
    const path = `/api/qr/codes/${code.id}`;
    const updated = await own.call('PUT', path, { ...pale, name: 'not stored' });
    expect(updated.status).toBe(422);
    expect((await own.call('PUT', path, {})).body).toEqual({ ...code, style: { preset: 'soft' } });
  });

  test('an encrypted code is 409 before its style is checked', async () => {
    const encryption = { type: 'AES', key: 'correct horse' };
    const code = await own.createCode({ secure: ['encrypt'], encryption });
    expect((await own.call('PUT', `/api/qr/codes/${code.id}`, pale)).status).toBe(409);
  });

  test('after concurrent updates the stored style is proven, and no update is lost', async () => {
    const code = await own.createCode({ width: 300 });
    const path = `/api/qr/codes/${code.id}`;
    const answers = await Promise.all([
      own.call('PUT', path, { preset: 'ocean' }),
      own.call('PUT', path, { margin: 2 }),
      own.call('PUT', path, { height: 400 }),
      own.call('PUT', path, pale),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 422]);
    expect((await own.call('PUT', path, {})).body).toMatchObject({
      style: { preset: 'ocean', width: 300, height: 400, margin: 2 },
    });
  });
});
