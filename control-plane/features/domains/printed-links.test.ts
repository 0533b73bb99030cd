/** A code keeps the link that it is printed with, and every answer and picture has that link. */
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { decodeQr } from '../../../deploy/testing/decode.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { encodeForm } from '../../testing/form.ts';
import { startDnsServer } from './testing/dns-server.ts';
import { createDomainOwner } from './testing/domain-owner.ts';

let plane: TestControlPlane;
let own: Workspace;
/** `https://go1.brand.example/` */
let base: string;

beforeAll(async () => {
  const dns = await startDnsServer();
  plane = await startTestControlPlane({
    environment: { DNS_SERVERS: dns.address },
  });
  own = await plane.workspace();
  const domain = await createDomainOwner(dns, own).addVerified({ path: '/' });
  await own.call('PATCH', `/api/domains/${domain.id}`, { primary: true });
  base = `https://${domain.domain}/`;
});

const accepted = z.object({ bulkId: z.string() });
const entries = z.array(z.looseObject({ status: z.string(), id: z.string(), redirectUrl: z.string() }));

const resultOf = async (answer: { status: number; body: unknown }) => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  const path = `/api/qr/codes/bulk/${accepted.parse(answer.body).bulkId}`;
  const status = async () => ((await own.call('GET', path)).body as { status: string }).status;
  await expect.poll(status, { timeout: 60_000, interval: 25 }).toBe('completed');
  return entries.parse((await own.call('GET', `${path}/result`)).body);
};

const pictureOf = async (id: string, query = '') =>
  decodeQr((await own.call('GET', `/api/qr/codes/${id}/image?format=png&size=600${query}`)).body as Buffer);

test('its object, its place in lists, and every answer to a change', async () => {
  const { id } = await own.createCode({ name: 'Table 7' });
  const redirectUrl = base + id;
  expect((await own.call('GET', `/api/qr/codes/${id}`)).body).toMatchObject({ redirectUrl });
  const { body } = await own.call('GET', '/api/qr/codes');
  expect(JSON.stringify(body)).toContain(`"redirectUrl":"${redirectUrl}"`);
  const changed = await own.call('PUT', `/api/qr/codes/${id}`, { name: 'Table 8' });
  expect(changed.body).toMatchObject({ name: 'Table 8', redirectUrl });
});

test('its picture, also with a source, and with a style proven for the longer link', async () => {
  const code = await own.createCode({ preset: 'ocean', sources: [{ id: 'flyer', name: 'Flyer' }] });
  expect(await pictureOf(code.id)).toBe(base + code.id);
  expect(await pictureOf(code.id, '&source=flyer')).toBe(`${base}${code.id}?s=flyer`);
  const { body } = await own.call('GET', `/api/qr/codes/${code.id}/download-url?format=png&size=600`);
  const { pathname, search } = new URL((body as { url: string }).url);
  const linked = await plane.callWith(undefined)('GET', pathname + search);
  expect(await decodeQr(linked.body as Buffer)).toBe(base + code.id);
});

test('the results of bulk operations that make and change codes', async () => {
  const rows = [1, 2].map((n) => ({ uid: `row ${n}`, data: `https://example.com/${n}`, preset: 'ocean' }));
  const made = await resultOf(await own.call('POST', '/api/qr/codes/bulk', rows));
  expect(made.map(({ redirectUrl }) => redirectUrl)).toEqual(made.map(({ id }) => base + id));
  const changes = made.map(({ id }) => ({ id, name: 'changed' }));
  const changed = await resultOf(await own.call('POST', '/api/qr/codes/bulk/replace', changes));
  expect(changed.map(({ status, redirectUrl }) => [status, redirectUrl])).toEqual(
    made.map(({ id }) => ['updated', base + id]),
  );
});

test('exports, and an upload of one recognises its old links', async () => {
  const { id } = await own.createCode();
  const csv = String((await own.call('GET', '/api/qr/codes/export')).body);
  expect(csv).toContain(`,${base}${id},`);
  const ndjson = await own.call('GET', '/api/qr/codes/export?format=ndjson');
  expect(String(ndjson.body)).toContain(`"redirectUrl":"${base}${id}"`);
  const nginx = await own.call('GET', '/api/qr/codes/export?format=nginx-map');
  expect(String(nginx.body)).toContain(`server_name qr.example.com ${new URL(base).hostname};`);
  const form = await encodeForm({}, csv);
  const upload = await own.call('POST', '/api/qr/codes/bulk/upload?dryRun=true', form.body, {
    ...form.headers,
  });
  expect(upload.body).toMatchObject({ source: 'waymark' });
  expect(JSON.stringify(upload.body)).toContain(`"uid":"${base}${id}"`);
});

test('the event of a code and its redirect do not depend on the domain: the code works on QR_HOST as well', async () => {
  const { id } = await own.createCode({ data: 'https://example.com/both' });
  const answer = await plane.internal('GET', `/internal/codes?ids=${id}`);
  expect(JSON.stringify(answer.body)).toContain('https://example.com/both');
  expect(JSON.stringify(answer.body)).not.toContain('brand.example');
});
