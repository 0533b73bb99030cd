/** The control plane's part in serving domains: certificates, pages, and the files that list apps. */
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { appleAppSiteAssociation } from '#schemas/api/app-links.ts';
import { domainDocumentId, domainDocuments, parseDocument } from '#schemas/documents.ts';
import { internalToken } from '#shared/signing.ts';
import {
  secretKey,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { startDnsServer } from './testing/dns-server.ts';
import { createDomainOwner, type DomainOwner, newName } from './testing/domain-owner.ts';

let plane: TestControlPlane;
let second: TestControlPlane;
let own: Workspace;
let add: DomainOwner['add'];
let addVerified: DomainOwner['addVerified'];

beforeAll(async () => {
  const dns = await startDnsServer();
  const environment = { DNS_SERVERS: dns.address };
  plane = await startTestControlPlane({ environment });
  second = await startTestControlPlane({ environment, databaseUrl: plane.databaseUrl });
  own = await plane.workspace();
  ({ add, addVerified } = createDomainOwner(dns, own));
});

/** Asks like Caddy: without a token. */
const ask = (domain: string, of: TestControlPlane = plane) =>
  fetch(`${of.internalUrl}/internal/domains/ask?domain=${encodeURIComponent(domain)}`);

/** The headers with which a redirector passes on a request to a domain. */
const onDomain = (domain: string, token = internalToken(secretKey)) => ({
  'x-waymark-proxy': token,
  'waymark-domain': domain,
});

describe('GET /internal/domains/ask', () => {
  test('only verified names and our own may have a certificate', async () => {
    const { domain } = await addVerified();
    const pending = await add();
    for (const allowed of [domain, domain.toUpperCase(), `${domain}.`, 'qr.example.com', 'qr.example.com.'])
      expect([allowed, (await ask(allowed)).status]).toEqual([allowed, 200]);
    for (const refused of [
      pending.domain,
      `a.${domain}`,
      `${domain}..`,
      '',
      '.',
      'x y',
      "';",
      'a.'.repeat(200),
    ])
      expect([refused, (await ask(refused)).status]).toEqual([refused, 404]);
  });

  test('redirectors learn that a name is allowed, and that it is switched off', async () => {
    await plane.pool.query(`UPDATE domain_names SET approved_at = approved_at - interval '1 minute'`);
    const { id, domain } = await addVerified();
    const published = async () => {
      const url = `${plane.internalUrl}/internal/documents?ids=${domainDocumentId(domain)}`;
      const answer = await fetch(url, { headers: { authorization: `Bearer ${internalToken(secretKey)}` } });
      const [text] = z.array(z.string()).parse(await answer.json());
      return parseDocument(domainDocuments, text!);
    };
    const before = await published();
    expect(before.certified).toBeUndefined();
    expect((await ask(domain)).status).toBe(200);
    const after = await published();
    expect(after).toEqual({ ...before, certified: true, version: before.version + 1 });
    expect((await ask(domain)).status).toBe(200);
    expect((await published()).version).toBe(after.version);
    await plane.pool.query(`UPDATE domains SET status = 'off', missing_since = now() WHERE id = $1`, [id]);
    expect((await published()).certified).toBeUndefined();
  });

  test('at most ten new names a minute, in all processes together; names approved before still work', async () => {
    const workspaces = await Promise.all(Array.from({ length: 4 }, () => plane.workspace()));
    const domains = await Promise.all(
      Array.from({ length: 12 }, (_, at) => addVerified({}, workspaces[at % 4])),
    );
    await plane.pool.query('UPDATE domain_names SET approved_at = NULL');
    const answers = await Promise.all(
      domains.map(({ domain }, at) => ask(domain, at % 2 === 0 ? plane : second)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 429, 429]);
    const late = answers.findIndex(({ status }) => status === 429);
    const waitSeconds = Number(answers[late]!.headers.get('retry-after'));
    expect(waitSeconds).toBeGreaterThan(0);
    expect(waitSeconds).toBeLessThanOrEqual(60);
    const approved = answers.findIndex(({ status }) => status === 200);
    expect((await ask(domains[approved]!.domain)).status).toBe(200);
    await plane.pool.query(`UPDATE domain_names SET approved_at = approved_at - interval '1 minute'`);
    expect((await ask(domains[late]!.domain)).status).toBe(200);
  });

  test('at most three new names a minute and 20 a day of one workspace, including names that it has deleted since', async () => {
    const later = (interval: string) =>
      plane.pool.query('UPDATE domain_names SET approved_at = approved_at - $1::interval', [interval]);
    await later('1 day');
    const workspace = await plane.workspace();
    const askNew = async (): Promise<Response> => {
      const { id, domain } = await addVerified({}, workspace);
      const answer = await ask(domain);
      await workspace.call('DELETE', `/api/domains/${id}`);
      return answer;
    };
    for (let approved = 0; approved < 3; approved++) expect((await askNew()).status).toBe(200);
    const tooSoon = await askNew();
    expect([tooSoon.status, await tooSoon.text()]).toEqual([
      429,
      expect.stringContaining('At most 3 new names a minute of one workspace'),
    ]);
    expect((await ask((await addVerified({}, await plane.workspace())).domain)).status).toBe(200);
    // As if the same had happened again and again, a minute apart.
    await plane.pool.query(
      `INSERT INTO domain_names (domain, approved_at, approved_for)
       SELECT 'old' || n || '.brand.example', clock_timestamp() - n * interval '1 minute', $1 FROM generate_series(1, 15) AS n`,
      [workspace.workspaceId],
    );
    await later('1 minute');
    for (let approved = 18; approved < 20; approved++)
      expect([approved, (await askNew()).status]).toEqual([approved, 200]);
    await later('1 minute');
    const late = await askNew();
    expect([late.status, await late.text()]).toEqual([
      429,
      expect.stringContaining('At most 20 new names a day of one workspace'),
    ]);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(3600);
    await later('1 day');
    expect((await askNew()).status).toBe(200);
  }, 60_000);

  test('a domain gets a certificate while its record is missing, but not once it is switched off', async () => {
    await plane.pool.query(`UPDATE domain_names SET approved_at = approved_at - interval '1 minute'`);
    const { id, domain } = await addVerified();
    const setStatus = (status: string) =>
      plane.pool.query('UPDATE domains SET status = $2, missing_since = now() WHERE id = $1', [id, status]);
    await setStatus('missing');
    expect((await ask(domain)).status).toBe(200);
    await setStatus('off');
    expect((await ask(domain)).status).toBe(404);
  });

  test('a deleted domain gets no certificate', async () => {
    await plane.pool.query(`UPDATE domain_names SET approved_at = approved_at - interval '1 minute'`);
    const { id, domain } = await addVerified();
    expect((await ask(domain)).status).toBe(200);
    await own.call('DELETE', `/api/domains/${id}`);
    expect((await ask(domain)).status).toBe(404);
  });
});

describe('on a domain of a workspace', () => {
  const appId = 'OWNED12345.com.example.app';
  const iosApp = { deepLinkConfig: { ios: { url: 'https://app.example/x', appId } } };
  const pairs = Array.from({ length: 32 }, () => 'AB').join(':');
  const androidApp = {
    deepLinkConfig: {
      android: { url: 'myapp://x', package: 'com.example.app', sha256CertFingerprints: [pairs] },
    },
  };
  const apple = '/.well-known/apple-app-site-association';

  test('the files that list apps have the apps of its own codes, at its path and at /r/', async () => {
    const workspace = await plane.workspace();
    const { domain } = await addVerified({ path: '/' }, workspace);
    const code = await workspace.createCode(iosApp);
    await workspace.createCode(androidApp);
    await own.createCode(iosApp);
    const call = plane.callWith(undefined);
    const listed = await call('GET', apple, undefined, onDomain(domain));
    expect(appleAppSiteAssociation.parse(listed.body).applinks.details).toEqual([
      { appIDs: [appId], components: [{ '/': `/${code.id}` }, { '/': `/r/${code.id}` }] },
    ]);
    const android = await call('GET', '/.well-known/assetlinks.json', undefined, onDomain(domain));
    expect(android.body).toMatchObject([{ target: { package_name: 'com.example.app' } }]);
  });

  test('the header that names the domain is trusted only from redirectors', async () => {
    const { domain } = await addVerified();
    await own.createCode(iosApp);
    const trusting = await startTestControlPlane({
      databaseUrl: plane.databaseUrl,
      environment: { TRUSTED_PROXIES: '127.0.0.1' },
    });
    for (const headers of [onDomain(domain, 'a guess'), { 'waymark-domain': domain }])
      expect((await trusting.callWith(undefined)('GET', apple, undefined, headers)).body).toEqual({
        applinks: { details: [] },
      });
    const unknown = await trusting.callWith(undefined)('GET', apple, undefined, onDomain(newName()));
    expect(unknown.body).toEqual({ applinks: { details: [] } });
    await trusting.close();
  });

  test('its own pages are shown, and pages of other workspaces are not found', async () => {
    const { domain } = await addVerified();
    const other = await plane.workspace();
    const make = async (workspace: Workspace, path: string, body: object): Promise<string> => {
      const answer = await workspace.call('POST', path, { name: 'Café', ...body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      const { pageId, formId, menuId } = answer.body as Record<string, string>;
      return (pageId ?? formId ?? menuId)!;
    };
    for (const [segment, path, body] of [
      ['p', '/api/qr/landing-pages', { headline: 'Hello' }],
      ['f', '/api/qr/forms', { fields: [{ type: 'text', label: 'Name' }] }],
      ['m', '/api/qr/menus', { sections: [{ name: 'Food', items: [{ name: 'Soup', price: '4' }] }] }],
    ] as const) {
      const [mine, theirs] = [await make(own, path, body), await make(other, path, body)];
      const open = async (id: string, headers: Record<string, string>) =>
        (await plane.callWith(undefined)('GET', `/${segment}/${id}`, undefined, headers)).status;
      expect([
        await open(mine, onDomain(domain)),
        await open(theirs, onDomain(domain)),
        await open(mine, onDomain(newName())),
        await open(theirs, {}),
      ]).toEqual([200, 404, 404, 200]);
    }
  });

  test('the pages of its new workspace are shown as soon as a redirector knows it', async () => {
    const page = async (workspace: Workspace) => {
      const body = { name: 'Café', headline: 'Hello' };
      return ((await workspace.call('POST', '/api/qr/landing-pages', body)).body as { pageId: string })
        .pageId;
    };
    const { id, domain } = await addVerified();
    const other = await plane.workspace();
    const [mine, theirs] = [await page(own), await page(other)];
    const open = async (pageId: string, owner: string) =>
      (await plane.callWith(undefined)('GET', `/p/${pageId}`, undefined, onDomain(`${domain}${owner}`)))
        .status;
    expect([await open(mine, ''), await open(theirs, '')]).toEqual([200, 404]);
    await own.call('DELETE', `/api/domains/${id}`);
    await addVerified({ domain }, other);
    const owner = ` ${other.workspaceId}`;
    expect([await open(mine, owner), await open(theirs, owner)]).toEqual([404, 200]);
  });

  test('a form of another workspace cannot be submitted', async () => {
    const { domain } = await addVerified();
    const other = await plane.workspace();
    const answer = await other.call('POST', '/api/qr/forms', {
      name: 'Contact',
      fields: [{ type: 'text', label: 'Name' }],
    });
    const { formId } = answer.body as { formId: string };
    // Without the token of its page, the form is shown again.
    const send = async (headers: Record<string, string>) =>
      (
        await fetch(`${plane.url}/f/${formId}`, {
          method: 'POST',
          body: 'name=x',
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        })
      ).status;
    expect(await send(onDomain(domain))).toBe(404);
    expect(await send({})).toBe(422);
  });
});
