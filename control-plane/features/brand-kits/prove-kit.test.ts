import http from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeObject } from '#schemas/api/codes.ts';
import { downloadUrl } from '#schemas/api/images.ts';
import { decodeQr } from '../../../deploy/testing/decode.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import {
  errorBody,
  kitBody,
  logo,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { withKitFields } from './prove-kit.ts';

let plane: TestControlPlane;
let own: Workspace;
let logoUrl: string;
/** The answer of the logo's server; undefined: none. */
let served: Buffer | undefined = Buffer.from(logo, 'base64');

beforeAll(async () => {
  const server = http.createServer((request, response) => {
    if (served) response.end(served);
    else request.destroy();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  afterFile(() => server.close());
  logoUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logo`;
  plane = await startTestControlPlane({ environment: { LOGO_ALLOW_PRIVATE: 'true' } });
  own = await plane.workspace();
});

const create = async (body: object = {}): Promise<string> => {
  const answer = await own.call('POST', '/api/qr/brand-kits', { ...kitBody, ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return (answer.body as { kitId: string }).kitId;
};

const patch = (kitId: string, body: object) => own.call('PATCH', `/api/qr/brand-kits/${kitId}`, body);

const kitRow = async (kitId: string) =>
  (await plane.pool.query('SELECT * FROM brand_kits WHERE id = $1', [kitId])).rows;

/** Stores a kit as before kits were proven. */
const storeUnproven = (kitId: string, fields: object) =>
  plane.pool.query(
    'UPDATE brand_kits SET fields = fields || $2, version = version + 1, logo_version = version + 1 WHERE id = $1',
    [kitId, JSON.stringify(fields)],
  );

const image = (code: CodeObject, query = '') => own.call('GET', `/api/qr/codes/${code.id}/image${query}`);

const colors = async (picture: unknown): Promise<Set<string>> => {
  const { data } = await sharp(picture as Buffer)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const found = new Set<string>();
  for (let at = 0; at < data.length; at += 3) found.add(`#${data.toString('hex', at, at + 3)}`);
  return found;
};

describe('a look in which a code cannot be read is refused, and not stored', () => {
  test.each<[object, RegExp]>([
    [{ primaryColor: '#ffffff' }, /^primaryColor #ffffff on backgroundColor #ffffff /],
    [{ backgroundColor: '#0c4a6e' }, /^primaryColor #0c4a6e on backgroundColor #0c4a6e /],
    [
      {
        gradientEnabled: true,
        gradientColor: '#fffff0',
        gradientMidEnabled: true,
        gradientMidColor: '#fffff0',
      },
      /^gradientColor #fffff0 on /,
    ],
    [{ eyeColor: '#fefefe' }, /^eyeColor #fefefe on /],
    [{ eyeDotColor: '#fafafa' }, /^eyeDotColor #fafafa on /],
    [{ bgGradientEnabled: true, bgGradientColor2: '#0c4a6e' }, / on bgGradientColor2 #0c4a6e /],
    [{ frameId: 'banner', frameText: '𒀀𒀁' }, /^frameText /],
  ])('%j is 422 at create and at PATCH, naming the field', async (look, message) => {
    const created = await own.call('POST', '/api/qr/brand-kits', { ...kitBody, ...look });
    expect([created.status, errorBody.parse(created.body).error]).toEqual([
      422,
      expect.stringMatching(message),
    ]);
    const kitId = await create();
    const before = await kitRow(kitId);
    const patched = await patch(kitId, look);
    expect([patched.status, errorBody.parse(patched.body).error]).toEqual([
      422,
      expect.stringMatching(message),
    ]);
    expect(await kitRow(kitId)).toEqual(before);
  });

  test('the merged kit is proven, as it would be stored', async () => {
    const kitId = await create({ primaryColor: '#fff7ed', backgroundColor: '#ffffff' }).catch(
      () => undefined,
    );
    expect(kitId).toBeUndefined();
    const dark = await create({ primaryColor: '#111827' });
    expect((await patch(dark, { backgroundColor: '#fde68a' })).status).toBe(200);
    expect((await patch(dark, { primaryColor: '#fde047' })).status).toBe(422);
    expect((await patch(dark, { primaryColor: '#422006', backgroundColor: '#ffffff' })).status).toBe(200);
  });

  test('concurrent PATCHes never make a kit that was not proven', async () => {
    const kitId = await create({ primaryColor: '#777777', backgroundColor: '#ffffff' });
    // Each is readable with the present kit; both together are not.
    const answers = await Promise.all([
      patch(kitId, { primaryColor: '#999999', backgroundColor: '#ffffff' }),
      patch(kitId, { backgroundColor: '#bbbbbb' }),
      patch(kitId, { primaryColor: '#222222' }),
      patch(kitId, { backgroundColor: '#dddddd' }),
    ]);
    for (const { status } of answers) expect([200, 422]).toContain(status);
    const code = await own.createCode({ brandKitId: kitId });
    expect((await image(code)).headers.get('x-qr-decoded')).toBe('yes');
  });

  test('a new name or sortOrder does not change the look: pictures keep their tags', async () => {
    const kitId = await create();
    const code = await own.createCode({ brandKitId: kitId });
    const before = (await image(code)).headers.get('etag');
    expect((await patch(kitId, { name: 'Other', sortOrder: 3 })).status).toBe(200);
    expect((await image(code)).headers.get('etag')).toBe(before);
    expect((await patch(kitId, { eyeColor: '#111827' })).status).toBe(200);
    expect((await image(code)).headers.get('etag')).not.toBe(before);
  });

  test('a refusal names the fields of the kit', () => {
    const kit = { ...kitBody, gradientColor: '#0F766E' } as Parameters<typeof withKitFields>[1];
    expect(
      withKitFields('make imageOptions.imageSize smaller, or qrOptions.errorCorrectionLevel H', kit),
    ).toBe('make logoSize smaller, or errorCorrection H');
    expect(withKitFields('image hides too much: dotsOptions.color #0f766e', kit)).toBe(
      'logoUrl hides too much: gradientColor #0f766e',
    );
  });
});

describe('a picture never fails because of a kit', () => {
  /** Requests the image endpoint and a public link. */
  const expectPicture = async (code: CodeObject, color: string): Promise<void> => {
    const link = await own.call('GET', `/api/qr/codes/${code.id}/download-url`);
    const { pathname, search } = new URL(downloadUrl.parse(link.body).url);
    const answers = [await image(code), await plane.callWith(undefined)('GET', pathname + search)];
    for (const { status, headers, body } of answers) {
      expect([status, headers.get('x-qr-decoded'), headers.get('waymark-stale')]).toEqual([
        200,
        'yes',
        'brandKit',
      ]);
      expect(await decodeQr(body as Buffer)).toBe(code.redirectUrl);
      expect(await colors(body)).toContain(color);
    }
  };

  test('a code that its own fields make unreadable in the new look keeps its last readable look', async () => {
    const kitId = await create({ backgroundColor: '#ffffff', eyeColor: '#111111', eyeDotColor: '#111111' });
    const code = await own.createCode({
      brandKitId: kitId,
      dotsOptions: { color: '#767676', type: 'square' },
    });
    expect((await patch(kitId, { backgroundColor: '#fefce8' })).status).toBe(200);
    expect((await image(code)).headers.get('waymark-stale')).toBeNull();
    for (const backgroundColor of ['#bbbbbb', '#bababa'])
      expect((await patch(kitId, { backgroundColor })).status).toBe(200);
    await expectPicture(code, '#fefce8');
  });

  test('a code is drawn without a kit that was never readable', async () => {
    const kitId = await create();
    const code = await own.createCode({
      brandKitId: kitId,
      dotsOptions: { color: '#1e3a8a', type: 'square' },
    });
    await storeUnproven(kitId, { backgroundColor: '#0c4a6e' });
    await expectPicture(code, '#1e3a8a');
    const bare = await own.createCode();
    await storeUnproven(kitId, { backgroundColor: '#fefefe' });
    await plane.pool.query('UPDATE codes SET style = $2, version = version + 1 WHERE id = $1', [
      bare.id,
      JSON.stringify({ brandKitId: kitId, dotsOptions: { color: '#ffffff' } }),
    ]);
    await expectPicture(bare, '#000000');
  });

  test('a code shows the previous logo if the present one can no longer be fetched', async () => {
    served = Buffer.from(logo, 'base64');
    const kitId = await create({ logoUrl });
    const code = await own.createCode({ brandKitId: kitId });
    const before = (await image(code)).body;
    served = undefined;
    expect((await patch(kitId, { logoUrl: `${logoUrl}2` })).status).toBe(200);
    await expectPicture(code, '#0c4a6e');
    expect((await image(code)).body).toEqual(before);
    // A client that has the fallback does not get it again.
    const etag = (await image(code)).headers.get('etag')!;
    const again = await own.call('GET', `/api/qr/codes/${code.id}/image`, undefined, {
      'if-none-match': etag,
    });
    expect(again.status).toBe(304);
  });

  test('a code shows the previous logo if its server now sends something else', async () => {
    served = Buffer.from(logo, 'base64');
    const kitId = await create({ logoUrl });
    const code = await own.createCode({ brandKitId: kitId });
    // The server was away when the URL was sent again, and now answers nonsense.
    served = undefined;
    await patch(kitId, { logoUrl });
    served = Buffer.from('<html>for sale</html>');
    await expectPicture(code, '#0c4a6e');
  });

  test('only the last 20 looks and their logos are kept', async () => {
    served = Buffer.from(logo, 'base64');
    const kitId = await create({ logoUrl });
    const kept = async () => {
      const { rows } = await plane.pool.query(
        `SELECT (SELECT count(*)::int FROM brand_kit_versions WHERE kit_id = $1) AS looks,
                (SELECT count(*)::int FROM brand_kit_logos WHERE kit_id = $1) AS logos`,
        [kitId],
      );
      return rows[0];
    };
    expect(await kept()).toEqual({ looks: 0, logos: 1 });
    await patch(kitId, { logoUrl: `${logoUrl}2` });
    expect(await kept()).toEqual({ looks: 1, logos: 2 });
    for (let n = 0; n < 20; n++) await patch(kitId, { primaryColor: `#0000${(16 + n).toString(16)}` });
    expect(await kept()).toEqual({ looks: 20, logos: 1 });
  });
});
