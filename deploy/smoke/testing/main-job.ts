/** The main job, as its users do it. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { decodeQr } from '../../testing/decode.ts';
import { waymark } from './shared-installation.ts';

const codeObject = z.object({ id: z.string(), redirectUrl: z.string() });

test('create, scan, see the scan, change, deactivate, activate', async () => {
  const { api, qrHost } = waymark;
  let scans = 0;
  const scan = async (url: string, init?: RequestInit) => {
    const answer = await waymark.scan(url, init);
    if (answer.status === 302) scans++;
    return answer;
  };
  const created = await api('POST', '/api/qr/codes', { data: 'https://example.com/first', name: 'Smoke' });
  expect(created.status).toBe(201);
  const code = codeObject.parse(await created.json());

  const image = await api('GET', `/api/qr/codes/${code.id}/image`);
  const url = await decodeQr(Buffer.from(await image.arrayBuffer()));
  expect(url).toBe(code.redirectUrl);
  expect(url).toBe(`${qrHost}/r/${code.id}`);

  const first = await scan(url!);
  expect([first.status, first.headers.get('location')]).toEqual([302, 'https://example.com/first']);

  // For two days, as midnight may pass.
  const analytics = async () => (await api('GET', `/api/qr/codes/${code.id}/analytics?days=2`)).json();
  await expect.poll(analytics).toMatchObject({ totalScans: 1, uniqueScans: 1 });

  const changed = await api('PUT', `/api/qr/codes/${code.id}`, { destination: 'https://example.org/second' });
  expect(changed.status).toBe(200);
  await expect
    .poll(async () => (await scan(url!)).headers.get('location'))
    .toBe('https://example.org/second');

  const deleted = await api('DELETE', `/api/qr/codes/${code.id}`);
  expect(await deleted.json()).toMatchObject({ id: code.id, status: 'inactive' });
  const page = async () => {
    const answer = await scan(url!, { headers: { accept: 'text/html' } });
    return [answer.status, await answer.text()];
  };
  await expect.poll(page).toEqual([410, expect.stringContaining('This code is switched off')]);

  await api('PUT', `/api/qr/codes/${code.id}`, { status: 'active' });
  await expect.poll(async () => (await scan(url!)).status).toBe(302);
  await expect.poll(analytics).toMatchObject({ totalScans: scans });
});

test('the redirector passes paths that it does not own to the control plane', async () => {
  const response = await fetch(`${waymark.qrHost}/api/qr/codes?limit=1`, {
    headers: { authorization: `Bearer ${waymark.apiKey}` },
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ data: [expect.anything()], pagination: { limit: 1 } });
});

test('an admin command finds the embedded parts by itself', async () => {
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
