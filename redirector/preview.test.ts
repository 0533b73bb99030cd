/** The preview of a code at `/r/{id}+`, and the page of a suspended code. */
import { beforeAll, expect, test } from 'vitest';
import type { CodeRecord } from '#schemas/code-record.ts';
import { languages } from '#shared/languages.ts';
import { wordsOf } from '#shared/pages/words.ts';
import { createRecord, startTestRedirector, type TestRedirector } from './testing/redirector.ts';

let waymark: TestRedirector;

beforeAll(async () => {
  waymark = await startTestRedirector();
});

const published = async (changes: Partial<CodeRecord>): Promise<string> => {
  const record = createRecord(changes);
  await waymark.publish(record);
  return record.id;
};

const get = (path: string, init: RequestInit = {}) =>
  fetch(`${waymark.url}${path}`, { redirect: 'manual', ...init });

const pageOf = async (path: string, language = 'en') => {
  const response = await get(path, { headers: { accept: 'text/html', 'accept-language': language } });
  return { status: response.status, headers: response.headers, html: await response.text() };
};

const preview = async (id: string) => (await get(`/r/${id}+`)).json();

test('says in every language where a code leads, redirects no visitor, and is kept out of indexes', async () => {
  const id = await published({ destination: 'https://example.com/where?a=1&b=2' });
  for (const language of languages) {
    const { status, headers, html } = await pageOf(`/r/${id}+`, language);
    expect([status, headers.get('location'), headers.get('x-robots-tag')]).toEqual([200, null, 'noindex']);
    expect(html).toContain('https://example.com/where?a=1&amp;b=2');
    expect(html).toContain(wordsOf[language].preview.title);
    expect(html).toContain(`href="/r/${id}"`);
    expect(html).toContain(`/api/abuse-reports/form?code=${id}`);
  }
  expect((await pageOf(`/r/${id}%2B/`)).html).toContain('https://example.com/where');
  expect((await get(`/r/${id}+`, { method: 'HEAD' })).status).toBe(200);
  expect((await get(`/r/${id}+`, { method: 'POST' })).status).toBe(404);
});

test('is not a scan: nothing is recorded, and no cap is taken from', async () => {
  const id = await published({ cap: { max: 1, epoch: 1 } });
  for (let times = 0; times < 3; times++) expect((await get(`/r/${id}+`)).status).toBe(200);
  // On a stalled machine Redis may not say in time whether the cap has room: 503, and the slot is given back.
  await expect.poll(async () => (await waymark.scan(id)).status, { timeout: 30_000 }).toBe(302);
  expect((await waymark.scan(id)).status).toBe(410);
});

test('shows nothing of what a password or a key protects', async () => {
  const locked = await published({ passwordProtected: true, destination: 'https://secret.example/' });
  const sealed = await published({ encrypted: 'AES', destination: 'a.b.c.d.e' });
  expect(await preview(locked)).toEqual({ preview: { protectedBy: 'password' } });
  expect(await preview(sealed)).toEqual({ preview: { protectedBy: 'encrypted' } });
  const { html } = await pageOf(`/r/${locked}+`);
  expect(html).toContain(wordsOf.en.preview.password);
  expect(html).not.toContain('secret.example');
});

test('says that a scan may be led elsewhere, or to an app, or with parameters', async () => {
  const to = (destination: string) => ({ id: destination.slice(8, 9), name: '', destination });
  const open = {
    location: 'https://example.com/landing?x=1',
    mayDiffer: false,
    opensApp: false,
    addsParameters: false,
  };
  expect(await preview(await published({}))).toEqual({ preview: open });
  const rules = [{ id: 'r', condition: { country: ['DE'] }, destination: 'https://de.example/' }];
  const id = await published({ rules });
  expect(await preview(id)).toEqual({ preview: { ...open, mayDiffer: true } });
  expect((await pageOf(`/r/${id}+`)).html).toContain(wordsOf.en.preview.mayDiffer);
  const variants = [
    { ...to('https://a.example/'), weight: 1 },
    { ...to('https://b.example/'), weight: 9 },
  ];
  expect(await preview(await published({ variants }))).toEqual({
    preview: { ...open, location: 'https://b.example/', mayDiffer: true },
  });
  const schedule = [
    { atMs: 1, destination: 'https://now.example/' },
    { atMs: 9e15, destination: 'https://later.example/' },
  ];
  expect(await preview(await published({ schedule }))).toMatchObject({
    preview: { location: 'https://now.example/', mayDiffer: true },
  });
  const extras = { deepLink: { ios: { url: 'app://x' } }, parameters: { forward: true as const } };
  expect(await preview(await published(extras))).toEqual({
    preview: { ...open, opensApp: true, addsParameters: true },
  });
  expect(await preview(await published({ dataType: 'text', destination: 'Hello' }))).toMatchObject({
    preview: { location: null },
  });
});

test('of a code that leads nowhere says so, and leads to no URL in its place', async () => {
  const id = await published({ expiresAtMs: 1, expiredUrl: 'https://over.example/' });
  expect(await pageOf(`/r/${id}+`)).toMatchObject({ status: 410 });
  expect(await pageOf(`/r/${await published({ active: false })}+`)).toMatchObject({ status: 410 });
  expect((await pageOf('/r/111111111+')).status).toBe(404);
});

test('a suspended code is 403 in every language, without another try, and so is its preview', async () => {
  const id = await published({
    active: false,
    suspended: true,
    expiredUrl: 'https://over.example/',
    messages: { inactive: { title: 'Owner speaks' } },
  });
  for (const language of languages) {
    const { status, html } = await pageOf(`/r/${id}`, language);
    expect(status).toBe(403);
    expect(html).toContain(wordsOf[language].scan.suspended.title);
    expect(html).not.toContain('Owner speaks');
    expect(html).not.toContain(wordsOf[language].scan.again);
  }
  expect((await pageOf(`/r/${id}+`)).status).toBe(403);
  expect(await (await get(`/r/${id}`)).json()).toEqual({
    error: 'This code is suspended',
    code: 'CODE_SUSPENDED',
  });
});
