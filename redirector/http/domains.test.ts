/** Workspace domains, by the header Host. */
import { html } from 'hono/html';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CodeRecord, recordStream } from '#schemas/code-record.ts';

import {
  type DomainDocument,
  documentField,
  documentKey,
  domainDocumentId,
  type Gs1Document,
  gs1DocumentId,
  serializeDocument,
} from '#schemas/documents.ts';
import { renderShell } from '#shared/pages/shell.ts';
import { freePort } from '../../deploy/testing/local.ts';
import { documentCapacities, domainCapacities } from '../capacities.ts';
import { createAsk } from '../testing/ask.ts';
import { eventually } from '../testing/eventually.ts';
import { rawRequest } from '../testing/raw-request.ts';
import { codeIds, startTestRedirector, type TestRedirector } from '../testing/redirector.ts';
import { mintItem, sampleBatch } from '../testing/serialized-items.ts';

const own = 'go.brand.example';
const slashed = 'link.brand.example';
const off = 'old.brand.example';
const page = { accept: 'text/html' };

let t: TestRedirector;
let ask: ReturnType<typeof createAsk>;
let http10Port: number;
let mine: CodeRecord;
let foreign: CodeRecord;

const documentOf = (domain: string, changes: Partial<DomainDocument> = {}): DomainDocument => ({
  id: domainDocumentId(domain),
  version: 1,
  workspaceId: 'ws_brand',
  domain,
  active: true,
  path: '/',
  ...changes,
});

const publishDomain = async (document: DomainDocument): Promise<void> => {
  t.controlPlane.documents.set(document.id, document);
  const text = serializeDocument(document);
  await t.redis.set(documentKey(document.id), text);
  await t.redis.xadd(recordStream, '*', documentField, text, 'id', document.id);
};

beforeAll(async () => {
  http10Port = await freePort();
  t = await startTestRedirector({
    QR_HOST: 'http://qr.example.com',
    BASE_URL: 'http://api.example.com',
    REDIRECTOR_HTTP10_PORT: String(http10Port),
  });
  await t.connected();
  ask = createAsk(t.url);
  await publishDomain(documentOf(own, { rootRedirect: 'https://brand.example/' }));
  await publishDomain(documentOf(slashed, { path: '/go/' }));
  await publishDomain(documentOf(off, { active: false, rootRedirect: 'https://brand.example/' }));
  mine = await t.published({ workspaceId: 'ws_brand', destination: 'https://brand.example/mine' });
  foreign = await t.published({ workspaceId: 'ws_other', destination: 'https://other.example/' });
});

describe('the codes of a domain', () => {
  test("an owner's code is served by /r/{id}, by the domain's path, and on QR_HOST as before", async () => {
    for (const [host, path] of [
      [own, `/r/${mine.id}`],
      [own, `/${mine.id}`],
      [own, `/${mine.id}/`],
      [slashed, `/go/${mine.id}`],
      [slashed, `/r/${mine.id}`],
      ['qr.example.com', `/r/${mine.id}`],
    ] as const)
      expect([host, path, (await ask(host, path)).location]).toEqual([
        host,
        path,
        'https://brand.example/mine',
      ]);
  });

  test('a code is not served by the path of another domain', async () => {
    expect((await ask(slashed, `/${mine.id}`)).status).toBe(404);
    expect((await ask(own, `/go/${mine.id}`)).status).toBe(404);
  });

  test('a code of another workspace is not found there, but is on QR_HOST', async () => {
    for (const path of [`/r/${foreign.id}`, `/${foreign.id}`]) {
      expect((await ask(own, path)).status).toBe(404);
      expect((await ask(own, path, { method: 'HEAD' })).status).toBe(404);
      expect((await ask(own, path, { headers: page })).text).toContain(own);
    }
    expect((await ask('qr.example.com', `/r/${foreign.id}`)).status).toBe(302);
  });

  test('a scan of a code that is not found there is counted for its workspace, on QR_HOST it is not', async () => {
    const counted = async (): Promise<number> => {
      const line = /^waymark_redirector_unknown_codes_total\{how="counted"\} (\d+)$/m;
      return Number(line.exec(await t.redirector.metrics.metrics())?.[1]);
    };
    const [before, unknown] = [await counted(), codeIds.create()];
    expect((await ask('qr.example.com', `/r/${unknown}`)).status).toBe(404);
    expect((await ask(own, `/${unknown}`, { method: 'HEAD' })).status).toBe(404);
    expect(await counted()).toBe(before);
    for (const path of [`/${unknown}`, `/r/${foreign.id}`]) expect((await ask(own, path)).status).toBe(404);
    expect(await counted()).toBe(before + 2);
  });

  test('HEAD, other methods and the trailing slash work as on QR_HOST', async () => {
    expect((await ask(own, `/${mine.id}`, { method: 'HEAD' })).location).toBe('https://brand.example/mine');
    for (const path of [`/${mine.id}`, `/r/${mine.id}/`])
      expect((await ask(own, path, { method: 'PUT' })).status).toBe(405);
  });

  test('a password is asked for and accepted at the path that was scanned; the password of a foreign code is not', async () => {
    const locked = { passwordProtected: true } as const;
    const [ours, others] = await Promise.all([
      t.published({ ...locked, workspaceId: 'ws_brand', destination: 'https://brand.example/locked' }),
      t.published({ ...locked, workspaceId: 'ws_other' }),
    ]);
    for (const { id } of [ours, others]) t.controlPlane.passwords.set(id, 'sesame');
    expect((await ask(slashed, `/go/${ours.id}`, { headers: page })).text).toContain(
      `action="/go/${ours.id}"`,
    );
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const enter = (path: string) =>
      ask(slashed, path, { method: 'POST', headers: form, body: 'password=sesame' });
    expect(await enter(`/go/${ours.id}`)).toMatchObject({
      status: 303,
      location: 'https://brand.example/locked',
    });
    expect((await enter(`/go/${others.id}`)).status).toBe(404);
    expect(t.controlPlane.passwordChecks).not.toContain(others.id);
  });

  test('case, port and a trailing dot make no difference to Host', async () => {
    for (const host of [own.toUpperCase(), `${own}:8443`, `${own}.`, `${own}.:443`])
      expect([host, (await ask(host, `/${mine.id}`)).status]).toEqual([host, 302]);
  });
});

describe('everything else on a domain', () => {
  test('its root redirects as its owner set, or is not found', async () => {
    expect(await ask(own, '/')).toMatchObject({ status: 302, location: 'https://brand.example/' });
    expect((await ask(own, '/', { method: 'HEAD' })).status).toBe(302);
    expect((await ask(own, '/', { method: 'DELETE' })).status).toBe(404);
    expect((await ask(slashed, '/')).status).toBe(404);
  });

  test("hosted pages and app associations are passed on with the domain's name", async () => {
    for (const path of ['/p/page_1', '/m/menu_1?lang=de', '/i/x/y.png', '/.well-known/assetlinks.json'])
      expect((await ask(own.toUpperCase(), path)).text).toBe(`passed: GET ${path} for ${own} ws_brand`);
    const posted = await ask(own, '/f/form_1', { method: 'POST', body: 'a=b' });
    expect(posted.text).toBe(`passed: POST /f/form_1 for ${own} ws_brand`);
  });

  test('the fonts of hosted pages are there as on QR_HOST, unless it is disabled', async () => {
    const [font = ''] = renderShell({
      language: 'en',
      theme: { name: 'noir' },
      title: 'Page',
      body: html`<main></main>`,
    }).html.match(/\/fonts\/[\w.-]+/)!;
    for (const host of [own, slashed, 'qr.example.com'])
      expect([host, (await ask(host, font)).status]).toEqual([host, 200]);
    expect((await ask(off, font)).status).toBe(404);
    expect((await ask(own, font, { method: 'DELETE' })).status).toBe(404);
  });

  test('an unknown font is a short 404 of the redirector that caches keep, on a domain and on QR_HOST', async () => {
    for (const host of [own, 'qr.example.com'])
      for (const name of ['other.00000000.woff2', '', '..%2f', 'x'.repeat(5000)])
        for (const method of ['GET', 'HEAD'] as const) {
          const { status, text, headers } = await ask(host, `/fonts/${name}`, { method, headers: page });
          expect(status).toBe(404);
          expect(headers).toMatchObject({
            'cache-control': 'public, max-age=60',
            'content-type': 'application/json; charset=utf-8',
          });
          expect(text).toBe(
            method === 'HEAD' ? '' : '{"error":"There is no font at this path","code":"NOT_FOUND"}',
          );
        }
  });

  test('the API, its documentation and other paths are not served there', async () => {
    for (const path of [
      '/api/qr/codes',
      '/docs',
      '/openapi.json',
      '/health',
      '/favicon.ico',
      '/p/',
      '/nothing',
      '//r/x',
    ])
      expect([path, (await ask(own, path)).status]).toEqual([path, 404]);
    expect((await ask(own, '/api/qr/codes', { method: 'POST', body: '{}' })).status).toBe(404);
  });

  test('programs get JSON, and browsers a page in their language', async () => {
    const json = await ask(own, '/nothing');
    expect(JSON.parse(json.text)).toMatchObject({ error: 'There is nothing at this address' });
    const html = await ask(own, '/nothing', { headers: { ...page, 'accept-language': 'de-AT' } });
    expect([html.status, html.headers['content-language'], html.text]).toEqual([
      404,
      'de',
      expect.stringContaining('Hier ist nichts'),
    ]);
  });

  test('a disabled domain serves nothing', async () => {
    for (const path of ['/', `/${mine.id}`, `/r/${mine.id}`, '/p/page_1', '/01/09506000134352'])
      expect([path, (await ask(off, path)).status]).toEqual([path, 404]);
  });

  test('a client cannot name a domain itself', async () => {
    const headers = { 'waymark-domain': own, 'x-forwarded-host': own };
    for (const host of ['qr.example.com', '127.0.0.1', 'unknown.example.com'])
      expect((await ask(host, '/p/page_1', { headers })).text).toBe('passed: GET /p/page_1');
    expect((await ask(slashed, '/p/page_1', { headers })).text).toBe(
      `passed: GET /p/page_1 for ${slashed} ws_brand`,
    );
    expect((await ask('qr.example.com', `/r/${foreign.id}`, { headers })).status).toBe(302);
  });
});

describe('verifications on a domain', () => {
  const batchOf = (workspaceId: string) => ({ ...sampleBatch, id: `batch_${workspaceId}`, workspaceId });
  const mint = (workspaceId: string) => mintItem(t.controlPlane.serialized, batchOf(workspaceId));
  /** Right after a start, or if a busy machine's disk is slow, there is no verdict yet: try again. */
  const verify = (...asked: Parameters<typeof ask>) =>
    eventually(async () => {
      const answer = await ask(...asked);
      expect(answer.status).not.toBe(503);
      return answer;
    });
  const verdictOf = (text: string): unknown => JSON.parse(text).verdict;

  test("an owner's item is verified, by its path and by POST", async () => {
    const item = mint('ws_brand');
    expect(verdictOf((await verify(own, item.path)).text)).toBe('authentic');
    const [, , itemId, signature] = item.path.split('/');
    const body = JSON.stringify({ itemId, signature });
    const headers = { 'content-type': 'application/json' };
    const posted = await verify(own, '/api/verify/serial', { method: 'POST', headers, body });
    expect([posted.status, verdictOf(posted.text)]).toEqual([200, 'already_scanned']);
    expect((await verify(own, '/api/verify/serial')).status).toBe(405);
  });

  const unknownItem = { verdict: 'not_known', error: 'There is no item with this code', code: 'NOT_FOUND' };

  test('an item of another workspace is unknown there, and stays unclaimed', async () => {
    const item = mint('ws_other');
    const there = await verify(own, item.path);
    expect([there.status, JSON.parse(there.text)]).toEqual([404, unknownItem]);
    expect(verdictOf((await verify('qr.example.com', item.path)).text)).toBe('authentic');
    const claimed = await verify(own, item.path);
    expect([claimed.status, JSON.parse(claimed.text)]).toEqual([404, unknownItem]);
  });

  test('the verification page names the domain that was asked', async () => {
    const item = mint('ws_brand');
    const shownOn = async (host: string) => (await verify(host, item.path, { headers: page })).text;
    for (const [host, other] of [
      [own, 'qr.example.com'],
      ['qr.example.com', own],
    ] as const) {
      const text = await shownOn(host);
      expect(text).toContain(`>${host}<`);
      expect(text).not.toContain(`>${other}<`);
    }
  });
});

describe('GS1 Digital Links on a domain', () => {
  const path = '/01/09506000134352';
  const publishLinks = (workspaceId: string): void => {
    const id = gs1DocumentId(path.slice(1));
    const links = [
      { linkType: 'https://ref.gs1.org/voc/pip', href: 'https://brand.example/rice', title: 'Rice' },
    ];
    const entries = [{ id: 'gs1_1', path, itemDescription: 'Rice', links }];
    const document: Gs1Document = { id, version: 1, workspaceId, entries };
    t.controlPlane.documents.set(id, document);
  };

  test("the owner's links are resolved, with the domain as their root", async () => {
    publishLinks('ws_brand');
    const scan = await ask(own, path);
    expect(scan).toMatchObject({ status: 307, location: 'https://brand.example/rice' });
    expect(scan.headers.link).toContain(`<https://${own}${path}?linkType=linkset>`);
    const linkset = JSON.parse((await ask(own, `${path}?linkType=linkset`)).text);
    expect(linkset.linkset[0].anchor).toBe(`https://${own}${path}`);
    const description = JSON.parse((await ask(own, '/.well-known/gs1resolver')).text);
    expect(description.resolverRoot).toBe(`https://${own}`);
  });

  test('links of another workspace are not found there, but are on QR_HOST', async () => {
    await publishDomain(documentOf('rival.example', { workspaceId: 'ws_other' }));
    const there = await ask('rival.example', path, { headers: page });
    expect([there.status, there.text]).toEqual([404, expect.stringContaining('rival.example')]);
    expect((await ask('rival.example', `${path}?linkType=linkset`)).status).toBe(404);
    const scan = await ask('qr.example.com', path);
    expect([scan.status, scan.headers.link]).toEqual([
      307,
      expect.stringContaining('<http://qr.example.com/01/'),
    ]);
  });
});

describe('a domain that is not held yet', () => {
  /** Lookups of names with this prefix. */
  const askedFor = (name: string): string[] =>
    t.controlPlane.asked.filter((id) => id.startsWith(`domain:${name}`));
  let names = 0;
  const fresh = async (): Promise<string> => {
    const name = `new-${names++}.brand.example`;
    await publishDomain(documentOf(name));
    return name;
  };

  test('the first request waits for it, whatever it requests', async () => {
    expect((await ask(await fresh(), `/${mine.id}?s=x`)).status).toBe(302);
    expect((await ask(await fresh(), `/r/${foreign.id}`)).status).toBe(404);
    expect((await ask(await fresh(), `/${mine.id}`, { method: 'HEAD' })).status).toBe(302);
    expect((await ask(await fresh(), '/api/qr/codes', { method: 'POST', body: '{}' })).status).toBe(404);
    const name = await fresh();
    expect((await ask(name, '/p/page_1?a=%20b')).text).toBe(
      `passed: GET /p/page_1?a=%20b for ${name} ws_brand`,
    );
  });

  test('a body that arrives before the domain is known is not lost, however large it is', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const locked = await t.published({ passwordProtected: true, workspaceId: 'ws_brand' });
    t.controlPlane.passwords.set(locked.id, 'sesame');
    const entered = await ask(await fresh(), `/${locked.id}`, {
      method: 'POST',
      headers: form,
      body: 'password=sesame',
    });
    expect(entered.status).toBe(303);
    for (const length of [1, 100_000, 2_000_000]) {
      const sent = await ask(await fresh(), '/f/length', { method: 'POST', body: 'x'.repeat(length) });
      expect(sent.text).toBe(`${length}`);
    }
    const dropped = await ask(await fresh(), '/nothing', { method: 'POST', body: 'x'.repeat(500_000) });
    expect(dropped.status).toBe(404);
  });

  test('an unknown name costs its first request a lookup, and leads to QR_HOST', async () => {
    const startedMs = performance.now();
    for (let n = 0; n < 10; n++)
      expect((await ask('nobody.example.com', `/r/${foreign.id}`)).status).toBe(302);
    const passedMs = performance.now() - startedMs;
    expect(askedFor('nobody').length).toBeLessThanOrEqual(Math.ceil(passedMs / documentCapacities.absentMs));
  });

  test('a flood of made-up names reaches the sources only at their rate, and every request is served', async () => {
    const startedMs = performance.now();
    for (let n = 0; n < 10; n++) {
      const statuses = await Promise.all(
        Array.from(
          { length: 50 },
          async (_, k) => (await ask(`flood-${n}-${k}.example.com`, '/nothing')).status,
        ),
      );
      expect(new Set(statuses)).toEqual(new Set([200]));
    }
    const seconds = (performance.now() - startedMs) / 1000;
    expect(askedFor('flood').length).toBeLessThanOrEqual(domainCapacities.lookupsPerSecond * (1 + seconds));
    expect((await ask(own, `/${mine.id}`)).status).toBe(302);
  });
});

describe('which host a request is for', () => {
  test('unknown names, addresses and localhost are served as QR_HOST', async () => {
    for (const host of [
      'unknown.example.com',
      'localhost:8080',
      '127.0.0.1',
      '[::1]:8080',
      'QR.EXAMPLE.COM.:80',
      'redirector',
    ]) {
      expect([host, (await ask(host, `/r/${foreign.id}`)).status]).toEqual([host, 302]);
      expect((await ask(host, '/nothing')).text).toBe('passed: GET /nothing');
    }
  });

  test('a request without Host, or with two, is refused; an empty Host means QR_HOST', async () => {
    const line = `GET /r/${foreign.id} HTTP/1.1`;
    const to = { port: Number(new URL(t.url).port) };
    expect((await rawRequest(to, [line])).status).toBe(400);
    expect((await rawRequest(to, [line, `Host: ${own}`, 'Host: qr.example.com'])).status).toBe(400);
    expect((await rawRequest(to, [line, 'Host:'])).status).toBe(302);
  });

  test('a target in absolute form is refused: it is never served for a host other than its own', async () => {
    const target = `http://qr.example.com/r/${foreign.id}`;
    const to = { port: Number(new URL(t.url).port) };
    expect((await rawRequest(to, [`GET ${target} HTTP/1.1`, `Host: ${own}`])).status).toBe(505);
  });

  test('the HTTP/1.0 listener tells hosts apart; its targets may be in absolute form, and then Host is ignored', async () => {
    const get = (target: string, ...headers: string[]) =>
      rawRequest({ port: http10Port }, [`GET ${target} HTTP/1.0`, ...headers]);
    expect((await get(`/${mine.id}`, `Host: ${own}`)).status).toBe(302);
    expect((await get(`/r/${foreign.id}`, `Host: ${own}`)).status).toBe(404);
    expect((await get(`/r/${foreign.id}`)).status).toBe(302);
    expect((await get(`http://${own}/r/${foreign.id}`, 'Host: qr.example.com')).status).toBe(404);
    expect((await get(`HTTP://qr.example.com/r/${foreign.id}`, `Host: ${own}`)).status).toBe(302);
    expect((await get(`http://${own}`)).headers.location).toBe('https://brand.example/');
    expect((await get('/p/page_1', `Host: ${own}`, 'waymark-domain: x.example')).body).toBe(
      `passed: GET /p/page_1 for ${own} ws_brand`,
    );
  });

  test('a change of a domain takes effect at once', async () => {
    await publishDomain(documentOf('moved.brand.example'));
    expect((await ask('moved.brand.example', `/${mine.id}`)).status).toBe(302);
    await publishDomain(documentOf('moved.brand.example', { version: 2, path: '/go/' }));
    await eventually(async () =>
      expect((await ask('moved.brand.example', `/go/${mine.id}`)).status).toBe(302),
    );
    await publishDomain(documentOf('moved.brand.example', { version: 3, active: false }));
    await eventually(async () =>
      expect((await ask('moved.brand.example', `/r/${mine.id}`)).status).toBe(404),
    );
  });
});
