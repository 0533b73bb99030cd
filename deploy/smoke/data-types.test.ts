/** Every data type, by every way in and out: a list that lacks one is found here, and not by who makes the first code of it. */
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
import { secretKey, startTestControlPlane } from '../../control-plane/testing/control-plane.ts';
import { encodeForm } from '../../control-plane/testing/form.ts';
import { phone, startTestRedirector } from '../../redirector/testing/redirector.ts';
import { decodeQr } from '../testing/decode.ts';

const plane = await startTestControlPlane();
const own = await plane.workspace();
const waymark = await startTestRedirector({
  REDIS_URL: plane.redisUrl,
  CLICKHOUSE_URL: plane.clickhouseUrl,
  SECRET_KEY: secretKey,
  CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
});

interface Sample {
  /** As text that is stored as it is. */
  text: string;
  /** Fields, and a part of the payload that they make. */
  fields: [data: object, part: string] | undefined;
  /** What its page shows; undefined for a location. */
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

/** What a phone gets once the code is known everywhere. */
const scan = async (id: string, accept: string) => {
  const init = { headers: { 'user-agent': phone, accept }, redirect: 'manual' } as const;
  await expect.poll(async () => (await waymark.scan(id, init)).status, { timeout: 20_000 }).toBeLessThan(400);
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
  expect(await (await scan(id, 'application/json')).json()).toEqual({ dataType, data: text });
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
  'a code of the type %s is sealed by a passphrase and for a key; its page holds what they open',
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
  'the type %s is read from a spreadsheet, or refused by the name of its column',
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
