import { generateKeyPairSync } from 'node:crypto';
import { Redis } from 'ioredis';
import { compactDecrypt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CodeObject, codeObject } from '#schemas/api/codes.ts';
import { type CodeRecord, capKey, parseRecord, recordKey } from '#schemas/code-record.ts';
import { redisUrl } from '../../../deploy/testing/index.ts';
import {
  logo,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';

const redis = new Redis(redisUrl());
let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});
afterAll(() => redis.disconnect());

const url = 'https://example.com/';
const future = Date.now() + 86_400_000;

const record = async (code: CodeObject): Promise<CodeRecord> => {
  const text = await redis.get(recordKey(code.id));
  return parseRecord(text ?? '');
};

const row = async (code: CodeObject): Promise<Record<string, unknown>> => {
  const { rows } = await plane.pool.query('SELECT * FROM codes WHERE id = $1', [code.id]);
  return rows[0];
};

test('a plain code is a record of five keys', async () => {
  const code = await own.createCode();
  expect(Object.keys(await record(code))).toEqual(['id', 'workspaceId', 'version', 'active', 'destination']);
});

describe('data is a payload of its dataType', () => {
  test.each([
    ['text', 'Hello\n🎉', 'Hello\n🎉'],
    ['email', { to: 'ada@example.com', subject: 'A & B' }, 'mailto:ada@example.com?subject=A%20%26%20B'],
    ['email', 'ada@example.com', 'mailto:ada@example.com'],
    [
      'wifi',
      { ssid: 'Gäste', password: 'a;b', encryption: 'WPA', hidden: true },
      'WIFI:T:WPA;S:Gäste;P:a\\;b;H:true;;',
    ],
    ['wifi', { ssid: 'Open', password: '', encryption: 'nopass' }, 'WIFI:T:nopass;S:Open;;'],
    [
      'vcard',
      { firstName: 'Ada', lastName: 'Lovelace' },
      'BEGIN:VCARD\r\nVERSION:4.0\r\nN:Lovelace;Ada;;;\r\nFN:Ada Lovelace\r\nEND:VCARD\r\n',
    ],
    ['sms', { phone: '+49 89 1', message: 'Hi' }, 'SMSTO:+49891:Hi'],
    ['phone', { phone: '+49 (89) 1' }, 'tel:+49891'],
    ['geo', { latitude: 48.137154, longitude: -11.5 }, 'geo:48.137154,-11.5'],
    ['mecard', { name: 'Ada', phone: '+49 89 1' }, 'MECARD:N:Ada;TEL:+49 89 1;;'],
    ['gs1', { gtin: '9506000134352', batch: 'A1' }, 'https://id.gs1.org/01/09506000134352/10/A1'],
    ['gs1', 'https://shop.example/01/09506000134352', 'https://shop.example/01/09506000134352'],
    ['gs1', '(01)09506000134352(10)A/1(17)271200', 'https://id.gs1.org/01/09506000134352/10/A%2F1?17=271200'],
    [
      'gs1',
      { elements: { '414': '9506000134352', '254': 'X' }, domain: 'id.shop.example' },
      'https://id.shop.example/414/9506000134352/254/X',
    ],
  ])('%s %j becomes %s', async (dataType, data, destination) => {
    const code = await own.createCode({ dataType, data });
    expect(code).toMatchObject({ dataType, destination });
    expect(await record(code)).toMatchObject({ dataType, destination });
    expect((await row(code)).data).toEqual(typeof data === 'string' ? null : data);
  });

  test('vcalendar: with days and with times', async () => {
    const data = {
      title: 'Party',
      start: '2030-01-31T18:00:00',
      end: '2030-01-31T20:00:00',
      timeZone: 'Europe/Berlin',
    };
    const { destination } = await own.createCode({ dataType: 'vcalendar', data });
    expect(destination).toContain('DTSTART;TZID=Europe/Berlin:20300131T180000\r\n');
    expect(destination).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*SUMMARY:Party\r\n/);
  });

  test('the list filters by it', async () => {
    const other = await plane.workspace();
    const code = await other.createCode({ dataType: 'phone', data: '112' });
    await other.createCode();
    expect((await other.call('GET', '/api/qr/codes?type=phone')).body).toMatchObject({
      data: [code],
      pagination: { total: 1 },
    });
  });
});

describe('a create accepts the fields of an update', () => {
  const destination = 'https://example.org/ü';
  const ascii = 'https://example.org/%C3%BC';

  test('sources: up to six, with or without a name', async () => {
    const sources = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, name: id.toUpperCase() }));
    const code = await own.createCode({ sources: [...sources, { id: 'f' }] });
    expect((await record(code)).sources).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect((await row(code)).sources).toEqual([...sources, { id: 'f', name: 'f' }]);
  });

  test('routing rules: countries in any case, missing ids filled in', async () => {
    const code = await own.createCode({
      routingRules: [
        { condition: { country: ['de', 'AT', 'DE'] }, destination },
        { id: 'rule-3', condition: { device: ['mobile'], os: ['ios'] }, destination },
        { condition: { os: ['other'] }, destination },
      ],
    });
    expect((await record(code)).rules).toEqual([
      { id: 'rule-1', condition: { country: ['DE', 'AT'] }, destination: ascii },
      { id: 'rule-3', condition: { device: ['mobile'], os: ['ios'] }, destination: ascii },
      { id: 'rule-4', condition: { os: ['other'] }, destination: ascii },
    ]);
  });

  test('a campaign: its variants are in the record while it runs', async () => {
    const variants = [
      { destination, weight: 0.5 },
      { id: 'b', name: 'B', destination, weight: 0 },
    ];
    const running = await own.createCode({ campaign: { status: 'active', variants } });
    expect((await record(running)).variants).toEqual([
      { id: 'variant-1', name: 'variant-1', destination: ascii, weight: 0.5 },
      { id: 'b', name: 'B', destination: ascii, weight: 0 },
    ]);
    const paused = await own.createCode({ campaign: { status: 'paused', variants } });
    expect(await record(paused)).not.toHaveProperty('variants');
  });

  test('deep links: of https and of the app’s own scheme', async () => {
    const code = await own.createCode({
      deepLinkConfig: {
        ios: {
          url: 'https://app.example/ü',
          appStoreUrl: 'https://apps.apple.com/app/id1',
          appId: 'ABCDE12345.com.example',
        },
        android: { url: 'my-app://open?x=ü' },
      },
    });
    expect((await record(code)).deepLink).toEqual({
      ios: { url: 'https://app.example/%C3%BC', storeUrl: 'https://apps.apple.com/app/id1' },
      android: { url: 'my-app://open?x=%C3%BC' },
    });
  });

  test('messages: as they are given', async () => {
    const messages = {
      inactive: { title: 'Over' },
      capped: { button: { label: 'Shop', url: 'tel:+441234' } },
    };
    const code = await own.createCode({ messages });
    expect((await record(code)).messages).toEqual(messages);
  });

  test('null and empty lists mean none', async () => {
    const code = await own.createCode({
      routingRules: [],
      campaign: null,
      deepLinkConfig: null,
      messages: null,
      maxScans: null,
      expiresAt: '',
      sources: [],
    });
    expect(code).toMatchObject({ maxScans: null, expiresAt: null });
    expect(Object.keys(await record(code))).toHaveLength(5);
  });
});

describe('secure', () => {
  test('password: required when secure includes it; stored as argon2id', async () => {
    const code = await own.createCode({ secure: ['password'], password: 'open sesame' });
    expect(code).toMatchObject({ passwordProtected: true, secure: ['password'] });
    expect(await record(code)).toMatchObject({ passwordProtected: true });
    expect((await row(code)).password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(await row(code))).not.toContain('sesame');
  });

  test('expire: expiry in milliseconds since 1970', async () => {
    const code = await own.createCode({ secure: ['expire'], expiry: future });
    expect(code).toMatchObject({ expiresAt: new Date(future).toISOString(), secure: ['expire'] });
    expect(await record(code)).toMatchObject({ expiresAtMs: future });
  });

  test('expiresAt: ISO 8601 or epoch milliseconds, to the end of the JS date range', async () => {
    const iso = '2099-05-04T12:00:00.123+02:00';
    expect((await own.createCode({ expiresAt: iso })).expiresAt).toBe('2099-05-04T10:00:00.123Z');
    expect((await own.createCode({ expiresAt: '2099-05-04' })).expiresAt).toBe('2099-05-04T00:00:00.000Z');
    const last = await own.createCode({ expiresAt: 8_640_000_000_000_000 });
    expect(last.expiresAt).toBe('+275760-09-13T00:00:00.000Z');
    expect((await own.call('GET', `/api/qr/codes/${last.id}`)).body).toEqual(last);
    expect(await record(last)).toMatchObject({ expiresAtMs: 8_640_000_000_000_000 });
    for (const expiresAt of ['+275760-09-12T23:59:59.999Z', 8_639_999_999_999_999, 253_402_300_800_001]) {
      const code = await own.createCode({ expiresAt });
      expect((await record(code)).expiresAtMs).toBe(
        typeof expiresAt === 'number' ? expiresAt : 8_639_999_999_999_999,
      );
    }
  });

  test('encrypt with a passphrase: the destination is a JWE that the passphrase opens; nothing else is stored', async () => {
    const key = 'correct horse battery';
    const code = await own.createCode({
      data: 'https://secret.example/x',
      secure: ['encrypt'],
      encryption: { type: 'AES', key },
    });
    expect(code).toMatchObject({ encrypted: true, secure: ['encrypt'] });
    expect(decodeProtectedHeader(code.destination)).toMatchObject({
      alg: 'PBES2-HS256+A128KW',
      enc: 'A256GCM',
      p2c: 600_000,
    });
    const opened = await compactDecrypt(code.destination, Buffer.from(key), {
      keyManagementAlgorithms: ['PBES2-HS256+A128KW'],
      maxPBES2Count: 600_000,
    });
    expect(Buffer.from(opened.plaintext).toString()).toBe('https://secret.example/x');
    expect(await record(code)).toMatchObject({ encrypted: 'AES', destination: code.destination });
    expect(JSON.stringify(await row(code))).not.toMatch(/secret\.example|correct horse/);
  });

  test('encrypt with a public RSA key: its private key opens it; the fields of a payload are not stored either', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    for (const type of ['spki', 'pkcs1'] as const) {
      const code = await own.createCode({
        dataType: 'wifi',
        data: { ssid: 'hidden network', password: 'p@ss', encryption: 'WPA' },
        secure: ['encrypt'],
        encryption: { type: 'RSA', key: publicKey.export({ type, format: 'pem' }) },
      });
      expect(decodeProtectedHeader(code.destination)).toEqual({ alg: 'RSA-OAEP-256', enc: 'A256GCM' });
      const { plaintext } = await compactDecrypt(code.destination, privateKey);
      expect(Buffer.from(plaintext).toString()).toBe('WIFI:T:WPA;S:hidden network;P:p@ss;;');
      expect(await record(code)).toMatchObject({ encrypted: 'RSA', dataType: 'wifi' });
      expect(JSON.stringify(await row(code))).not.toMatch(/hidden network|p@ss/);
    }
  });

  test('all three at once', async () => {
    const code = await own.createCode({
      secure: ['password', 'encrypt', 'expire'],
      password: 'open sesame',
      encryption: { type: 'AES', key: 'long enough' },
      expiry: future,
    });
    expect(code.secure).toEqual(['password', 'encrypt', 'expire']);
  });
});

describe('maxScans', () => {
  test('creates a counter of 0 together with the record, and keeps an existing one', async () => {
    const code = await own.createCode({ maxScans: 3 });
    expect(code.maxScans).toBe(3);
    expect(await record(code)).toMatchObject({ cap: { max: 3, epoch: 1 } });
    expect(await redis.get(capKey(code.id, 1))).toBe('0');
    expect(await redis.ttl(capKey(code.id, 1))).toBe(-1);
    await redis.incr(capKey(code.id, 1));
    await own.call('PUT', `/api/qr/codes/${code.id}`, { name: 'still counting' });
    expect(await redis.get(capKey(code.id, 1))).toBe('1');
  });

  test('is needed for a counter', async () => {
    const code = await own.createCode();
    expect(await redis.exists(capKey(code.id, 1))).toBe(0);
  });
});

describe('the saved style', () => {
  test('has every styling key as given', async () => {
    const style = {
      preset: 'ocean',
      frame: { id: 'banner', text: 'Scan me', color: '#112233' },
      dotsOptions: {
        type: 'rounded',
        color: {
          type: 'linear',
          rotation: 1,
          colorStops: [
            { offset: 0, color: '#000000' },
            { offset: 1, color: '#0000ff' },
          ],
        },
      },
      backgroundOptions: { color: 'transparent', round: 0.5 },
      // Bytes after the picture in its file are ignored.
      image: `data:image/png;base64,${Buffer.concat([Buffer.from(logo, 'base64'), Buffer.alloc(750_000)]).toString('base64')}`,
      imageOptions: { imageSize: 0.3, margin: 1, hideBackgroundDots: true },
      qrOptions: { errorCorrectionLevel: 'H', typeNumber: 0, mode: 'auto' },
      width: 600,
      height: 600,
      margin: 0,
      returnType: 'svg',
      shape: 'circle',
    };
    const code = await own.createCode(style);
    expect((await row(code)).style).toEqual(style);
    expect(codeObject.parse(code)).not.toHaveProperty('style');
    expect((await own.call('PUT', `/api/qr/codes/${code.id}`, {})).body).toEqual({ ...code, style });
  });

  test('sets the margin and size of the picture if the request does not', async () => {
    const code = await own.createCode({ width: 300, margin: 0 });
    const svg = async (query = '') =>
      String((await own.call('GET', `/api/qr/codes/${code.id}/image?format=svg${query}`)).body);
    expect(await svg()).toMatch(/width="300"/);
    expect(await svg('&size=400')).toMatch(/width="400"/);
  });
});

test('every successful call creates a new resource, even with the same protected content', async () => {
  const body = { secure: ['password'], password: 'same for both' };
  const [one, two] = [await own.createCode(body), await own.createCode(body)];
  expect((await row(one)).password_hash).not.toBe((await row(two)).password_hash);
  expect(one.destination).toBe(url);
});
