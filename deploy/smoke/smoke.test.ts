/** The main job, as its users do it, against what `npm start` runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { decodeQr } from '../testing/decode.ts';
import { type Installation, startInstallation } from './installation.ts';

const codeObject = z.object({ id: z.string(), redirectUrl: z.string() });

let waymark: Installation;

beforeAll(async () => {
  waymark = await startInstallation();
}, 90_000);

afterAll(async () => {
  await waymark?.stop();
}, 60_000);

test('create, scan, see the scan, change, deactivate, activate, restart: nothing is lost', async () => {
  const { api, scan, qrHost } = waymark;
  const created = await api('POST', '/api/qr/codes', { data: 'https://example.com/first', name: 'Smoke' });
  expect(created.status).toBe(201);
  const code = codeObject.parse(await created.json());

  const image = await api('GET', `/api/qr/codes/${code.id}/image`);
  const url = await decodeQr(Buffer.from(await image.arrayBuffer()));
  expect(url).toBe(code.redirectUrl);
  expect(url).toBe(`${qrHost}/r/${code.id}`);

  const first = await scan(url!);
  expect([first.status, first.headers.get('location')]).toEqual([302, 'https://example.com/first']);

  const analytics = async () => (await api('GET', `/api/qr/codes/${code.id}/analytics?days=1`)).json();
  await vi.waitFor(async () => expect(await analytics()).toMatchObject({ totalScans: 1, uniqueScans: 1 }), {
    timeout: 2000,
  });

  expect(
    (await api('PUT', `/api/qr/codes/${code.id}`, { destination: 'https://example.org/second' })).status,
  ).toBe(200);
  await sleep(100);
  expect((await scan(url!)).headers.get('location')).toBe('https://example.org/second');

  const deleted = await api('DELETE', `/api/qr/codes/${code.id}`);
  expect(await deleted.json()).toMatchObject({ id: code.id, status: 'inactive' });
  await sleep(100);
  const gone = await scan(url!, { headers: { accept: 'text/html' } });
  expect(gone.status).toBe(410);
  expect(await gone.text()).toContain('This code is switched off');

  await api('PUT', `/api/qr/codes/${code.id}`, { status: 'active' });
  await sleep(100);
  expect((await scan(url!)).status).toBe(302);

  expect(await waymark.stop()).toBe(0);
  await waymark.start();
  expect(await (await api('GET', `/api/qr/codes/${code.id}`)).json()).toMatchObject({
    name: 'Smoke',
    status: 'active',
  });
  expect((await scan(url!)).headers.get('location')).toBe('https://example.org/second');
  await vi.waitFor(async () => expect(await analytics()).toMatchObject({ totalScans: 4, uniqueScans: 1 }), {
    timeout: 3000,
  });
}, 120_000);

test('the redirector passes what it does not own to the control plane', async () => {
  const response = await fetch(`${waymark.qrHost}/api/qr/codes?limit=1`, {
    headers: { authorization: `Bearer ${waymark.apiKey}` },
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ pagination: { limit: 1, total: 1 } });
});

test('what the embedded parts are needed for, an admin command finds by itself', async () => {
  const output = await waymark.run([
    'control-plane/admin.ts',
    ...['create-workspace', '--name', 'acme', '--plan', 'growth'],
  ]);
  const made = JSON.parse(output);
  expect(Object.keys(made)).toEqual(['workspaceId', 'subscriptionId', 'apiKey']);
  const list = await fetch(`${waymark.baseUrl}/api/qr/codes`, {
    headers: { authorization: `Bearer ${made.apiKey}` },
  });
  expect(await list.json()).toMatchObject({ data: [], pagination: { total: 0 } });
});
