/** A restart of everything. */
import { expect, test } from 'vitest';
import { codeObject } from '#schemas/api/codes.ts';
import { exampleLine, untilExamplesAreMade } from './examples.ts';
import { waymark } from './shared-installation.ts';

test('a restart loses nothing: codes, scans and all examples not deleted are there; the printed line removes the rest', async () => {
  const { api, scan } = waymark;
  const answer = await api('POST', '/api/qr/codes', { data: 'https://example.com/kept', name: 'Kept' });
  const { id, redirectUrl } = codeObject.parse(await answer.json());
  const scanKept = async () => (await scan(redirectUrl)).headers.get('location');
  expect(await scanKept()).toBe('https://example.com/kept');
  await untilExamplesAreMade();
  const [landingPage, menu, form] = ['landing page', 'menu', 'form'].map(exampleLine);
  const menuId = menu!.page.split('/').at(-1);
  expect((await api('DELETE', `/api/qr/menus/${menuId}`)).ok).toBe(true);

  expect(await waymark.stop()).toBe(0);
  await waymark.start();
  expect(await (await api('GET', `/api/qr/codes/${id}`)).json()).toMatchObject({
    name: 'Kept',
    status: 'active',
  });
  expect(await scanKept()).toBe('https://example.com/kept');
  const analytics = async () => (await api('GET', `/api/qr/codes/${id}/analytics?days=2`)).json();
  await expect.poll(analytics).toMatchObject({ totalScans: 2 });

  await untilExamplesAreMade();
  expect(exampleLine('landing page')).toEqual(landingPage);
  expect(exampleLine('form')).toEqual(form);
  expect(waymark.output()).not.toContain('/m/');
  const [, targets = ''] = /^curl -X DELETE .*\{(\S+)\}'$/m.exec(waymark.output()) ?? [];
  expect(targets.split(',')).toHaveLength(4);
  for (const target of targets.split(',')) expect((await api('DELETE', `/api/qr/${target}`)).ok).toBe(true);
  await expect.poll(async () => (await scan(landingPage!.page)).status).toBe(404);
  await expect.poll(async () => (await scan(form!.code)).status).toBe(410);
}, 600_000);
