/**
 * Every data type, by every way in and out. A list that lacks one fails here, rather than for the first user of the
 * type.
 */
import { generateKeyPairSync } from 'node:crypto';
import { compactDecrypt } from 'jose';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { codeObject } from '#schemas/api/codes.ts';
import { type DataType, dataTypes, isLocationType } from '#schemas/api/data-types.ts';
import { codeExplanation } from '#schemas/api/explain.ts';
import { isStructured } from '#schemas/api/payloads.ts';
import { resultOf, submitted } from '../../control-plane/features/bulk/testing/calls.ts';
import { generated, zipOf } from '../../control-plane/features/bulk/testing/generate-calls.ts';
import { dataColumns } from '../../control-plane/features/bulk/upload/columns.ts';
import { type Answer, secretKey, startTestControlPlane } from '../../control-plane/testing/control-plane.ts';
import { encodeForm } from '../../control-plane/testing/form.ts';
import { phone, startTestRedirector } from '../../redirector/testing/redirector.ts';
import { decodeQr } from '../testing/decode.ts';

const plane = await startTestControlPlane();
const own = await plane.workspace();
const waymark = await startTestRedirector({
  REDIS_URL: plane.redisUrl,
  CLICKHOUSE_URL: plane.clickhouseUrl,
  SECRET_KEY: secretKey,
  CONTROL_PLANE_URL: plane.url,
  CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
});

/**
 * Requests a path at the origin of the codes, as a program on a phone. Each answer must match the OpenAPI document.
 */
const askedOf = async (path: string, init: RequestInit = {}): Promise<Answer> => {
  const headers = { 'user-agent': phone, accept: 'application/json', ...init.headers };
  const response = await fetch(waymark.url + path, { redirect: 'manual', ...init, headers });
  const text = await response.text();
  const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json');
  const answer = {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  };
  plane.contract.checkPublic(init.method ?? 'GET', path, answer);
  return answer;
};

interface Sample {
  /** A text that is stored unchanged. */
  text: string;
  /** Fields, and the part of the payload that they produce. */
  fields: [data: object, part: string] | undefined;
  /** The text that its page shows; undefined for a location. */
  shown: string | undefined;
}

const calendar = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'SUMMARY:Party',
  'DTSTART:20300131T180000Z',
  'DTEND:20300131T200000Z',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

const samples: Record<DataType, Sample> = {
  url: { text: 'https://example.com/a?b=c', fields: undefined, shown: undefined },
  text: { text: 'Table 14', fields: undefined, shown: 'Table 14' },
  email: {
    text: 'mailto:ada@example.com',
    fields: [{ to: 'ada@example.com' }, 'ada@example.com'],
    shown: 'ada@example.com',
  },
  wifi: {
    text: 'WIFI:T:WPA;S:Guests;P:welcome;;',
    fields: [{ ssid: 'Guests', password: 'welcome', encryption: 'WPA' }, 'S:Guests'],
    shown: 'Guests',
  },
  vcard: {
    text: 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada Lovelace\r\nEND:VCARD',
    fields: [{ firstName: 'Ada', lastName: 'Lovelace' }, 'FN:Ada Lovelace'],
    shown: 'Ada Lovelace',
  },
  sms: {
    text: 'SMSTO:+49891:Hi',
    fields: [{ phone: '+49891', message: 'Hi' }, 'SMSTO:+49891:Hi'],
    shown: '+49891',
  },
  phone: { text: 'tel:+49891', fields: [{ phone: '+49891' }, 'tel:+49891'], shown: '+49891' },
  geo: {
    text: 'geo:48.5,-11.5',
    fields: [{ latitude: 48.5, longitude: -11.5 }, 'geo:48.5,-11.5'],
    shown: '48.5',
  },
  vcalendar: {
    text: calendar,
    fields: [{ title: 'Party', start: '2030-01-31T18:00:00Z', end: '2030-01-31T20:00:00Z' }, 'SUMMARY:Party'],
    shown: 'Party',
  },
  mecard: { text: 'MECARD:N:Ada;TEL:+49891;;', fields: [{ name: 'Ada' }, 'N:Ada'], shown: 'Ada' },
  gs1: {
    text: 'https://id.gs1.org/01/09506000134352',
    fields: [{ gtin: '9506000134352', batch: 'A1' }, '/01/09506000134352/10/A1'],
    shown: undefined,
  },
};

const ok = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const answer = await own.call(method, path, body);
  expect([method, path, answer.status, answer.status < 300 ? '' : answer.body]).toEqual([
    method,
    path,
    answer.status,
    '',
  ]);
  return answer.body;
};

const patient = { timeout: 20_000 };

/** The answer to a phone once the code is known everywhere. */
const scan = async (id: string, accept: string) => {
  const init = { headers: { 'user-agent': phone, accept }, redirect: 'manual' } as const;
  await expect.poll(async () => (await waymark.scan(id, init)).status, patient).toBeLessThan(400);
  return waymark.scan(id, init);
};

const scansShow = async (id: string, dataType: DataType): Promise<void> => {
  const { text, shown } = samples[dataType];
  const page = await scan(id, 'text/html');
  expect([dataType, page.headers.get('location')]).toEqual([
    dataType,
    isLocationType(dataType) ? text : null,
  ]);
  if (shown === undefined) return;
  expect(await page.text()).toContain(shown);
  expect(await askedOf(`/r/${id}`)).toMatchObject({ status: 200, body: { dataType, data: text } });
};

/** In the page that opens it. */
const jweIn = (page: string): string => /data-jwe="([^"]+)"/.exec(page)![1]!;

const decoded = async (picture: Buffer): Promise<string | undefined> =>
  decodeQr(await sharp(picture).flatten({ background: '#fff' }).png().toBuffer());

const inline = z.looseObject({ image: z.string() });

const passphrase = 'open sesame';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = String(publicKey.export({ type: 'spki', format: 'pem' }));

test.each(dataTypes)(
  'a code of the type %s is created as text and by fields, changed, listed and scanned',
  async (dataType) => {
    const { text, fields } = samples[dataType];
    const code = await own.createCode({ dataType, data: text });
    expect(code).toMatchObject({ dataType, destination: text });
    expect(codeObject.parse(await ok('GET', `/api/qr/codes/${code.id}`))).toMatchObject({
      dataType,
      destination: text,
    });
    expect(await ok('GET', `/api/qr/codes?type=${dataType}`)).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id: code.id })]),
    });
    await scansShow(code.id, dataType);
    const explained = codeExplanation.parse(await ok('GET', `/api/qr/codes/${code.id}/explain`));
    expect(explained.decision.kind).toBe(isLocationType(dataType) ? 'redirect' : 'content');
    expect(await decoded((await ok('GET', `/api/qr/codes/${code.id}/image`)) as Buffer)).toBe(
      code.redirectUrl,
    );
    expect(isStructured(dataType)).toBe(fields !== undefined);
    const other = await own.createCode(
      fields ? { dataType, data: fields[0] } : { dataType, data: `${text}2` },
    );
    expect(other.destination).toContain(fields ? fields[1] : `${text}2`);
    await ok('PUT', `/api/qr/codes/${other.id}`, { destination: text });
    await expect
      .poll(async () => (await scan(other.id, 'application/json')).status, { timeout: 20_000 })
      .toBeLessThan(400);
    await scansShow(other.id, dataType);
  },
);

test.each(dataTypes)(
  'a code of the type %s is sealed by a passphrase and for a key; its page has the data to open it',
  async (dataType) => {
    const { text } = samples[dataType];
    for (const [type, key, secret] of [
      ['AES', passphrase, new TextEncoder().encode(passphrase)],
      ['RSA', pem, privateKey],
    ] as const) {
      const code = await own.createCode({
        dataType,
        data: text,
        secure: ['encrypt'],
        encryption: { type, key },
      });
      const page = await (await scan(code.id, 'text/html')).text();
      const { plaintext } = await compactDecrypt(jweIn(page), secret, {
        keyManagementAlgorithms: ['PBES2-HS256+A128KW', 'RSA-OAEP-256'],
        maxPBES2Count: 600_000,
      });
      expect(Buffer.from(plaintext).toString()).toBe(text);
      expect((await askedOf(`/r/${code.id}`)).body).toEqual({ encrypted: type, dataType, jwe: jweIn(page) });
      const explained = codeExplanation.parse(await ok('GET', `/api/qr/codes/${code.id}/explain`));
      expect(explained.decision.kind).toBe('encrypted');
    }
  },
);

test.each(dataTypes)(
  'the type %s is drawn as a static code, singly and in bulk, and created and exported with others',
  async (dataType) => {
    const { text } = samples[dataType];
    const { image } = inline.parse(await ok('POST', '/api/qr/static', { dataType, data: text }));
    expect(await decoded(Buffer.from(image.replace(/^data:[^,]*,/, ''), 'base64'))).toBe(text);
    const { files } = await zipOf(
      own.call,
      await generated(own.call, [{ uid: 'a', dataType, data: text, returnType: 'png' }]),
    );
    expect(await decoded([...files.values()][0]!)).toBe(text);
    const [entry] = await resultOf(own.call, await submitted(own.call, [{ uid: 'a', dataType, data: text }]));
    expect(entry).toMatchObject({ status: 'created' });
    await scansShow(entry!.id!, dataType);
    const lines = String(await ok('GET', '/api/qr/codes/export?format=ndjson'))
      .trim()
      .split('\n');
    const exported = lines.map((line) => codeObject.parse(JSON.parse(line)));
    expect(exported).toContainEqual(expect.objectContaining({ id: entry!.id, dataType, destination: text }));
    expect(String(await ok('GET', '/api/qr/codes/export'))).toContain(entry!.id);
  },
);

const report = z.looseObject({
  invalid: z.array(z.looseObject({ column: z.string() })),
  rows: z.array(z.looseObject({ body: z.looseObject({}) })),
});

test.each(dataTypes)(
  'the type %s is read from a spreadsheet, or its column is rejected by name',
  async (dataType) => {
    const { text } = samples[dataType];
    const form = await encodeForm({}, `dataType,destination\n${dataType},"${text}"\n`);
    const path = '/api/qr/codes/bulk/upload?dryRun=true';
    const { body } = await own.call('POST', path, form.body, { ...form.headers });
    const { invalid, rows } = report.parse(body);
    expect([invalid.map(({ column }) => column), rows.map((row) => row.body)]).toEqual(
      dataColumns[dataType] ? [[], [expect.objectContaining({ dataType, data: text })]] : [['dataType'], []],
    );
  },
);

/** Without the token of a page. */
const sentForm = {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'x=1',
};

test('every answer to a program at the origin of the codes matches the OpenAPI document', async () => {
  const known = async (body: object): Promise<string> => {
    const { id } = await own.createCode(body);
    const path = `/r/${id}`;
    await expect.poll(async () => (await askedOf(path, { method: 'HEAD' })).status, patient).not.toBe(404);
    return path;
  };
  const statusOf = async (path: string, init?: RequestInit) => (await askedOf(path, init)).status;
  const opened = (password: string): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password }),
  });
  const locked = await known({ dataType: 'text', data: 'Hi', secure: ['password'], password: passphrase });
  expect(await statusOf(locked)).toBe(401);
  expect(await statusOf(locked, opened('wrong'))).toBe(401);
  expect(await statusOf(locked, opened(passphrase))).toBe(200);
  const capped = await known({ maxScans: 1 });
  expect([await statusOf(capped), await statusOf(capped)]).toEqual([302, 410]);
  expect(await statusOf(capped, opened('x'))).toBe(405);
  const app = { ios: { url: 'myapp://offer', appStoreUrl: 'https://apps.apple.com/app/id1' } };
  expect(await statusOf(await known({ deepLinkConfig: app }))).toBe(200);
  await ok('POST', '/api/qr/gs1/entries', {
    path: '/01/09506000134352',
    itemDescription: 'Rice',
    links: [{ linkType: 'gs1:pip', href: 'https://example.com/rice', title: 'Rice' }],
  });
  await expect.poll(() => statusOf('/01/09506000134352'), patient).toBe(307);
  for (const [status, path] of [
    [200, '/01/09506000134352?linkType=linkset'],
    [404, '/01/09506000134352?linkType=gs1:recipeInfo'],
    [404, '/01/09506000140445'],
    [400, '/01/09506000140446'],
    [200, '/.well-known/gs1resolver'],
    [200, '/.well-known/assetlinks.json'],
    [200, '/.well-known/apple-app-site-association'],
    [404, '/v/7CbHq2mXvR4k/1Jd8sQwLx5nB3TyV'],
    [404, '/r/zzzzzzzzz'],
    [404, '/p/none'],
    [404, '/m/none'],
    [404, '/f/none'],
  ] as const)
    expect([path, await statusOf(path)]).toEqual([path, status]);
  const { formId } = (await ok('POST', '/api/qr/forms', {
    name: 'Contact',
    fields: [{ id: 'email', type: 'email', label: 'E-mail' }],
  })) as { formId: string };
  expect(await statusOf('/f/none', sentForm)).toBe(404);
  expect(await askedOf(`/f/${formId}`, sentForm)).toMatchObject({
    status: 422,
    body: { token: expect.any(String) },
  });
});
