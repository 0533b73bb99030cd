import { beforeAll, describe, expect, test } from 'vitest';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { simplePages } from './testing/simple-pages.ts';

const simple = simplePages();
let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane({ features: simple.features });
  own = await plane.workspace();
});

const browser = { accept: 'text/html,*/*;q=0.8' };
const open = (id: string, headers: Record<string, string> = browser, path = `/p/${id}`) =>
  fetch(plane.url + path, { headers });

const create = async (fields: object = {}): Promise<string> => {
  const { status, body } = await own.call('POST', '/api/qr/landing-pages', {
    name: 'Café',
    headline: 'Hello',
    ...fields,
  });
  expect(status).toBe(201);
  return (body as { pageId: string }).pageId;
};

describe('a hosted page', () => {
  test('is served as its kind renders it, with its own policy', async () => {
    const id = await create();
    const page = await open(id);
    expect(page.status).toBe(200);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; style-src 'sha256-test'",
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'ratelimit-policy': '120;w=60',
      etag: expect.stringMatching(/^W\/"[\w-]{16}"$/),
    });
    expect(await page.text()).toBe(`<!doctype html><title>Hello</title>https://qr.example.com/p/${id}`);
  });

  test('that is changed is another one with the next view', async () => {
    const id = await create();
    const before = await open(id);
    await own.call('PATCH', `/api/qr/landing-pages/${id}`, { headline: 'Good evening' });
    const after = await open(id);
    expect(await after.text()).toContain('<title>Good evening</title>');
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  });

  test('that is paused is 404 and says so, in its language and colours; it comes back', async () => {
    const id = await create({
      headline: 'Willkommen in unserem kleinen Restaurant am Marktplatz',
      theme: { background: '#123456' },
    });
    await own.call('PATCH', `/api/qr/landing-pages/${id}`, { status: 'paused' });
    const paused = await open(id);
    expect([paused.status, paused.headers.get('cache-control'), paused.headers.get('vary')]).toEqual([
      404,
      'no-store',
      'Accept',
    ]);
    const text = await paused.text();
    expect(text).toContain('<html lang="de"');
    expect(text).toContain('#123456');
    expect(await (await open(id, { accept: '*/*' })).json()).toEqual({
      error: 'The landing page is paused',
      code: 'NOT_FOUND',
    });
    await own.call('PATCH', `/api/qr/landing-pages/${id}`, { status: 'active' });
    expect((await open(id)).status).toBe(200);
  });

  test('that is deleted is as unknown as one that never was, and as one of another kind', async () => {
    const id = await create();
    expect((await open(id)).status).toBe(200);
    await own.call('DELETE', `/api/qr/landing-pages/${id}`);
    const active = await create();
    for (const path of [`/p/${id}`, '/p/page_1111111111111111', '/p/x', `/m/${active}`]) {
      const page = await open('', { ...browser, 'accept-language': 'fr-FR,fr;q=0.9' }, path);
      expect([path, page.status, page.headers.get('cache-control')]).toEqual([path, 404, 'no-store']);
      expect(await page.text()).toContain('<html lang="fr"');
      const program = await open('', { accept: 'application/json' }, path);
      expect([program.status, await program.json()]).toMatchObject([404, { code: 'NOT_FOUND' }]);
    }
  });
});
