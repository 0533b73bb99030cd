/** Custom domains behind the real Caddy, with the file that operators are given: certificates on demand, for verified names alone. */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import tls from 'node:tls';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type DnsServer, startDnsServer } from '../../control-plane/features/domains/testing/dns-server.ts';
import { domainObject } from '../../schemas/api/domains.ts';
import { type Installation, startInstallation } from '../smoke/installation.ts';
import { freePort, temporaryFolder } from '../testing/index.ts';
import { hasProgram } from '../testing/programs.ts';
import { configure, placeCertificate, type RunningProxy, startProxy } from './testing/proxy.ts';

const domain = 'go.brand.example';
const phone =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36';

let waymark: Installation;
let dns: DnsServer;
let caddy: RunningProxy;
let httpsPort: number;
/** The root of Caddy's own authority, which takes the place of ACME. */
let rootFile: string;

const startCaddy = async (internalPort: number): Promise<void> => {
  const [folder, https, http] = [await temporaryFolder(), await freePort(), await freePort()];
  httpsPort = https;
  await placeCertificate(folder);
  const file = await configure(folder, 'Caddyfile', {
    '/etc/ssl/waymark': folder,
    '127.0.0.1:8080': `127.0.0.1:${new URL(waymark.qrHost).port}`,
    '127.0.0.1:3000': `127.0.0.1:${new URL(waymark.baseUrl).port}`,
    '127.0.0.1:3001': `127.0.0.1:${internalPort}`,
    'http_port 80': `http_port ${http}\n\tadmin off\n\tskip_install_trust`,
    'https_port 443': `https_port ${https}\n\tdefault_bind 127.0.0.1`,
    '\t\ton_demand\n': '\t\ton_demand\n\t\tissuer internal\n',
  });
  const home = path.join(folder, 'caddy');
  await mkdir(home, { recursive: true });
  rootFile = path.join(home, 'caddy/pki/authorities/local/root.crt');
  caddy = startProxy('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    HOME: home,
    XDG_DATA_HOME: home,
  });
};

describe.runIf(hasProgram('caddy'))('behind caddy', () => {
  beforeAll(async () => {
    dns = await startDnsServer();
    const internalPort = await freePort();
    waymark = await startInstallation({
      TRUSTED_PROXIES: '127.0.0.1',
      CONTROL_PLANE_INTERNAL_PORT: String(internalPort),
      DNS_SERVERS: dns.address,
    });
    await startCaddy(internalPort);
  }, 120_000);

  afterAll(async () => {
    await waymark?.stop();
  }, 60_000);

  /** A handshake for a name. @returns the names of the certificate, or why there is none */
  const handshakeFor = (servername: string): Promise<string> =>
    new Promise((resolve) => {
      const options = { host: '127.0.0.1', port: httpsPort, servername, rejectUnauthorized: false };
      const socket = tls.connect(options, () => {
        resolve(socket.getPeerCertificate().subjectaltname ?? 'no names');
        socket.destroy();
      });
      socket.once('error', (error) => resolve(`refused: ${error.message}`));
    });

  /** Caddy listens once it answers for the name that it has a certificate for. */
  const started = () =>
    vi.waitFor(
      async () => {
        if (caddy.hasEnded()) throw new Error(caddy.said());
        expect(await handshakeFor('qr.example.com')).toContain('DNS:qr.example.com');
      },
      { timeout: 30_000, interval: 100 },
    );

  const call = async (method: string, target: string, body?: unknown): Promise<unknown> => {
    const answer = await waymark.api(method, target, body);
    const text = await answer.text();
    expect(answer.ok, text).toBe(true);
    return JSON.parse(text);
  };

  /** As a phone that trusts Caddy's authority, and checks the name. */
  const open = async (target: string) => {
    const dispatcher = new Agent({
      connect: { ca: await readFile(rootFile, 'utf8'), servername: domain },
    });
    const { statusCode, headers, body } = await request(`https://127.0.0.1:${httpsPort}${target}`, {
      dispatcher,
      headers: { host: domain, 'user-agent': phone },
    });
    await body.dump();
    await dispatcher.close();
    return { status: statusCode, location: headers.location };
  };

  test('a verified name gets a certificate and serves its codes; a name that nobody verified is refused', async () => {
    await started();
    const added = domainObject.parse(await call('POST', '/api/domains', { domain, path: '/' }));
    expect(await handshakeFor(domain)).toMatch(/^refused: /);
    dns.set(added.dns.name, [added.dns.value]);
    await call('POST', `/api/domains/${added.id}/verify`);
    await call('PATCH', `/api/domains/${added.id}`, { primary: true });

    await vi.waitFor(async () => expect(await handshakeFor(domain)).toBe(`DNS:${domain}`), {
      timeout: 30_000,
      interval: 200,
    });
    const code = z
      .object({ id: z.string(), redirectUrl: z.string() })
      .parse(await call('POST', '/api/qr/codes', { data: 'https://example.com/branded' }));
    expect(code.redirectUrl).toBe(`https://${domain}/${code.id}`);
    await vi.waitFor(
      async () =>
        expect(await open(new URL(code.redirectUrl).pathname)).toEqual({
          status: 302,
          location: 'https://example.com/branded',
        }),
      { timeout: 20_000, interval: 200 },
    );
    for (const refused of ['other.brand.example', `a.${domain}`])
      expect([refused, await handshakeFor(refused)]).toEqual([refused, expect.stringMatching(/^refused: /)]);
  }, 120_000);
});
