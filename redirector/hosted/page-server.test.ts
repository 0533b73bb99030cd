/** Hosted pages from a redirector: hosts, faults, and what a client may ask for. */
import net from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { recordStream } from '#schemas/code-record.ts';
import { documentField, documentKey, serializeDocument } from '#schemas/documents.ts';
import type { PageDocument } from '#schemas/page-document.ts';
import { capacities } from '../capacities.ts';
import { createAsk } from '../testing/ask.ts';
import { eventually } from '../testing/eventually.ts';
import {
  createRecord,
  logger,
  phone,
  startTestRedirector,
  type TestRedirector,
} from '../testing/redirector.ts';
import { ClientAddress } from '../visitor/client-addresses.ts';
import { createPageServer, type PageReply } from './page-server.ts';
import { samplePage } from './testing/sample-page.ts';

let waymark: TestRedirector;
beforeAll(async () => {
  waymark = await startTestRedirector({ SEGMENT_AGE_MS: '50', TRUSTED_PROXIES: '127.0.0.1' });
  await waymark.connected();
});

let addresses = 0;
const view = (target: string, headers: Record<string, string> = {}): Promise<Response> => {
  const address = `10.3.${++addresses >> 8}.${addresses & 255}`;
  return fetch(`${waymark.url}${target}`, {
    headers: { 'user-agent': phone, accept: 'text/html', 'x-forwarded-for': address, ...headers },
  });
};

/** As the control plane does: the stream has the version alone. */
const publish = async (document: PageDocument): Promise<void> => {
  waymark.controlPlane.documents.set(document.id, document);
  await waymark.redis.set(documentKey(document.id), serializeDocument(document));
  await waymark.redis.xadd(recordStream, '*', documentField, String(document.version), 'id', document.id);
};

const published = async (...sample: Parameters<typeof samplePage>) => {
  const page = samplePage(...sample);
  await publish(page.document);
  return page;
};

test('a page that was changed is not served as it was, even if no source answers', async () => {
  const { document, target, html } = await published();
  expect(await (await view(target)).text()).toBe(html);
  waymark.controlPlane.away = true;
  try {
    // Its new version is lost: only its announcement arrives.
    await waymark.redis.del(documentKey(document.id));
    await waymark.redis.xadd(
      recordStream,
      '*',
      documentField,
      String(document.version + 1),
      'id',
      document.id,
    );
    await eventually(async () => expect((await view(target)).status).toBe(502));
  } finally {
    waymark.controlPlane.away = false;
  }
});

test('the same version again leaves the page in memory', async () => {
  const { document, target, html } = await published();
  expect(await (await view(target)).text()).toBe(html);
  await waymark.redis.del(documentKey(document.id));
  waymark.controlPlane.documents.delete(document.id);
  await waymark.redis.xadd(recordStream, '*', documentField, String(document.version), 'id', document.id);
  const { document: marker, target: marked } = await published();
  await view(marked);
  await publish({ ...marker, version: 2, status: 'paused' });
  await eventually(async () => expect((await view(marked)).status).toBe(404));
  expect(await (await view(target)).text()).toBe(html);
});

test("on a domain of a workspace only its own pages are served; another's is passed on with the domain", async () => {
  const domain = 'pages.example.com';
  await waymark.publishDocument({
    id: `domain:${domain}`,
    version: 1,
    ...{ workspaceId: 'ws_1', domain, active: true, path: '/' },
  });
  const mine = await published({ workspaceId: 'ws_1' });
  const foreign = await published({ workspaceId: 'ws_2' });
  const ask = createAsk(waymark.url, false);
  expect(await ask(domain, mine.target)).toMatchObject({ status: 200 });
  expect(await ask(domain, foreign.target)).toMatchObject({
    status: 200,
    text: expect.stringContaining(`passed: GET ${foreign.target} for ${domain} ws_1`),
  });
});

test.each([
  '/p/page_1',
  '/p/menu_1111111111111111',
  '/m/menu_1111111111111111?only=x',
  '/f/form_1111111111111111?sent',
])('is passed on, and looked up under no id: %s', async (target) => {
  const asked = waymark.controlPlane.asked.length;
  expect(await (await view(target)).text()).toContain(`passed: GET ${target}`);
  expect(waymark.controlPlane.asked.length).toBe(asked);
});

test('a HEAD has the length of the page, and a 304 none; after both the connection answers a further request', async () => {
  const { document, target } = await published();
  const socket = net.connect(Number(new URL(waymark.url).port), '127.0.0.1');
  let got = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    got += text;
  });
  const head = (more: string) => `host: x\r\naccept: text/html\r\naccept-encoding: br\r\n${more}\r\n`;
  socket.write(`HEAD ${target} HTTP/1.1\r\n${head('')}`);
  await expect.poll(() => got).toContain('\r\n\r\n');
  expect(got).toContain(`Content-Length: ${Buffer.from(document.content!.brotli, 'base64').length}`);
  got = '';
  socket.write(`GET ${target} HTTP/1.1\r\n${head(`if-none-match: W/"${document.content!.tag}"\r\n`)}`);
  await expect.poll(() => got).toContain('\r\n\r\n');
  expect(got).toMatch(/^HTTP\/1\.1 304 Not Modified\r\n/);
  expect(got).not.toContain('Content-Length');
  got = '';
  socket.write(`GET ${target} HTTP/1.1\r\n${head('')}`);
  await expect.poll(() => got).toContain('HTTP/1.1 200 OK');
  socket.destroy();
});

test('a document whose HTML is longer than it says costs its own view, not the process', async () => {
  const { document, target } = await published({}, 'x'.repeat(100_000));
  const lying = { ...document, version: 2, content: { ...document.content!, bytes: 10 } };
  await publish(lying);
  expect((await view(target, { 'accept-encoding': 'identity' })).status).toBe(503);
  expect((await view(target, { 'accept-encoding': 'br' })).status).toBe(200);
});

test('a page too large to be decompressed at once is passed on for a client without Brotli', async () => {
  const { target } = await published({}, `<p>${'x'.repeat(96 * 2 ** 10)}`);
  expect((await view(target, { 'accept-encoding': 'br' })).status).toBe(200);
  for (const encoding of ['gzip', 'identity'])
    expect(await (await view(target, { 'accept-encoding': encoding })).text()).toBe(`passed: GET ${target}`);
});

test('views count together, however the path of the page is written', async () => {
  const { target } = await published();
  const headers = { 'x-forwarded-for': '10.77.1.1' };
  const spellings = [target, `${target}/`, target.replace('/p/page_', '/p/%70age_')];
  const statuses: number[] = [];
  // A minute may begin meanwhile.
  for (let n = 0; n < 360 && statuses.at(-1) !== 429; n++)
    statuses.push((await view(spellings[n % spellings.length]!, headers)).status);
  expect(statuses.at(-1)).toBe(429);
  expect(statuses.length).toBeLessThan(242);
});

test('the page of a paused one, and a form, are no views', async () => {
  const paused = await published({ status: 'paused' });
  const form = await published({ kind: 'form' });
  const page = await published();
  for (const { target } of [paused, form, page]) await view(target);
  const viewed = () => waymark.controlPlane.reports.views.map(({ id }) => `/p/${id}`);
  await expect.poll(viewed).toContain(page.target);
  expect(viewed().filter((target) => [paused.target, form.target].includes(target))).toEqual([]);
});

test('lookups of pages, whose ids anyone can invent, hold up no lookup of a code', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  waymark.controlPlane.pages = { held: promise, waiting: 0 };
  const flood = Array.from({ length: 800 }, (_, n) =>
    view(
      `/p/page_${String(n + 1)
        .padStart(16, '1')
        .replaceAll('0', 'z')}`,
    ),
  );
  const { pageConnectionsMax } = capacities;
  await expect.poll(() => waymark.controlPlane.pages.waiting).toBe(pageConnectionsMax);
  for (let n = 0; n < 3; n++) {
    const record = createRecord();
    waymark.controlPlane.records.set(record.id, record);
    const scan = await fetch(`${waymark.url}/r/${record.id}`, {
      redirect: 'manual',
      headers: { 'x-forwarded-for': '10.78.1.1' },
    });
    expect(scan.status).toBe(302);
  }
  expect(waymark.controlPlane.pages.waiting).toBe(pageConnectionsMax);
  resolve();
  waymark.controlPlane.pages.held = undefined;
  await Promise.all(flood);
});

test('a view is stored before its answer leaves', () => {
  const steps: string[] = [];
  const pageServer = createPageServer({
    addressLimit: { limit: 120, windowMs: 60_000, allows: () => true, count: () => 119 },
    recordView: () => steps.push('record'),
    tokens: { create: () => '' },
    secure: false,
    logger,
  });
  const reply: PageReply = {
    aborted: false,
    preparePage: () => steps.push('prepare'),
    release: () => steps.push('release'),
    send: () => steps.push('send'),
  };
  const { document } = samplePage();
  const visit = {
    address: new ClientAddress(0, 0, 0xffff, 1, '', undefined),
    atMs: Date.now(),
    counts: true,
  };
  const request = { id: document.id, visit, remaining: 119, workspaceId: undefined };
  pageServer.answer({ ...request, header: () => '', reader: () => 'en' }, document, reply);
  expect(steps).toEqual(['prepare', 'record']);
});
