/** The main job through the real nginx, HAProxy and Caddy, with the configuration files for operators. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import tls from 'node:tls';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { domainObject } from '#schemas/api/domains.ts';
import { type DnsServer, startDnsServer } from '../../control-plane/features/domains/testing/dns-server.ts';
import { type Installation, startInstallation, startTimeoutMs } from '../smoke/installation.ts';
import { handshake, isResumed, newSession, takenCiphers } from '../testing/handshakes.ts';
import { freePort, temporaryFolder } from '../testing/local.ts';
import { hasProgram } from '../testing/programs.ts';
import { type CountedUpstream, countConnections } from './testing/counted-upstream.ts';
import { configure, placeCertificate, type RunningProxy, startNginx, startProxy } from './testing/proxy.ts';

const phone =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36';
const forged = '91.0.0.1'; // an address of Germany

let waymark: Installation;
let folder: string;
let certificate: string;
/** Between the proxies and the redirector. */
let toRedirector: CountedUpstream;
let http10Port: number;
/** A workspace's domain, verified by its owner. */
const domain = 'go.brand.example';
let internalPorts: { controlPlane: number; redirector: number };
let dns: DnsServer;

beforeAll(async () => {
  const [http10, controlPlane, redirector] = await Promise.all([freePort(), freePort(), freePort()]);
  http10Port = http10;
  internalPorts = { controlPlane, redirector };
  folder = await temporaryFolder();
  dns = await startDnsServer();
  certificate = await placeCertificate(folder);
  waymark = await startInstallation({
    REDIRECTOR_WORKERS: '3',
    // The proxies connect from 127.0.0.1; phones use other addresses of the loopback interface.
    TRUSTED_PROXIES: '127.0.0.1',
    COUNTRY_HEADER: 'CF-IPCountry',
    REDIRECTOR_HTTP10_PORT: String(http10Port),
    CONTROL_PLANE_INTERNAL_PORT: String(controlPlane),
    REDIRECTOR_INTERNAL_PORT: String(redirector),
    QR_HOST: 'https://qr.example.com',
    DNS_SERVERS: dns.address,
  });
  const { verify } = await addDomain(domain);
  await verify();
  toRedirector = await countConnections(Number(portOf(waymark.qrHost)));
}, startTimeoutMs);

afterAll(async () => {
  await waymark?.stop();
});

/** Adds a domain of the workspace, not verified yet. */
const addDomain = async (name: string) => {
  const body = { domain: name, path: '/' };
  const added = domainObject.parse(await (await waymark.api('POST', '/api/domains', body)).json());
  const target = `/api/domains/${added.id}`;
  return {
    async verify(): Promise<void> {
      dns.set(added.dns.name, [added.dns.value]);
      expect((await waymark.api('POST', `${target}/verify`)).status).toBe(200);
    },
    async makePrimary(primary: boolean): Promise<void> {
      expect((await waymark.api('PATCH', target, { primary })).status).toBe(200);
    },
  };
};

const portOf = (url: string): string => new URL(url).port;

/** Waymark's ports, which replace the ones in the files. */
const upstreams = () => ({
  '127.0.0.1:8080': `127.0.0.1:${toRedirector.port}`,
  '127.0.0.1:3000': `127.0.0.1:${portOf(waymark.baseUrl)}`,
});

const caddyHome = () => path.join(folder, 'caddy');

/** Replaces the folder in the files. */
const ownFolder = () => ({ '/etc/ssl/waymark': folder });

const starts: Record<string, (https: number, http: number) => Promise<RunningProxy>> = {
  async nginx(https, http) {
    const file = await configure(folder, 'nginx.conf', {
      ...ownFolder(),
      ...upstreams(),
      'worker_processes auto': 'worker_processes 2',
      'listen 443 ': `listen 127.0.0.1:${https} `,
      'listen 80;': `listen 127.0.0.1:${http};`,
    });
    return startNginx(folder, file);
  },
  async haproxy(https, http) {
    const file = await configure(folder, 'haproxy.cfg', {
      ...ownFolder(),
      ...upstreams(),
      'bind :443': `bind 127.0.0.1:${https}`,
      'bind :80': `bind 127.0.0.1:${http}`,
      'port 8081': `port ${internalPorts.redirector}`,
      'port 3001': `port ${internalPorts.controlPlane}`,
    });
    return startProxy('haproxy', ['-db', '-f', file]);
  },
  async caddy(https, http) {
    const file = await configure(folder, 'Caddyfile', {
      ...ownFolder(),
      ...upstreams(),
      '127.0.0.1:8081': `127.0.0.1:${internalPorts.redirector}`,
      'http_port 80': `http_port ${http}\n\tadmin off\n\tskip_install_trust`,
      'https_port 443': `https_port ${https}\n\tdefault_bind 127.0.0.1`,
      // A local authority replaces ACME.
      '\t\ton_demand\n': '\t\ton_demand\n\t\tissuer internal\n',
    });
    const home = caddyHome();
    await mkdir(home, { recursive: true });
    return startProxy('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
      HOME: home,
      XDG_DATA_HOME: home,
    });
  },
};

const codeObject = z.object({ id: z.string(), redirectUrl: z.string() });
const analytics = z.object({
  totalScans: z.number(),
  uniqueScans: z.number(),
  countries: z.array(z.object({ country: z.string(), scans: z.number() })),
});

const analyticsOf = async (id: string): Promise<z.infer<typeof analytics>> =>
  analytics.parse(await (await waymark.api('GET', `/api/qr/codes/${id}/analytics?days=2`)).json());

/** @returns the path of a new landing page */
const createPage = async (): Promise<string> => {
  const answer = await waymark.api('POST', '/api/qr/landing-pages', {
    name: 'Café',
    headline: 'Café am Eck',
    body: 'Fresh every day. '.repeat(50),
  });
  const { pageId } = z.object({ pageId: z.string() }).parse(await answer.json());
  return `/p/${pageId}`;
};

const sni = ['-servername', 'qr.example.com'];

const missing = Object.keys(starts).filter((name) => !hasProgram(name));

describe.each(Object.keys(starts).filter((name) => !missing.includes(name)))('behind %s', (name) => {
  let httpsPort: number;
  let httpPort: number;
  const agents = new Map<string, Agent>();

  /** The limit is per minute, so each proxy has its own phones. */
  const ownPhone = (n: number): string => `127.0.${Object.keys(starts).indexOf(name)}.${n}`;

  /** A phone's own connection, from its own address. */
  const agentOf = (from: string, servername: string, allowH2: boolean): Agent => {
    const key = `${from} ${servername} ${allowH2}`;
    const agent =
      agents.get(key) ??
      new Agent({
        allowH2,
        localAddress: from,
        // The certificate of these tests has only the two names of the files; a domain's certificate is its owner's.
        connect: {
          ca: certificate,
          servername,
          ...(servername === domain && { checkServerIdentity: () => undefined }),
        },
      });
    agents.set(key, agent);
    return agent;
  };

  const ask = async (
    target: string,
    options: {
      http1?: boolean;
      method?: 'GET' | 'HEAD' | 'POST';
      from?: string;
      host?: string;
      headers?: string[];
      body?: string;
    } = {},
  ) => {
    const {
      http1 = false,
      method = 'GET',
      from = ownPhone(5),
      host = 'qr.example.com',
      headers = [],
      body = null,
    } = options;
    const answer = await request(`https://127.0.0.1:${httpsPort}${target}`, {
      dispatcher: agentOf(from, host, !http1),
      method,
      headers: ['host', host, 'user-agent', phone, ...headers],
      body,
    });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  };

  const remaining = ({ headers }: { headers: Record<string, string | string[] | undefined> }): number =>
    Number(/remaining=(\d+)/.exec(String(headers.ratelimit))?.[1]);

  /** Goes through the proxy, too. */
  const create = async (body: Record<string, unknown> = {}): Promise<{ id: string; path: string }> => {
    const answer = await ask('/api/qr/codes', {
      method: 'POST',
      host: 'api.example.com',
      headers: ['authorization', `Bearer ${waymark.apiKey}`, 'content-type', 'application/json'],
      body: JSON.stringify({ data: 'https://example.com/edge', ...body }),
    });
    expect(answer.status, answer.text).toBe(201);
    const { id, redirectUrl } = codeObject.parse(JSON.parse(answer.text));
    expect(redirectUrl).toBe(`https://qr.example.com/r/${id}`);
    return { id, path: new URL(redirectUrl).pathname };
  };

  beforeAll(async () => {
    [httpsPort, httpPort] = await Promise.all([freePort(), freePort()]);
    const proxy = await starts[name]!(httpsPort, httpPort);
    await vi.waitFor(
      async () => {
        if (proxy.hasEnded()) throw new Error(`${name} ended: ${proxy.said()}`);
        expect([
          (await ask('/r/nothing')).status,
          (await ask('/', { host: 'api.example.com' })).status,
        ]).not.toContain(503);
      },
      { timeout: 60_000, interval: 100 },
    );
  });

  afterAll(async () => {
    await Promise.all([...agents.values()].map((agent) => agent.close()));
  });

  test('a code is created, and its scans are redirected and counted', async () => {
    const code = await create();
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await ask(code.path, { method });
      expect([answer.status, answer.headers.location]).toEqual([302, 'https://example.com/edge']);
    }
    await expect.poll(() => analyticsOf(code.id)).toMatchObject({ totalScans: 1, uniqueScans: 1 });
  });

  test('each phone is distinct: its limit and its visitor id; it cannot set its country, whatever headers it sends', async () => {
    const lies = ['x-forwarded-for', forged, 'x-forwarded-for', '203.0.113.9', 'cf-ipcountry', 'DE'];
    let phones = 20;
    const reported = async () => {
      const code = await create();
      const [one, another] = [ownPhone(phones++), ownPhone(phones++)];
      const first = remaining(await ask(code.path, { from: one, headers: lies }));
      // Within a second each process knows the counts of the others. None may know fewer than its own.
      const others = await Promise.all(
        Array.from({ length: 6 }, () => ask(code.path, { from: one, headers: lies })),
      );
      expect(Math.min(...others.map(remaining))).toBeLessThan(first);
      expect(remaining(await ask(code.path, { from: another, headers: lies }))).toBeGreaterThanOrEqual(599);
      await expect.poll(async () => (await analyticsOf(code.id)).totalScans).toBe(8);
      return analyticsOf(code.id);
    };
    // After a slow start, the processes take a while to share the salt of visitors.
    await expect
      .poll(reported, { timeout: 150_000, interval: 2000 })
      .toMatchObject({ totalScans: 8, uniqueScans: 2, countries: [] });
  }, 300_000);

  test('a password form is shown, and opened', async () => {
    const code = await create({ secure: ['password'], password: 'open sesame' });
    const page = await ask(code.path, { headers: ['accept', 'text/html'] });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(`action="${code.path}"`)]);
    const post = (password: string) =>
      ask(code.path, {
        method: 'POST',
        headers: ['content-type', 'application/x-www-form-urlencoded'],
        body: String(new URLSearchParams({ password })),
      });
    expect((await post('wrong')).status).toBe(401);
    const right = await post('open sesame');
    expect([right.status, right.headers.location]).toEqual([303, 'https://example.com/edge']);
  });

  test('paths that the redirector does not own are passed on', async () => {
    const answer = await ask('/api/qr/codes?limit=1', {
      headers: ['authorization', `Bearer ${waymark.apiKey}`],
    });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      expect.objectContaining({ data: expect.any(Array) }),
    ]);
  });

  test('Digital Links reach the resolver as they were scanned, including their percent-encoding', async () => {
    const path = `/01/9506000134352/10/A%2F${name}`;
    const answer = await waymark.api('POST', '/api/qr/gs1/entries', {
      path,
      itemDescription: 'Rice',
      links: [{ linkType: 'gs1:pip', href: 'https://example.com/rice?a=1', title: 'Rice' }],
    });
    expect(answer.status).toBe(201);
    // The redirector holds the document of this GTIN, and hears of the change a moment after the answer.
    const scan = async () => {
      const { status, headers } = await ask(`${path}?b=2;c=%2f&b=3`, { from: ownPhone(170) });
      return [status, headers.location];
    };
    await expect.poll(scan).toEqual([307, 'https://example.com/rice?a=1&b=2;c=%2f&b=3']);
    expect((await ask('/eh3066c4409047e140075bcd15', { from: ownPhone(170) })).status).toBe(404);
    expect((await ask('/ehff', { from: ownPhone(170) })).status).toBe(400);
    expect((await ask('/v/7Yh2kPq9RsTu/2b4Cd6Ef8Gh1Jk3M', { from: ownPhone(170) })).status).toBe(404);
    const description = await ask('/.well-known/gs1resolver', { from: ownPhone(170) });
    expect(JSON.parse(description.text)).toMatchObject({ resolverRoot: 'https://qr.example.com' });
  });

  // Caddy has a certificate for each name, see below.
  test.skipIf(name === 'caddy')('the name that a phone asked for reaches the redirector', async () => {
    const code = await create();
    const on = (target: string, headers: string[] = []) =>
      ask(target, { host: domain, from: ownPhone(180), headers });
    await expect.poll(async () => (await on(`/${code.id}`)).status).toBe(302);
    expect([(await on('/')).status, (await on('/api/qr/codes')).status]).toEqual([404, 404]);
    expect((await on('/nothing', ['accept', 'text/html'])).text).toContain(domain);
    const lie = ['x-forwarded-host', domain, 'waymark-domain', domain];
    expect((await ask('/api/qr/codes', { from: ownPhone(180), headers: lie })).status).toBe(401);
  });

  test('a hosted page is compressed, with its content type, and is not sent again to a browser that has it', async () => {
    const path = await createPage();
    const browser = ['accept', 'text/html', 'accept-encoding', 'gzip, br'];
    const page = await ask(path, { headers: browser });
    expect([page.status, page.headers['content-encoding'], page.headers['cache-control']]).toEqual([
      200,
      'br',
      'no-cache',
    ]);
    expect(Number(page.headers['content-length'])).toBeLessThan(10_000);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const { etag } = page.headers;
    const again = ['if-none-match', `"x", ${etag}`];
    const unchanged = await ask(path, { headers: [...browser, ...again] });
    expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', etag]);
    const head = await ask(path, { method: 'HEAD', headers: browser });
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', etag]);
    const plain = await ask(path, { http1: true });
    expect([plain.status, plain.headers['content-encoding'], plain.text]).toEqual([
      200,
      undefined,
      expect.stringContaining('Café am Eck'),
    ]);
    // Each phone has its own 120 views a minute, including views through the redirector.
    for (const from of [ownPhone(131), ownPhone(132)]) expect(remaining(await ask(path, { from }))).toBe(119);
    const unknown = await ask('/p/page_1111111111111111', { headers: browser });
    expect([unknown.status, unknown.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  test('heads of 14 kB are answered; heads over 16 kB are rejected as the client’s mistake', async () => {
    const code = await create();
    const long = (bytes: number) => ask(code.path, { http1: true, headers: ['cookie', 'c'.repeat(bytes)] });
    expect((await long(14 * 1024)).status).toBe(302);
    const { status } = await long(40 * 1024);
    expect([400, 413, 414, 431]).toContain(status);
  });

  test('connections to the redirector are reused, also for new phones', async () => {
    const code = await create();
    const before = toRedirector.opened;
    for (let n = 0; n < 100; n++) expect((await ask(code.path)).status).toBe(302);
    // Ten at a time: more connections than have been reused, which HAProxy would otherwise prefer.
    const asNew = () => ask(code.path, { http1: true, headers: ['connection', 'close'] });
    for (let n = 0; n < 12; n++) await Promise.all(Array.from({ length: 10 }, asNew));
    expect(toRedirector.opened - before).toBeLessThan(60);
  });

  test('TLS 1.2 and 1.3 are accepted, 1.0 and 1.1 refused, and HTTP/2 is offered', async () => {
    for (const [version, answer] of [
      ['-tls1', /alert|no peer certificate/],
      ['-tls1_1', /alert|no peer certificate/],
      ['-tls1_2', /New, TLSv1\.2, Cipher is ECDHE-/],
      ['-tls1_3', /New, TLSv1\.3, Cipher is TLS_/],
    ] as const) {
      const said = await handshake(httpsPort, version, '-cipher', 'ALL:@SECLEVEL=0', ...sni);
      expect(said).toMatch(answer);
      expect(said.includes('Cipher is (NONE)')).toBe(version === '-tls1' || version === '-tls1_1');
    }
    expect(await handshake(httpsPort, '-alpn', 'h2,http/1.1', ...sni)).toContain('ALPN protocol: h2');
    expect(await handshake(httpsPort, '-alpn', 'http/1.1', ...sni)).toContain('ALPN protocol: http/1.1');
  });

  test('accepts only TLS 1.2 ciphers with forward secrecy and AEAD', async () => {
    const good = ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'];
    const bad = ['ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES128-SHA256', 'ECDHE-ECDSA-AES128-CCM'];
    expect(await takenCiphers(httpsPort, [...good, ...bad])).toEqual(good);
  });

  test('a returning phone resumes its session, whichever worker it meets', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const session = await newSession(httpsPort, version);
      for (let n = 0; n < 10; n++) expect(await isResumed(httpsPort, session, version)).toBe(true);
    }
  });

  test('phones that leave before their answer cost no connection', async () => {
    const code = await create();
    const goAway = () =>
      new Promise<void>((resolve) => {
        const options: tls.ConnectionOptions = {
          port: httpsPort,
          host: '127.0.0.1',
          servername: 'qr.example.com',
          ca: certificate,
        };
        const head = `GET ${code.path} HTTP/1.1\r\nHost: qr.example.com\r\nUser-Agent: ${phone}\r\n\r\n`;
        const socket = tls.connect(options, () => socket.write(head, () => socket.destroy()));
        socket.on('error', () => socket.destroy());
        socket.once('close', () => resolve());
      });
    await Promise.all(Array.from({ length: 30 }, goAway));
    expect((await ask(code.path)).status).toBe(302);
  });

  test.runIf(name === 'caddy')(
    'a verified name gets a certificate and serves its codes; an unverified name is refused',
    async () => {
      const branded = 'codes.brand.example';
      /** @returns the names of the certificate, or the reason that there is none */
      const handshakeFor = (servername: string): Promise<string> =>
        new Promise((resolve) => {
          const options = { host: '127.0.0.1', port: httpsPort, servername, rejectUnauthorized: false };
          const socket = tls.connect(options, () => {
            resolve(socket.getPeerCertificate().subjectaltname ?? 'no names');
            socket.destroy();
          });
          socket.once('error', (error) => resolve(`refused: ${error.message}`));
        });
      const { verify, makePrimary } = await addDomain(branded);
      expect(await handshakeFor(branded)).toMatch(/^refused: /);
      await verify();
      await makePrimary(true);
      await expect.poll(() => handshakeFor(branded)).toBe(`DNS:${branded}`);
      const created = await waymark.api('POST', '/api/qr/codes', { data: 'https://example.com/branded' });
      const { id, redirectUrl } = codeObject.parse(await created.json());
      expect(redirectUrl).toBe(`https://${branded}/${id}`);
      await makePrimary(false);
      // As a phone that trusts Caddy's authority and checks the name.
      const ca = await readFile(path.join(caddyHome(), 'caddy/pki/authorities/local/root.crt'), 'utf8');
      const dispatcher = new Agent({ connect: { ca, servername: branded } });
      const open = async () => {
        const { statusCode, headers, body } = await request(`https://127.0.0.1:${httpsPort}/${id}`, {
          dispatcher,
          headers: { host: branded, 'user-agent': phone },
        });
        await body.dump();
        return [statusCode, headers.location];
      };
      await expect.poll(open).toEqual([302, 'https://example.com/branded']);
      await dispatcher.close();
      for (const refused of ['other.brand.example', `a.${branded}`])
        expect([refused, await handshakeFor(refused)]).toEqual([
          refused,
          expect.stringMatching(/^refused: /),
        ]);
    },
  );

  test('http redirects to https', async () => {
    const { statusCode, headers, body } = await request(`http://127.0.0.1:${httpPort}/r/abc`, {
      headers: { host: 'qr.example.com' },
    });
    await body.dump();
    expect(statusCode).toBe(308);
    expect(String(headers.location)).toMatch(/^https:\/\/qr\.example\.com(:\d+)?\/r\/abc$/);
  });
});

test.runIf(!missing.includes('nginx'))(
  'nginx with only proxy_pass, which is HTTP/1.0, is served on its own port',
  async () => {
    const port = await freePort();
    const file = path.join(folder, 'plain-nginx.conf');
    const server = `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${http10Port}; } }`;
    await writeFile(file, `events {}\nhttp { access_log off; ${server} }\n`);
    startNginx(folder, file);
    const answer = await waymark.api('POST', '/api/qr/codes', { data: 'https://example.com/plain' });
    const { id } = codeObject.parse(await answer.json());
    const scan = async () => {
      const { status, headers } = await waymark.scan(`http://127.0.0.1:${port}/r/${id}`);
      return [status, headers.get('location')];
    };
    await expect.poll(scan).toEqual([302, 'https://example.com/plain']);
    await expect.poll(async () => (await analyticsOf(id)).totalScans).toBeGreaterThan(0);
    const page = await fetch(`http://127.0.0.1:${port}${await createPage()}`);
    expect([page.status, page.headers.get('etag'), await page.text()]).toEqual([
      200,
      expect.stringMatching(/^W\/"/),
      expect.stringContaining('Café am Eck'),
    ]);
  },
);
