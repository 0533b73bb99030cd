/** The main job through the real nginx, HAProxy and Caddy, with the files that operators are given. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type Installation, startInstallation } from '../smoke/installation.ts';
import { afterFile, freePort, temporaryFolder } from '../testing/index.ts';
import { hasProgram } from '../testing/programs.ts';

const run = promisify(execFile);

const phone =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36';
const forged = '91.0.0.1'; // an address of Germany

let waymark: Installation;
let folder: string;
let certificate: string;
let http10Port: number;
let internalPorts: { controlPlane: number; redirector: number };

/** A certificate for both names, and the file with the key that HAProxy wants. */
const makeCertificate = async (): Promise<void> => {
  const [cert, key] = [path.join(folder, 'certificate.pem'), path.join(folder, 'key.pem')];
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=qr.example.com', '-addext', 'subjectAltName=DNS:qr.example.com,DNS:api.example.com'],
    ...['-keyout', key, '-out', cert],
  ]);
  certificate = await readFile(cert, 'utf8');
  await writeFile(path.join(folder, 'certificate-and-key.pem'), certificate + (await readFile(key, 'utf8')));
};

beforeAll(async () => {
  const [http10, controlPlane, redirector] = await Promise.all([freePort(), freePort(), freePort()]);
  http10Port = http10;
  internalPorts = { controlPlane, redirector };
  folder = await temporaryFolder();
  await makeCertificate();
  waymark = await startInstallation({
    REDIRECTOR_WORKERS: '3',
    // The proxies reach it from 127.0.0.1; phones come from other addresses of the loopback interface.
    TRUSTED_PROXIES: '127.0.0.1',
    COUNTRY_HEADER: 'CF-IPCountry',
    REDIRECTOR_HTTP10_PORT: String(http10Port),
    CONTROL_PLANE_INTERNAL_PORT: String(controlPlane),
    REDIRECTOR_INTERNAL_PORT: String(redirector),
    QR_HOST: 'https://qr.example.com',
  });
}, 120_000);

afterAll(async () => {
  await waymark?.stop();
}, 60_000);

/** The file that operators get, with the test's own ports and certificate; each must be in it. */
const configure = async (name: string, changes: Record<string, string>): Promise<string> => {
  let text = await readFile(path.join(import.meta.dirname, name), 'utf8');
  const all = { '/etc/ssl/waymark': folder, ...changes };
  for (const [given, own] of Object.entries(all)) {
    expect(text).toContain(given);
    text = text.replaceAll(given, own);
  }
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
};

const portOf = (url: string): string => new URL(url).port;

/** Where Waymark listens, in place of the ports in the files. */
const upstreams = () => ({
  '127.0.0.1:8080': `127.0.0.1:${portOf(waymark.qrHost)}`,
  '127.0.0.1:3000': `127.0.0.1:${portOf(waymark.baseUrl)}`,
});

const startProxy = (command: string, args: string[], env: NodeJS.ProcessEnv = {}) => {
  const child: ChildProcess = spawn(command, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const exited = new Promise((resolve) => child.once('close', resolve));
  afterFile(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  return { said: () => output, hasEnded: () => child.exitCode !== null };
};

const starts: Record<string, (https: number, http: number) => Promise<ReturnType<typeof startProxy>>> = {
  async nginx(https, http) {
    const file = await configure('nginx.conf', {
      ...upstreams(),
      'listen 443 ': `listen 127.0.0.1:${https} `,
      'listen 80;': `listen 127.0.0.1:${http};`,
    });
    return startProxy('nginx', [
      '-p',
      folder,
      '-c',
      file,
      '-g',
      `daemon off; pid ${folder}/nginx.pid; error_log stderr;`,
    ]);
  },
  async haproxy(https, http) {
    const file = await configure('haproxy.cfg', {
      ...upstreams(),
      'bind :443': `bind 127.0.0.1:${https}`,
      'bind :80': `bind 127.0.0.1:${http}`,
      'port 8081': `port ${internalPorts.redirector}`,
      'port 3001': `port ${internalPorts.controlPlane}`,
    });
    return startProxy('haproxy', ['-db', '-f', file]);
  },
  async caddy(https, http) {
    const file = await configure('Caddyfile', {
      ...upstreams(),
      'http_port 80': `http_port ${http}\n\tadmin off`,
      'https_port 443': `https_port ${https}\n\tdefault_bind 127.0.0.1`,
    });
    const home = path.join(folder, 'caddy');
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
  analytics.parse(await (await waymark.api('GET', `/api/qr/codes/${id}/analytics?days=1`)).json());

/** Connections from a proxy to the redirector, also those that were closed a moment ago. */
const upstreamConnections = async (): Promise<number> => {
  const port = Number(portOf(waymark.qrHost)).toString(16).toUpperCase().padStart(4, '0');
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((row) => row.trim().split(/\s+/));
  return rows.filter(([, , remote]) => remote?.endsWith(`:${port}`)).length;
};

const missing = Object.keys(starts).filter((name) => !hasProgram(name));

describe.each(Object.keys(starts).filter((name) => !missing.includes(name)))('behind %s', (name) => {
  let httpsPort: number;
  let httpPort: number;
  const agents = new Map<string, Agent>();

  /** The limit is a minute's: each proxy has phones of its own. */
  const ownPhone = (n: number): string => `127.0.${Object.keys(starts).indexOf(name)}.${n}`;

  /** A phone's own connection, from an address of its own. */
  const agentOf = (from: string, servername: string, allowH2: boolean): Agent => {
    const key = `${from} ${servername} ${allowH2}`;
    const agent =
      agents.get(key) ?? new Agent({ allowH2, localAddress: from, connect: { ca: certificate, servername } });
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

  /** Through the proxy, too. */
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
      { timeout: 30_000, interval: 100 },
    );
  }, 60_000);

  afterAll(async () => {
    await Promise.all([...agents.values()].map((agent) => agent.close()));
  });

  test('a code is created, and its scans are redirected and counted', async () => {
    const code = await create();
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await ask(code.path, { method });
      expect([answer.status, answer.headers.location]).toEqual([302, 'https://example.com/edge']);
    }
    await vi.waitFor(
      async () => expect(await analyticsOf(code.id)).toMatchObject({ totalScans: 1, uniqueScans: 1 }),
      { timeout: 20_000, interval: 200 },
    );
  });

  test('each phone is itself: its limit, its visitor, no country of its own making, whatever headers it sends', async () => {
    const code = await create();
    const lies = ['x-forwarded-for', forged, 'x-forwarded-for', '203.0.113.9', 'cf-ipcountry', 'DE'];
    const [one, another] = [ownPhone(21), ownPhone(22)];
    const first = remaining(await ask(code.path, { from: one, headers: lies }));
    // Within a second each process knows the counts of the others: none may know less than its own.
    const others = await Promise.all(
      Array.from({ length: 6 }, () => ask(code.path, { from: one, headers: lies })),
    );
    expect(Math.min(...others.map(remaining))).toBeLessThan(first);
    expect(remaining(await ask(code.path, { from: another, headers: lies }))).toBeGreaterThanOrEqual(599);
    await vi.waitFor(
      async () =>
        expect(await analyticsOf(code.id)).toMatchObject({
          totalScans: 8,
          uniqueScans: 2,
          countries: [],
        }),
      { timeout: 20_000, interval: 200 },
    );
  });

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

  test('what the redirector does not own is passed on', async () => {
    const answer = await ask('/api/qr/codes?limit=1', {
      headers: ['authorization', `Bearer ${waymark.apiKey}`],
    });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      expect.objectContaining({ data: expect.any(Array) }),
    ]);
  });

  test('heads of 14 kB are answered; larger ones than 16 kB are refused as the client’s mistake', async () => {
    const code = await create();
    const long = (bytes: number) => ask(code.path, { http1: true, headers: ['cookie', 'c'.repeat(bytes)] });
    expect((await long(14 * 1024)).status).toBe(302);
    const { status } = await long(40 * 1024);
    expect([400, 413, 414, 431]).toContain(status);
  });

  test('connections to the redirector are used again', async () => {
    const code = await create();
    const before = await upstreamConnections();
    for (let n = 0; n < 200; n++) expect((await ask(code.path)).status).toBe(302);
    expect((await upstreamConnections()) - before).toBeLessThan(20);
  });

  test('phones that go away before their answer leave nothing behind', async () => {
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

  test('http leads to https', async () => {
    const { statusCode, headers, body } = await request(`http://127.0.0.1:${httpPort}/r/abc`, {
      headers: { host: 'qr.example.com' },
    });
    await body.dump();
    expect(statusCode).toBe(308);
    expect(String(headers.location)).toMatch(/^https:\/\/qr\.example\.com(:\d+)?\/r\/abc$/);
  });
});

test.runIf(!missing.includes('nginx'))(
  'nginx with nothing but proxy_pass, which is HTTP/1.0, is served by its port',
  async () => {
    const port = await freePort();
    const file = path.join(folder, 'plain-nginx.conf');
    const server = `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${http10Port}; } }`;
    await writeFile(file, `events {}\nhttp { access_log off; ${server} }\n`);
    startProxy('nginx', [
      '-p',
      folder,
      '-c',
      file,
      '-g',
      `daemon off; pid ${folder}/plain.pid; error_log stderr;`,
    ]);
    const answer = await waymark.api('POST', '/api/qr/codes', { data: 'https://example.com/plain' });
    const { id } = codeObject.parse(await answer.json());
    await vi.waitFor(
      async () => {
        const scan = await waymark.scan(`http://127.0.0.1:${port}/r/${id}`);
        expect([scan.status, scan.headers.get('location')]).toEqual([302, 'https://example.com/plain']);
      },
      { timeout: 10_000, interval: 100 },
    );
    await vi.waitFor(async () => expect((await analyticsOf(id)).totalScans).toBeGreaterThan(0), {
      timeout: 20_000,
      interval: 200,
    });
  },
);
