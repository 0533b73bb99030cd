import { beforeAll, describe, expect, test } from 'vitest';
import { decodeQr } from '../../../deploy/testing/decode.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing.ts';

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

  test.each([64, 100, 4096])('is %i pixels wide where that is asked for', async (size) => {
    const code = await own.createCode();
    const answer = await own.call('GET', `/api/qr/codes/${code.id}/image?size=${size}`);
    expect((answer.body as Buffer).readUInt32BE(16)).toBe(size);
  });

  test('is an SVG that may run nothing', async () => {
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

  test('answers 304 to who has the same picture', async () => {
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
