/** Signature keys have generations, and admin commands manage them and the quota. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { loadSettings } from '#shared/config.ts';
import { createSerialKeys, readSerialKeys } from '#shared/serial-keys.ts';
import { createSerialSignatures } from '#shared/serial-signatures.ts';
import { createTestClickHouse, createTestDatabase } from '../../../deploy/testing/index.ts';
import { callAdmin } from '../../admin/call.ts';
import { features } from '../../app.ts';
import { consumersOf, verbsOf } from '../../framework/feature.ts';
import { createOutbox } from '../../framework/outbox.ts';
import { secretKey, startTestControlPlane } from '../../testing/control-plane.ts';
import { batchesPath, batchOf, minted, quotaOf } from './testing/mints.ts';

const [databaseUrl, clickhouseUrl] = [await createTestDatabase(), await createTestClickHouse()];

const admin = async (args: readonly string[], environment: Record<string, string> = {}) => {
  const said: string[] = [];
  const complaints: string[] = [];
  const code = await callAdmin(
    args,
    { verbs: verbsOf(features), outbox: createOutbox(consumersOf(features)) },
    {
      environment: { DATABASE_URL: databaseUrl, SECRET_KEY: secretKey, ...environment },
      say: (line) => said.push(line),
      send: async () => undefined,
      complain: (line) => complaints.push(line),
    },
  );
  return { code, complaints, line: said[0] === undefined ? undefined : JSON.parse(said[0]) };
};

const keysText = async (...args: string[]): Promise<string> => (await admin(args)).line.SERIAL_KEYS;

/** As a redirector has them. */
const signaturesOf = (SERIAL_KEYS: string) =>
  createSerialSignatures(
    createSerialKeys({ secretKey, serialKeys: loadSettings({ SERIAL_KEYS }).serialKeys }),
  );

/** @returns a control plane with these keys, and its log */
const planeWith = async (SERIAL_KEYS: string | undefined) => {
  let logged = '';
  const sink = new Writable({
    write(chunk, _, done) {
      logged += chunk;
      done();
    },
  });
  const plane = await startTestControlPlane({
    databaseUrl,
    clickhouseUrl,
    logger: pino({ level: 'error' }, sink),
    environment: SERIAL_KEYS === undefined ? {} : { SERIAL_KEYS },
  });
  return { plane, logged: () => logged };
};

test('batches of three generations are still printed and verified with the latest keys', async () => {
  const first = await planeWith(undefined);
  const { call, apiKey } = await first.plane.workspace();
  const gtin = '09506000134352';
  const batches = [await minted(call, { gtin })];
  const urlsOf = async (by: typeof call) => {
    const pages = await Promise.all(batches.map(({ batchId }) => batchOf(by, batchId)));
    return pages.map(({ items }) => items.map(({ url }) => url));
  };
  const serialsOf = async (by: typeof call, batchId: string): Promise<string[]> => {
    const { body } = await by('GET', `${batchesPath}/${batchId}/items.csv?uriFormat=gs1`);
    return [...String(body).matchAll(/\/01\/\d{14}\/21\/(\w+)/g)].map(([, serial]) => serial!);
  };
  const printed = await urlsOf(call);
  const serials = [await serialsOf(call, batches[0]!.batchId)];

  let keys = await keysText('serial-keys');
  let latest = call;
  for (const generation of [2, 3]) {
    const { line } = await admin(['serial-keys', '--add'], { SERIAL_KEYS: keys });
    expect(line).toMatchObject({ signs: generation, used: generation === 2 ? [1] : [1, 2] });
    keys = line.SERIAL_KEYS;
    const { plane, logged } = await planeWith(keys);
    latest = plane.callWith(apiKey);
    const batch = await minted(latest, { gtin });
    batches.push(batch);
    printed.push((await batchOf(latest, batch.batchId)).items.map(({ url }) => url));
    serials.push(await serialsOf(latest, batch.batchId));
    expect(logged()).toBe('');
  }

  expect(await urlsOf(latest)).toEqual(printed);
  const signatures = signaturesOf(keys);
  const verdicts = printed.flat().map((url) => {
    const [, itemId = '', signature = ''] = /\/v\/(\w+)\/(\w+)$/.exec(url) ?? [];
    return [signature[0], signatures.check(itemId, signature)];
  });
  expect(verdicts).toEqual(['2', '3', '4'].flatMap((digit) => Array(3).fill([digit, 'genuine'])));
  expect(serials.flat().map((serial) => signatures.checkSerial(gtin, serial).check)).toEqual(
    Array(9).fill('genuine'),
  );

  // The first plane keeps running without the later keys: it does not print codes that it cannot sign.
  const { batchId } = batches[2]!;
  expect((await call('GET', `${batchesPath}/${batchId}`)).status).toBe(503);
  expect((await call('GET', `${batchesPath}/${batchId}/items.csv`)).status).toBe(503);
  const [, ...rest] = keys.split(',');
  const { logged } = await planeWith(rest.join(','));
  expect(logged()).toContain('SERIAL_KEYS must have the keys of the generations 1:');
});

test('serial-keys prints the keys of the planes, by default the key derived from SECRET_KEY', async () => {
  const keys = readSerialKeys(await keysText('serial-keys'));
  expect(keys).toEqual({ keys: createSerialKeys({ secretKey, serialKeys: undefined }) });
  const added = await keysText('serial-keys', '--add');
  expect(added.startsWith(`${await keysText('serial-keys')},2=`)).toBe(true);
});

test('invalid SERIAL_KEYS stop the start, and no key is revealed', () => {
  const key = Buffer.alloc(32, 7).toString('base64url');
  for (const [text, fault] of [
    ['1', 'entry 1 is not a generation'],
    [`1=${key},2=short`, 'entry 2 is not a generation'],
    [`1=${key},1=${key}`, 'entry 2 has the generation 1 once more'],
    [`58=${key}`, 'entry 1 has the generation 58; generations are 1 to 57'],
    [`0=${key}`, 'entry 1 is not a generation'],
  ] as const) {
    const load = () => loadSettings({ SERIAL_KEYS: text });
    expect(load).toThrow(fault);
    expect(load).not.toThrow(key);
  }
});

test('grant-serialized-codes adds a block to the quota, at once', async () => {
  const { plane } = await planeWith(undefined);
  const { call, workspaceId, subscriptionId } = await plane.workspace({ plan: 'business' });
  const grant = (count: string) =>
    admin(['grant-serialized-codes', '--workspace', workspaceId, '--count', count]);
  expect(await grant('1000')).toMatchObject({
    code: 0,
    line: { workspaceId, granted: 1000, subscriptionId, purchased: 1000, minted: 0 },
  });
  expect((await grant('10000')).line).toMatchObject({ granted: 10_000, purchased: 11_000 });
  expect(await quotaOf(call)).toMatchObject({ purchased: 11_000, total: 21_000, remaining: 21_000 });
  for (const wrong of ['0', '-5', '1.5', 'many', '100000001'])
    expect((await grant(wrong)).code, wrong).toBe(2);
  const unknown = await admin(['grant-serialized-codes', '--workspace', 'ws_none', '--count', '1']);
  expect(unknown).toMatchObject({ code: 1, complaints: ['There is no workspace ws_none'] });
});
