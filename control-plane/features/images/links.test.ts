import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeObject } from '#schemas/api/codes.ts';
import { downloadUrl } from '#schemas/api/images.ts';
import { decodeQr } from '../../../deploy/testing/decode.ts';
import {
  type Answer,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { createLinks } from './link.ts';

const proxied = { TRUSTED_PROXIES: '127.0.0.0/8', BASE_URL: 'https://api.example.com' };
let plane: TestControlPlane;
let own: Workspace;
let code: CodeObject;

beforeAll(async () => {
  plane = await startTestControlPlane({ environment: proxied });
  own = await plane.workspace();
  code = await own.createCode({ sources: [{ id: 'poster', name: 'Poster' }] });
});

let addresses = 0;

/** Each call has its own address, unless one is given. */
const open = (path: string, address = `198.51.${addresses >> 8}.${addresses++ & 255}`): Promise<Answer> =>
  plane.callWith(undefined)('GET', path, undefined, { 'x-forwarded-for': address });

const link = async (query = ''): Promise<{ path: string; format: string; expiresAt: string }> => {
  const answer = await own.call('GET', `/api/qr/codes/${code.id}/download-url${query}`);
  expect(answer.status).toBe(200);
  const { url, ...rest } = downloadUrl.parse(answer.body);
  expect(url).toMatch(/^https:\/\/api\.example\.com\/api\/qr\/render\//);
  return { path: url.slice('https://api.example.com'.length), ...rest };
};

const expect404 = ({ status, headers, body }: Answer): void => {
  expect([status, headers.get('content-type'), body]).toMatchObject([
    404,
    'application/json; charset=utf-8',
    { error: 'There is no picture behind this link, or it has expired', code: 'NOT_FOUND' },
  ]);
};

describe('GET /api/qr/codes/{id}/download-url', () => {
  test('is {url, format, expiresAt}, ttl default 3600', async () => {
    const before = Date.now();
    const { path, format, expiresAt } = await link();
    expect(format).toBe('png');
    const exp = Number(new URL(path, 'http://x').searchParams.get('exp'));
    expect(new Date(expiresAt).getTime()).toBe(exp);
    expect(exp).toBeGreaterThanOrEqual(before + 3_600_000);
    expect(exp).toBeLessThan(Date.now() + 3_601_000);
    expect(path).toMatch(/^\/api\/qr\/render\/\w{9}\?format=png&exp=\d+&sig=[\w-]{43}$/);
  });

  test.each(['ttl=59', 'ttl=86401', 'ttl=x', 'size=63', 'size=4097', 'format=gif', 'source=unknown'])(
    '%s is 400 and names the field',
    async (query) => {
      const answer = await own.call('GET', `/api/qr/codes/${code.id}/download-url?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ error: expect.stringContaining(query.split('=')[0]!) });
    },
  );

  test('another workspace’s code is 403', async () => {
    const foreign = await plane.workspace();
    expect((await foreign.call('GET', `/api/qr/codes/${code.id}/download-url`)).status).toBe(403);
    expect((await foreign.call('GET', `/api/qr/codes/${code.id}/image`)).status).toBe(403);
  });
});

describe('signed render link', () => {
  test('needs no authentication, returns image bytes, allows cross-origin embedding', async () => {
    const answer = await open((await link('?size=300&source=poster')).path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(answer.headers.get('x-qr-decoded')).toBe('yes');
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(await decodeQr(answer.body as Buffer)).toBe(`${code.redirectUrl}?s=poster`);
  });

  test('has the same bytes as the image endpoint', async () => {
    for (const format of ['png', 'svg', 'webp', 'jpg', 'pdf']) {
      const { path } = await link(`?format=${format}&size=256`);
      const image = await own.call('GET', `/api/qr/codes/${code.id}/image?format=${format}&size=256`);
      expect((await open(path)).body).toEqual(image.body);
    }
  });

  test('still works with parameters appended by mail programs and caches', async () => {
    const { path } = await link();
    expect((await open(`${path}&utm_source=mail&utm_source=twice&_=1`)).status).toBe(200);
  });

  test('deactivated codes still render', async () => {
    const { path } = await link();
    await own.call('DELETE', `/api/qr/codes/${code.id}`);
    expect((await open(path)).status).toBe(200);
    await own.call('PUT', `/api/qr/codes/${code.id}`, { status: 'active' });
  });

  test('returns a plain 404 once expired', async () => {
    const { path } = await link('?ttl=60');
    const url = new URL(path, 'http://x');
    const exp = String(Date.now() - 1);
    url.searchParams.set('exp', exp);
    expect404(await open(url.pathname + url.search));
    // The plane's key is not known here: links with another key show the moment at which one expires.
    const links = createLinks(Buffer.alloc(32));
    const parts = { id: code.id, format: 'png', exp: '1000' };
    const sig = new URL(links.create(parts), 'http://x').searchParams.get('sig')!;
    expect(links.isValid(parts, sig, 999)).toBe(true);
    expect(links.isValid(parts, sig, 1000)).toBe(false);
  });

  test('the signature covers the code, format, size and expiry; changing any of them invalidates it', async () => {
    const other = await own.createCode();
    const { path } = await link('?format=svg&size=300');
    const sent = new URL(path, 'http://x');
    const tampered = fc.constantFrom('id', 'format', 'size', 'source', 'exp', 'sig').chain((part) =>
      fc.record({
        part: fc.constant(part),
        value: fc.oneof(
          fc.constantFrom('png', 'SVG', '301', '0300', '300.0', '', 'poster', '9999999999999', other.id),
          fc.string({ unit: 'binary', maxLength: 50 }),
        ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(tampered, async ({ part, value }) => {
        const url = new URL(sent);
        if (part === 'id') url.pathname = `/api/qr/render/${encodeURIComponent(value.toWellFormed()) || 'x'}`;
        else url.searchParams.set(part, value);
        // Control characters and the like may be dropped on the way: then nothing was changed.
        if (url.href === sent.href || /\/render\/(\.|%2e)/i.test(url.pathname)) return;
        expect404(await open(url.pathname + url.search));
      }),
      { numRuns: 150 },
    );
    for (const part of ['format', 'size', 'exp', 'sig']) {
      const url = new URL(sent);
      url.searchParams.delete(part);
      expect404(await open(url.pathname + url.search));
    }
    expect((await open(path)).status).toBe(200);
  });

  test('60 a minute per IP', async () => {
    const { path } = await link();
    const answers: Answer[] = [];
    for (let i = 0; i < 63; i++) answers.push(await open(path, '203.0.113.9'));
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(3);
    expect(limited[0]!.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await open(path, '203.0.113.10')).status).toBe(200);
  });
});
