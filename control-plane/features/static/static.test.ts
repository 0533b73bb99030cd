import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { codeObject } from '#schemas/api/codes.ts';
import { type StaticCode, staticCode } from '#schemas/api/static.ts';
import { decodeQr, readSymbol } from '../../../deploy/testing/decode.ts';
import {
  type Answer,
  errorBody,
  logo,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';

import { cpuOf, longestStep } from '../../testing/longest-step.ts';
import { createStaticRendering } from './static.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane({ environment: { TRUSTED_PROXIES: '127.0.0.0/8' } });
  own = await plane.workspace({ plan: 'free' });
});

const url = 'https://example.com/';

const render = async (body: object, path = '/api/qr/static'): Promise<StaticCode> => {
  const answer = await own.call('POST', path, body);
  expect(answer.body).toMatchObject({ type: 'static' });
  expect([answer.status, answer.headers.get('x-qr-decoded')]).toEqual([200, 'yes']);
  return staticCode.strict().parse(answer.body);
};

const decode = async ({ image }: StaticCode): Promise<string | undefined> => {
  const bytes = image.startsWith('data:') ? Buffer.from(image.split(',')[1]!, 'base64') : Buffer.from(image);
  return decodeQr(await sharp(bytes).flatten({ background: '#ffffff' }).png().toBuffer());
};

describe('POST /api/qr/static', () => {
  test('image is inline SVG markup for svg', async () => {
    const code = await render({ data: url, returnType: 'svg', width: 300 });
    expect(code).toMatchObject({ type: 'static', dataType: 'url', format: 'svg' });
    expect(code.image).toMatch(/^<svg [^>]*width="300"/);
    expect(await decode(code)).toBe(url);
  });

  test.each([
    [undefined, 'png', 'image/png'],
    ['png', 'png', 'image/png'],
    ['jpg', 'jpg', 'image/jpeg'],
    ['jpeg', 'jpg', 'image/jpeg'],
    ['webp', 'webp', 'image/webp'],
  ])('for returnType %s it is a data: URI', async (returnType, format, type) => {
    const code = await render({ data: url, returnType });
    expect(code.format).toBe(format);
    expect(code.image.startsWith(`data:${type};base64,`)).toBe(true);
    expect(await decode(code)).toBe(url);
  });

  test.each([
    ['text', 'Grüße, 世界', 'Grüße, 世界'],
    ['wifi', { ssid: 'a;b', password: 'x:y', encryption: 'WPA' }, 'WIFI:T:WPA;S:a\\;b;P:x\\:y;;'],
    ['phone', { phone: '+49 30 1234' }, expect.stringMatching(/^tel:\+49/)],
    ['sms', { phone: '+4930123', message: 'hi' }, expect.stringMatching(/^sms/i)],
    ['email', 'someone@example.com', 'mailto:someone@example.com'],
    ['geo', { latitude: 52.5, longitude: 13.4 }, 'geo:52.5,13.4'],
    ['vcard', { firstName: 'Ada', lastName: 'Lovelace' }, expect.stringMatching(/^BEGIN:VCARD/)],
    ['mecard', { name: 'Ada' }, expect.stringMatching(/^MECARD:/)],
    [
      'vcalendar',
      { title: 'Tea', start: '2030-01-31', end: '2030-02-01' },
      expect.stringMatching(/^BEGIN:VCALENDAR/),
    ],
    ['gs1', { gtin: '09506000134352' }, 'https://id.gs1.org/01/09506000134352'],
  ])('encodes the payload itself: %s', async (dataType, data, payload) => {
    expect(await decode(await render({ dataType, data }))).toEqual(payload);
  });

  test('a GS1 element string begins with FNC1', async () => {
    const code = await render({
      dataType: 'gs1',
      data: { gtin: '09506000134352', batch: 'A1', serial: '7', format: 'element-string' },
    });
    expect((await decode(code))?.replaceAll(/[()]|\p{Cc}/gu, '')).toContain('010950600013435210A1');
  });

  test.each<[unknown, string, boolean]>([
    ['(01)09506000134352(10)A1(21)7%', '010950600013435210A1\x1d217%', true],
    ['^010950600013435210A1^217', '010950600013435210A1\x1d217', true],
    ['\x1d00095201234567891235', '00095201234567891235', true],
    [
      {
        elements: { '8004': '95211415678', '99': 'A', '3103': '000189', '01': '09506000134352' },
        format: 'element-string',
      },
      '01095060001343523103000189800495211415678\x1d99A',
      true,
    ],
    [
      'https://example.com/01/09506000134352?17=271200',
      'https://example.com/01/09506000134352?17=271200',
      false,
    ],
  ])(
    'the symbol of GS1 data %j holds its elements, and FNC1 if they are an element string',
    async (data, held, isGs1) => {
      const { image } = await render({ dataType: 'gs1', data });
      const symbol = await readSymbol(Buffer.from(image.split(',')[1]!, 'base64'));
      expect(symbol.isGs1).toBe(isGs1);
      expect(symbol.bytes.toString()).toBe(held);
    },
  );

  test('nothing is stored; no quota is used', async () => {
    await render({ data: url, name: 'not kept', sources: [{ id: 'a', name: 'A' }] });
    expect((await own.call('GET', '/api/qr/codes')).body).toMatchObject({ pagination: { total: 0 } });
  });

  test('warnings name colours that are readable but not good; good colours have none', async () => {
    const orange = await render({ data: url, dotsOptions: { color: '#f97316' } });
    expect(orange.warnings).toEqual([
      'dotsOptions.color #f97316 on backgroundOptions.color #ffffff has a contrast of 2.8 to 1, where 3 to 1 is good',
    ]);
    expect(await render({ data: url })).not.toHaveProperty('warnings');
  });

  test('the same request gives the same bytes', async () => {
    const body = { data: url, preset: 'menu', image: logo, returnType: 'webp' };
    expect(await render(body)).toEqual(await render(body));
  });

  test.each<[object, number, string]>([
    [{ secure: ['password'], password: 'open sesame' }, 400, 'secure must not be given for a static code'],
    [{ password: 'open sesame' }, 400, 'password must not be'],
    [{ encryption: { type: 'AES', key: 'a passphrase' } }, 400, 'encryption must not be'],
    [{ expiry: 4e12 }, 400, 'expiry must not be'],
    [{ expiresAt: 4e12 }, 400, 'expiresAt must not be'],
    [{ maxScans: 4 }, 400, 'maxScans must not be'],
    [{ routingRules: [] }, 400, 'routingRules must not be'],
    [{ campaign: null }, 400, 'campaign must not be'],
    [{ deepLinkConfig: null }, 400, 'deepLinkConfig must not be'],
    [{ data: undefined }, 400, 'data is required'],
    [{ data: 'example.com' }, 422, 'data must be an absolute'],
    [{ dataType: 'isbn' }, 422, 'dataType must be one of'],
    [{ preset: 'soft', brandKitId: 'bk_1' }, 422, 'brandKitId must not be given together'],
    [{ brandKitId: 'bk_1' }, 422, "brandKitId 'bk_1' is not a brand kit of this workspace"],
    [{ dotsOptions: { color: 'red' } }, 422, 'dotsOptions.color'],
    [{ dotsOptions: { color: '#ffff99' } }, 422, 'dotsOptions.color'],
    [{ width: 63 }, 422, 'width must be'],
    [{ surprise: 1 }, 400, 'surprise is not a known field'],
    [{ dataType: 'text', data: 'é'.repeat(2000) }, 422, 'data'],
  ])('%o is refused, naming the field', async (fields, status, message) => {
    for (const path of ['/api/qr/static', '/api/qr/generate']) {
      const answer = await own.call('POST', path, { data: url, ...fields });
      expect(answer.status, JSON.stringify(answer.body)).toBe(status);
      expect(JSON.stringify(errorBody.parse(answer.body))).toContain(message);
    }
  });
});

describe('POST /api/qr/generate', () => {
  test('is static unless type is dynamic', async () => {
    expect(await decode(await render({ data: url }, '/api/qr/generate'))).toBe(url);
    expect(await render({ type: 'static', data: url }, '/api/qr/generate')).toEqual(
      await render({ data: url }),
    );
    const answer = await own.call('POST', '/api/qr/generate', { type: 'dynamic', data: url, maxScans: 4 });
    expect(answer.status).toBe(201);
    const code = codeObject.strict().parse(answer.body);
    expect((await own.call('GET', `/api/qr/codes/${code.id}`)).body).toEqual(code);
  });

  test('API-key endpoints are limited by the plan’s QR quota; static codes do not use it', async () => {
    const poor = await plane.workspace({ limits: { requestsPerSecond: 1000, dynamicQr: 1 } });
    const generate = (type: string) => poor.call('POST', '/api/qr/generate', { type, data: url });
    const statuses = [];
    for (const type of ['static', 'dynamic', 'dynamic', 'static'])
      statuses.push((await generate(type)).status);
    expect(statuses).toEqual([200, 201, 429, 200]);
  });
});

describe('POST /api/qr/public/generate', () => {
  const call = (body: object, address: string) =>
    plane.callWith(undefined)('POST', '/api/qr/public/generate', body, { 'x-forwarded-for': address });

  test('needs no key, makes only static codes, and allows 10 a day per IP', async () => {
    const answers: Answer[] = [];
    for (let i = 0; i < 12; i++) answers.push(await call({ data: url }, '203.0.113.1'));
    const made = answers.filter(({ status }) => status === 200);
    expect(made).toHaveLength(10);
    expect(await decode(staticCode.parse(made[0]!.body))).toBe(url);
    const limited = answers.find(({ status }) => status === 429)!;
    expect(limited.headers.get('ratelimit-policy')).toBe('10;w=86400');
    expect(errorBody.parse(limited.body).error).toMatch(
      /^More than 10 requests in 24 hours from one address; try again in 2[34] hours$/,
    );
    expect((await call({ data: url }, '203.0.113.2')).status).toBe(200);
  });

  test.each([{ type: 'dynamic' }, { brandKitId: 'bk_1' }, { password: 'open sesame' }])(
    '%o is refused, naming the field',
    async (fields) => {
      const answer = await call({ data: url, ...fields }, '203.0.113.3');
      expect(answer.status).toBe(400);
      expect(errorBody.parse(answer.body).error).toContain(Object.keys(fields)[0]);
    },
  );
});

test('a picture of megabytes is encoded in short steps, as a data URI', async () => {
  const body = Buffer.alloc(12 * 2 ** 20 + 1, 'picture');
  const rendered = { body, contentType: 'image/png', decoded: 'yes', warnings: [] } as const;
  const reply = createStaticRendering(async () => rendered);
  const asked = { dataType: 'url', data: { url }, returnType: 'png' } as Parameters<typeof reply>[1];
  const atOnceMs = cpuOf(() => Buffer.from(body.toString('base64'), 'latin1'));
  let stepMs = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 5; n++) {
    const { made, stepMs: ms } = await longestStep(() => reply({ workspaceId: 'ws_1' }, asked));
    stepMs = Math.min(stepMs, ms);
    const { image } = JSON.parse(Buffer.concat(made.parts!).toString());
    expect(image === `data:image/png;base64,${body.toString('base64')}`).toBe(true);
  }
  expect(stepMs).toBeLessThan(atOnceMs / 2);
});
