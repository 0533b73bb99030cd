import http from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { type BrandKitObject, brandKitList, brandKitObject } from '#schemas/api/brand-kits.ts';
import { staticCode } from '#schemas/api/static.ts';
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
import { createKey } from '../tenancy/store.ts';
import { styleOfKit } from './style-of-kit.ts';

let plane: TestControlPlane;
let own: Workspace;
let logoServer: string;
let asked = 0;

beforeAll(async () => {
  const server = http.createServer((request, response) => {
    asked++;
    if (request.url === '/away.png') return request.destroy();
    return response.end(
      request.url === '/logo.png' ? Buffer.from(logo, 'base64') : '<html>no picture</html>',
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  afterFile(() => server.close());
  logoServer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  plane = await startTestControlPlane({ environment: { LOGO_ALLOW_PRIVATE: 'true' } });
  own = await plane.workspace();
});

const create = async (body: object = {}, { call } = own): Promise<BrandKitObject> => {
  const answer = await call('POST', '/api/qr/brand-kits', { ...kitBody, ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return brandKitObject.strict().parse(answer.body);
};

const patch = async ({ kitId }: BrandKitObject, body: object): Promise<BrandKitObject> => {
  const answer = await own.call('PATCH', `/api/qr/brand-kits/${kitId}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return brandKitObject.strict().parse(answer.body);
};

const list = async ({ call } = own): Promise<BrandKitObject[]> =>
  brandKitList.parse((await call('GET', '/api/qr/brand-kits')).body).brandKits;

/** Every field that a kit can have. */
const full = {
  dotType: 'classy',
  cornerType: 'dot',
  cornerDotType: 'square',
  sortOrder: -3,
  gradientEnabled: true,
  gradientMidEnabled: true,
  bgGradientEnabled: true,
  eyeGradientEnabled: true,
  eyeDotGradientEnabled: true,
  transparentBg: false,
  logoHideDots: true,
  frameUppercase: true,
  gradientColor: '#0f766e',
  gradientMidColor: '#0e7490',
  bgGradientColor2: '#f8fafc',
  eyeColor: '#111827',
  eyeGradientColor2: '#1e3a8a',
  eyeDotColor: '#111827',
  eyeDotGradientColor2: '#4c1d95',
  frameColor: '#0c4a6e',
  frameTextColor: '#ffffff',
  frameBgColor: '#ffffff',
  gradientStyle: 'linear',
  bgGradientStyle: 'radial',
  eyeGradientStyle: 'linear',
  eyeDotGradientStyle: 'radial',
  gradientRotation: 90,
  bgGradientRotation: 0,
  eyeGradientRotation: 360,
  eyeDotGradientRotation: 45,
  bgRound: 0.1,
  logoSize: 0.3,
  margin: 4,
  logoMargin: 1,
  shape: 'square',
  errorCorrection: 'H',
  frameId: 'banner',
  frameFont: 'serif',
  frameText: 'Scan me',
} as const;

describe('POST /api/qr/brand-kits', () => {
  test('returns the full kit, with every style field that is set', async () => {
    const kit = await create();
    expect(kit).toEqual({
      ...kitBody,
      kitId: expect.stringMatching(/^bk_\w{16}$/),
      workspaceId: own.workspaceId,
      createdBy: expect.stringMatching(/^key_/),
      dotType: 'rounded',
      cornerType: 'extra-rounded',
      createdAt: expect.closeTo(Date.now(), -5),
      updatedAt: kit.createdAt,
    });
    expect(await create({ ...full, logoUrl: `${logoServer}/logo.png` })).toMatchObject(full);
  });

  test.each<[object, number, string]>([
    [{ name: undefined }, 400, 'name is required'],
    [{ name: '' }, 422, 'name must have at least 1'],
    [{ name: 'x'.repeat(81) }, 422, 'name must have at most 80'],
    [{ primaryColor: undefined }, 400, 'primaryColor is required'],
    [{ primaryColor: '#abc' }, 422, 'primaryColor must be a colour'],
    [{ primaryColor: '' }, 422, 'primaryColor must be a colour'],
    [{ backgroundColor: 'transparent' }, 422, 'backgroundColor must be a colour'],
    [{ dotType: 'dot' }, 422, 'dotType must be one of'],
    [{ cornerDotType: 'dots' }, 422, 'cornerDotType must be one of'],
    [{ logoUrl: 'ftp://example.com/a.png' }, 422, 'logoUrl must be an absolute'],
    [{ logoUrl: `https://example.com/${'a'.repeat(2000)}` }, 422, 'logoUrl must have at most'],
    [{ sortOrder: 1.5 }, 422, 'sortOrder must be a whole number'],
    [{ gradientEnabled: 'yes' }, 400, 'gradientEnabled must be true or false'],
    [{ eyeColor: 'red' }, 422, 'eyeColor must be a colour'],
    [{ gradientStyle: 'conic' }, 422, 'gradientStyle must be one of'],
    [{ gradientRotation: 361 }, 422, 'gradientRotation must be at most 360'],
    [{ bgGradientRotation: -1 }, 422, 'bgGradientRotation must be at least 0'],
    [{ bgRound: 1.1 }, 422, 'bgRound must be at most 1'],
    [{ logoSize: -0.1 }, 422, 'logoSize must be at least 0'],
    [{ margin: 41 }, 422, 'margin must be at most 40'],
    [{ shape: 'star' }, 422, 'shape must be one of'],
    [{ frameId: 'gold' }, 422, 'frameId must be one of'],
    [{ frameText: 'x'.repeat(25) }, 422, 'frameText must have at most 24'],
    [{ dotsOptions: {} }, 400, 'dotsOptions is not a known field'],
  ])('%o is refused, naming the field, also by PATCH', async (body, status, message) => {
    const created = await own.call('POST', '/api/qr/brand-kits', { ...kitBody, ...body });
    expect([created.status, errorBody.parse(created.body).error]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
    if (status === 400 && message.endsWith('required')) return;
    const [kit] = await list();
    expect((await own.call('PATCH', `/api/qr/brand-kits/${kit!.kitId}`, body)).status).toBe(status);
  });

  test('allows 50 kits per workspace, however many are created concurrently', async () => {
    const crowded = await plane.workspace();
    const post = () => crowded.call('POST', '/api/qr/brand-kits', kitBody);
    // They wait for each other: on a busy machine, sixty at once would wait longer than a request may.
    for (let n = 0; n < 40; n++) expect((await post()).status).toBe(201);
    const statuses = (await Promise.all(Array.from({ length: 20 }, post))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(statuses.filter((status) => status === 409)).toHaveLength(10);
    const kits = await list(crowded);
    expect(kits).toHaveLength(50);
    const remove = () => crowded.call('DELETE', `/api/qr/brand-kits/${kits[0]!.kitId}`);
    const removed = await Promise.all([remove(), remove(), remove()]);
    expect(removed.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    expect([(await post()).status, (await post()).status]).toEqual([201, 409]);
  });
});

describe('GET /api/qr/brand-kits', () => {
  test('is sorted by sortOrder, then newest first', async () => {
    const workspace = await plane.workspace();
    for (const [name, sortOrder] of [
      ['a', 2],
      ['b', null],
      ['c', 1],
      ['d', 2],
      ['e', undefined],
    ] as const)
      await create({ name, sortOrder }, workspace);
    expect((await list(workspace)).map(({ name }) => name)).toEqual(['c', 'd', 'a', 'e', 'b']);
  });
});

describe('PATCH /api/qr/brand-kits/{kitId}', () => {
  test('changes only the fields that it is sent; null clears a field', async () => {
    const kit = await create({ ...full, logoUrl: `${logoServer}/logo.png` });
    const { logoUrl, frameId, eyeColor, sortOrder, ...kept } = kit;
    const cleared = await patch(kit, { logoUrl: '', frameId: 'none', eyeColor: '', sortOrder: null });
    expect(cleared).toEqual({ ...kept, updatedAt: expect.any(Number) });
    expect(await patch(kit, { name: 'Other' })).toEqual({
      ...cleared,
      name: 'Other',
      updatedAt: expect.any(Number),
    });
    const nothing = await patch(kit, Object.fromEntries(Object.keys(full).map((key) => [key, null])));
    expect(Object.keys(nothing).sort()).toEqual([
      'backgroundColor',
      'createdAt',
      'createdBy',
      'kitId',
      'name',
      'primaryColor',
      'updatedAt',
      'workspaceId',
    ]);
  });

  test('two concurrent changes both take effect', async () => {
    const kit = await create();
    await Promise.all([patch(kit, { eyeColor: '#111111' }), patch(kit, { frameText: 'Here' })]);
    expect((await list()).find(({ kitId }) => kitId === kit.kitId)).toMatchObject({
      eyeColor: '#111111',
      frameText: 'Here',
    });
  });
});

describe('managing kits requires a workspace admin', () => {
  test('a member sees kits but cannot manage them', async () => {
    const kit = await create();
    const key = await createKey(plane.pool, { workspaceId: own.workspaceId, role: 'member', name: null });
    const call = plane.callWith(key!.apiKey);
    expect((await call('GET', '/api/qr/brand-kits')).status).toBe(200);
    expect((await call('POST', '/api/qr/brand-kits', kitBody)).status).toBe(403);
    expect((await call('PATCH', `/api/qr/brand-kits/${kit.kitId}`, {})).status).toBe(403);
    expect((await call('DELETE', `/api/qr/brand-kits/${kit.kitId}`)).status).toBe(403);
    expect(
      (await call('POST', '/api/qr/static', { data: 'https://example.com/', brandKitId: kit.kitId })).status,
    ).toBe(200);
  });

  test('kits are visible only in their workspace', async () => {
    const kit = await create();
    const foreign = await plane.workspace();
    const withKit = { data: 'https://example.com/', brandKitId: kit.kitId };
    const code = await foreign.createCode();
    for (const [method, path, body] of [
      ['PATCH', `/api/qr/brand-kits/${kit.kitId}`, { name: 'mine' }],
      ['DELETE', `/api/qr/brand-kits/${kit.kitId}`, undefined],
      ['POST', '/api/qr/codes', withKit],
      ['POST', '/api/qr/static', withKit],
      ['PUT', `/api/qr/codes/${code.id}`, { brandKitId: kit.kitId }],
    ] as const)
      expect((await foreign.call(method, path, body)).status, `${method} ${path}`).toBe(403);
    expect(await list(foreign)).toEqual([]);
    expect((await list()).find(({ kitId }) => kitId === kit.kitId)).toEqual(kit);
  });
});

describe('applying a kit', () => {
  const data = 'https://example.com/';
  const svg = async (body: object) => {
    const answer = await own.call('POST', '/api/qr/static', { data, returnType: 'svg', ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return staticCode.parse(answer.body).image;
  };

  test('renders the same as applying it in the builder', async () => {
    const kit = await create({ ...full, logoUrl: `${logoServer}/logo.png` });
    const applied = await svg({ brandKitId: kit.kitId });
    const built = await svg(styleOfKit({ ...kitBody, ...full } as Parameters<typeof styleOfKit>[0], logo));
    expect(applied).toBe(built);
    expect(
      await decodeQr(await sharp(Buffer.from(applied)).flatten({ background: '#fff' }).png().toBuffer()),
    ).toBe(data);
  });

  test('rotations are in degrees in a kit and in radians in a style; a gradient without a second colour is one colour', () => {
    const kit = { ...kitBody, gradientEnabled: true, gradientRotation: 180 } as Parameters<
      typeof styleOfKit
    >[0];
    expect(styleOfKit(kit).dotsOptions).toEqual({ type: 'rounded', color: '#0c4a6e' });
    expect(styleOfKit({ ...kit, gradientColor: '#000000' }).dotsOptions).toEqual({
      type: 'rounded',
      color: {
        type: 'linear',
        rotation: Math.PI,
        colorStops: [
          { offset: 0, color: '#0c4a6e' },
          { offset: 1, color: '#000000' },
        ],
      },
    });
    expect(styleOfKit({ ...kit, transparentBg: true }).backgroundOptions).toEqual({ color: 'transparent' });
  });

  test('the logo is fetched once', async () => {
    const kit = await create({ logoUrl: `${logoServer}/logo.png` });
    const before = asked - 1;
    const pictures = [];
    for (let i = 0; i < 3; i++) pictures.push(await svg({ brandKitId: kit.kitId }));
    expect(new Set(pictures).size).toBe(1);
    expect(asked).toBe(before + 1);
  });

  test('a logoUrl that is not a picture is 422 when it is sent', async () => {
    const logoUrl = `${logoServer}/page.html`;
    const created = await own.call('POST', '/api/qr/brand-kits', { ...kitBody, logoUrl });
    const kit = await create();
    const patched = await own.call('PATCH', `/api/qr/brand-kits/${kit.kitId}`, { logoUrl });
    for (const { status, body } of [created, patched]) {
      expect(status).toBe(422);
      expect(errorBody.parse(body).error).toMatch(/^logoUrl must be a PNG/);
    }
  });

  test('a logo whose server does not answer can be sent; applying the kit is 422 until it answers', async () => {
    const kit = await create({ logoUrl: `${logoServer}/away.png` });
    const answer = await own.call('POST', '/api/qr/codes', { data, brandKitId: kit.kitId });
    expect(answer.status).toBe(422);
    expect(errorBody.parse(answer.body).error).toMatch(
      /^brandKitId: the logoUrl of the brand kit could not be fetched/,
    );
  });

  test('explicit fields win; changing the kit changes the picture; null clears; after a deletion codes look as before', async () => {
    const kit = await create({ eyeColor: '#111827' });
    const code = await own.createCode({ brandKitId: kit.kitId, dotsOptions: { type: 'square' } });
    const picture = async () => {
      const answer = await own.call('GET', `/api/qr/codes/${code.id}/image?format=svg`);
      expect(answer.status).toBe(200);
      return [answer.headers.get('etag'), String(answer.body)];
    };
    const first = await picture();
    expect(first[1]).toContain('#0c4a6e');
    await patch(kit, { primaryColor: '#4c1d95' });
    const second = await picture();
    expect(second[0]).not.toBe(first[0]);
    expect(second[1]).toContain('#4c1d95');
    expect((await own.call('DELETE', `/api/qr/brand-kits/${kit.kitId}`)).status).toBe(204);
    expect(await picture()).toEqual(second);
    const apply = await own.call('PUT', `/api/qr/codes/${code.id}`, { brandKitId: kit.kitId });
    expect(apply.status).toBe(422);
    await own.call('PUT', `/api/qr/codes/${code.id}`, { brandKitId: null });
    expect((await picture())[1]).not.toContain('#4c1d95');
  });
});

test('a kit with a literal private address, or localhost, is refused', async () => {
  const strict = await startTestControlPlane();
  const { call } = await strict.workspace();
  for (const [logoUrl, given] of [
    ['http://127.0.0.1/a.png?token=secret', 'http://127.0.0.1/a.png'],
    ['http://[::1]/', 'http://[::1]/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://169.254.169.254/', 'http://169.254.169.254/'],
  ]) {
    const answer = await call('POST', '/api/qr/brand-kits', { ...kitBody, logoUrl });
    expect([answer.status, errorBody.parse(answer.body).error]).toEqual([
      422,
      `logoUrl must lead to a public address; given: '${given}'`,
    ]);
  }
  const before = asked;
  const localhost = logoServer.replace('127.0.0.1', 'localhost');
  const made = await call('POST', '/api/qr/brand-kits', { ...kitBody, logoUrl: `${localhost}/logo.png` });
  expect([made.status, errorBody.parse(made.body).error]).toEqual([
    422,
    `logoUrl must lead to a public address; given: '${localhost}/logo.png'`,
  ]);
  expect(asked).toBe(before);
});
