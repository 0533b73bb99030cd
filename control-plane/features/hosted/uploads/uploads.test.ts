/** Pictures of landing pages: uploaded, stored once, served to everyone. */
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  errorBody,
  qrHost,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { createPage, pageOf, pathOf, upload, uploaded } from './testing/landing-page.ts';
import { noisePicture, plain, redAndBlue } from './testing/pictures.ts';

let plane: TestControlPlane;
let own: Workspace;
let pageId: string;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
  pageId = await createPage(own.call);
});

const refusal = (answer: { body: unknown }) => errorBody.parse(answer.body);

describe('the upload', () => {
  test('answers with the kind and the URL, which is stored on the page in a new version', async () => {
    const before = await pageOf(own.call, pageId);
    const answer = await upload(own.call, pageId, await redAndBlue(2000, 1000).jpeg().toBuffer(), {
      type: 'jpeg',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      kind: 'hero',
      url: expect.stringMatching(new RegExp(`^${qrHost}/i/[1-9A-HJ-NP-Za-km-z]{21}/1200\\.jpg$`)),
    });
    const { url } = answer.body as { url: string };
    const page = await pageOf(own.call, pageId);
    expect(page).toEqual({ ...before, heroImageUrl: url, updatedAt: page.updatedAt });
    expect(page.updatedAt).toBeGreaterThan(before.updatedAt);
    const avatar = await uploaded(own.call, pageId, await plain(500, 600).png().toBuffer(), {
      kind: 'avatar',
    });
    expect(avatar).toMatch(/\/384\.jpg$/);
    expect(await pageOf(own.call, pageId)).toMatchObject({ heroImageUrl: url, avatarUrl: avatar });
  });

  test('replaces the previous picture', async () => {
    const first = await uploaded(own.call, pageId, await plain(300, 200).png().toBuffer());
    const second = await uploaded(own.call, pageId, await plain(301, 200).png().toBuffer());
    expect(second).not.toBe(first);
    expect((await pageOf(own.call, pageId)).heroImageUrl).toBe(second);
  });

  test('of the same file gives the same URL and stores it once, also when two planes get it at once', async () => {
    const other = await startTestControlPlane({
      databaseUrl: plane.databaseUrl,
      redisUrl: plane.redisUrl,
      clickhouseUrl: plane.clickhouseUrl,
    });
    const bytes = await noisePicture(900, 600, 40).jpeg().toBuffer();
    const calls = [own.call, other.callWith(own.apiKey), own.call, other.callWith(own.apiKey)];
    const urls = await Promise.all(calls.map((call) => uploaded(call, pageId, bytes, { type: 'jpeg' })));
    urls.push(await uploaded(own.call, pageId, bytes, { type: 'jpeg' }));
    expect(new Set(urls).size).toBe(1);
    const { rows } = await plane.pool.query(`SELECT state FROM uploaded_images WHERE id = $1`, [
      pathOf(urls[0]!).split('/')[2],
    ]);
    expect(rows).toEqual([{ state: 'stored' }]);
    const stranger = await plane.workspace();
    const foreign = await uploaded(stranger.call, await createPage(stranger.call), bytes, { type: 'jpeg' });
    expect(foreign).not.toBe(urls[0]);
    const asAvatar = await uploaded(own.call, pageId, bytes, { type: 'jpeg', kind: 'avatar' });
    expect(asAvatar).not.toBe(urls[0]);
    await other.close();
  });

  test('is rejected if the page does not exist, is another workspace’s, or the plan has no pages', async () => {
    const bytes = await plain(9, 9).png().toBuffer();
    expect((await upload(own.call, 'page_1111111111111111', bytes)).status).toBe(404);
    expect((await upload(own.call, 'x', bytes)).status).toBe(404);
    const stranger = await plane.workspace();
    expect((await upload(stranger.call, pageId, bytes)).status).toBe(403);
    const small = await plane.workspace({ plan: 'free' });
    const answer = await upload(small.call, pageId, bytes);
    expect([answer.status, refusal(answer).code]).toEqual([403, 'FEATURE_NOT_ON_PLAN']);
    expect((await upload(plane.callWith(undefined), pageId, bytes)).status).toBe(401);
    const deleted = await createPage(own.call);
    await own.call('DELETE', `/api/qr/landing-pages/${deleted}`);
    expect((await upload(own.call, deleted, bytes)).status).toBe(404);
  });

  test('of more than 5 MB is 413 LIMIT_FILE_SIZE, however much larger it is; 5 MB are accepted', async () => {
    const padded = async (bytes: number) => {
      const picture = await plain(20, 20).png().toBuffer();
      return Buffer.concat([picture, Buffer.alloc(bytes - picture.length)]);
    };
    const limit = 5 * 2 ** 20;
    expect((await upload(own.call, pageId, await padded(limit))).status).toBe(200);
    for (const bytes of [limit + 1, limit + 600_000, 2 * limit]) {
      const answer = await upload(own.call, pageId, await padded(bytes));
      expect([answer.status, refusal(answer)]).toMatchObject([
        413,
        { error: 'dataUrl must not be larger than 5 MB', code: 'LIMIT_FILE_SIZE' },
      ]);
    }
  });

  test.each([
    [{ kind: 'hero' }, 400, 'dataUrl'],
    [{ dataUrl: 'data:image/png;base64,AAAA' }, 400, 'kind'],
    [{ kind: 'banner', dataUrl: 'data:image/png;base64,AAAA' }, 422, 'kind'],
    [{ kind: 'hero', dataUrl: 7 }, 400, 'dataUrl'],
    [{ kind: 'hero', dataUrl: null }, 400, 'dataUrl'],
    [{ kind: 'hero', dataUrl: '', more: 1 }, 400, 'more'],
    [{ kind: 'hero', dataUrl: '' }, 422, 'dataUrl must be a data URI in base64'],
    [
      { kind: 'hero', dataUrl: 'data:image/svg+xml;base64,PHN2Zy8+' },
      422,
      "dataUrl says that it is 'image/svg+xml'",
    ],
  ])('%j is %i: %s', async (body, status, error) => {
    const answer = await own.call('POST', `/api/qr/landing-pages/${pageId}/image`, body);
    expect([answer.status, refusal(answer).error]).toEqual([status, expect.stringContaining(error)]);
  });

  test('a rejected upload changes neither the page nor the images', async () => {
    const count = async () => (await plane.pool.query('SELECT count(*) FROM uploaded_images')).rows[0].count;
    const [page, images] = [await pageOf(own.call, pageId), await count()];
    const bytes = await plain(90, 90).png().toBuffer();
    expect((await upload(own.call, pageId, bytes.subarray(0, 60))).status).toBe(422);
    expect([await pageOf(own.call, pageId), await count()]).toEqual([page, images]);
  });

  test('a workspace has at most 1,000 images: 409', async () => {
    const full = await plane.workspace();
    const page = await createPage(full.call);
    const url = await uploaded(full.call, page, await plain(10, 10).png().toBuffer());
    await plane.pool.query(
      `INSERT INTO uploaded_images (id, workspace_id, kind, digest)
       SELECT 'x' || n, $1, 'hero', sha256(n::text::bytea) FROM generate_series(1, 999) n`,
      [full.workspaceId],
    );
    const answer = await upload(full.call, page, await plain(11, 11).png().toBuffer());
    expect([answer.status, refusal(answer)]).toMatchObject([
      409,
      {
        error:
          'A workspace has at most 1,000 uploaded images; those to which no page has referred for 7 days are removed in the night',
        code: 'CONFLICT',
        capability: 'uploadedImages',
        limit: 1_000,
        used: 1_000,
      },
    ]);
    // A picture that already exists does not count again.
    expect(await uploaded(full.call, page, await plain(10, 10).png().toBuffer())).toBe(url);
  });
});

describe('the picture', () => {
  let url: string;
  beforeAll(async () => {
    url = await uploaded(own.call, pageId, await redAndBlue(1700, 900).webp().toBuffer(), { type: 'webp' });
  });
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    plane.callWith(undefined)(method, path, undefined, headers);

  test('is served to everyone in every size, cacheable for ever, and can do nothing but be shown', async () => {
    const folder = pathOf(url).replace(/[^/]*$/, '');
    for (const [name, type, format] of [
      ['1200.jpg', 'image/jpeg', 'jpeg'],
      ['640.avif', 'image/avif', 'heif'],
      ['1600.webp', 'image/webp', 'webp'],
    ] as const) {
      const { status, headers, body } = await get(folder + name);
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': type,
        'content-length': String((body as Buffer).length),
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
        'accept-ranges': 'bytes',
      });
      const metadata = await sharp(body as Buffer).metadata();
      expect([metadata.format, metadata.width]).toEqual([format, Number.parseInt(name, 10)]);
    }
  });

  test('is not sent again if the client has it, and can be requested in ranges', async () => {
    const path = pathOf(url);
    const whole = await get(path);
    const bytes = whole.body as Buffer;
    const etag = whole.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    const again = await get(path, { 'if-none-match': etag });
    expect([again.status, (again.body as Buffer).length]).toEqual([304, 0]);
    expect(Object.fromEntries(again.headers)).toMatchObject({
      etag,
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const part = await get(path, { range: 'bytes=10-19' });
    expect([part.status, part.headers.get('content-range'), part.body]).toEqual([
      206,
      `bytes 10-19/${bytes.length}`,
      bytes.subarray(10, 20),
    ]);
    expect((await get(path, { range: 'bytes=9999999-' })).status).toBe(416);
    const head = await get(path, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), (head.body as Buffer).length]).toEqual([
      200,
      String(bytes.length),
      0,
    ]);
  });

  test('that does not exist is 404, which is not cached', async () => {
    const [, , id = ''] = pathOf(url).split('/');
    for (const path of [
      `/i/${id}/7.jpg`,
      `/i/${id}/0640.avif`,
      `/i/${id}/640.svg`,
      `/i/${id}/640.avif.jpg`,
      `/i/${id}/..%2f640.avif`,
      `/i/${id.slice(1)}/640.avif`,
      '/i/x/y',
    ]) {
      const { status, headers } = await get(path);
      expect([path, status, headers.get('cache-control')]).toEqual([path, 404, 'no-store']);
    }
  });
});
