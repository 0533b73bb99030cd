/**
 * The main job, as its users do it, against what `npm start` runs: the same program, on private ports and in a
 * temporary folder.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { decodeQr } from '../testing/decode.ts';
import { freePort, temporaryFolder } from '../testing/index.ts';

const root = path.resolve(import.meta.dirname, '../..');
const phone =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36';

const codeObject = z.object({ id: z.string(), redirectUrl: z.string() });

interface Waymark {
  child: ChildProcess;
  output: string;
  exited: Promise<number | null>;
}

let environment: NodeJS.ProcessEnv;
let baseUrl: string;
let qrHost: string;
let apiKey: string;
let waymark: Waymark;

/** Resolves once the program says that it is ready. */
const start = async (): Promise<Waymark> => {
  const child = spawn(process.execPath, ['deploy/embedded/main.ts'], { cwd: root, env: environment });
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  const started: Waymark = { child, output: '', exited };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      started.output += chunk.toString();
    });
  }
  await vi.waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`ended with code ${child.exitCode}:\n${started.output}`);
      expect(started.output).toContain('ready in');
    },
    { timeout: 60_000, interval: 50 },
  );
  return started;
};

const stop = async ({ child, exited }: Waymark): Promise<number | null> => {
  child.kill('SIGTERM');
  return await exited;
};

beforeAll(async () => {
  const [controlPlanePort, controlPlaneInternalPort, redirectorPort, redirectorInternalPort] =
    await Promise.all(Array.from({ length: 4 }, () => freePort()));
  baseUrl = `http://127.0.0.1:${controlPlanePort}`;
  qrHost = `http://127.0.0.1:${redirectorPort}`;
  environment = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    DATA_DIR: path.join(await temporaryFolder(), 'with a space'),
    CONTROL_PLANE_PORT: String(controlPlanePort),
    CONTROL_PLANE_INTERNAL_PORT: String(controlPlaneInternalPort),
    REDIRECTOR_PORT: String(redirectorPort),
    REDIRECTOR_INTERNAL_PORT: String(redirectorInternalPort),
    BASE_URL: baseUrl,
    QR_HOST: qrHost,
  };
  waymark = await start();
  apiKey = /^API key +(\S+)$/m.exec(waymark.output)![1]!;
}, 90_000);

afterAll(async () => {
  if (waymark) await stop(waymark);
}, 60_000);

const api = (method: string, target: string, body?: unknown): Promise<Response> =>
  fetch(`${baseUrl}${target}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const scan = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', headers: { 'user-agent': phone, ...headers } });

test('create, scan, see the scan, change, deactivate, activate, restart: nothing is lost', async () => {
  const created = await api('POST', '/api/qr/codes', { data: 'https://example.com/first', name: 'Smoke' });
  expect(created.status).toBe(201);
  const code = codeObject.parse(await created.json());

  const image = await api('GET', `/api/qr/codes/${code.id}/image`);
  const url = await decodeQr(Buffer.from(await image.arrayBuffer()));
  expect(url).toBe(code.redirectUrl);
  expect(url).toBe(`${qrHost}/r/${code.id}`);

  const first = await scan(url!);
  expect([first.status, first.headers.get('location')]).toEqual([302, 'https://example.com/first']);

  const analytics = async () => (await api('GET', `/api/qr/codes/${code.id}/analytics?days=1`)).json();
  await vi.waitFor(async () => expect(await analytics()).toMatchObject({ totalScans: 1, uniqueScans: 1 }), {
    timeout: 2000,
  });

  expect(
    (await api('PUT', `/api/qr/codes/${code.id}`, { destination: 'https://example.org/second' })).status,
  ).toBe(200);
  await sleep(100);
  expect((await scan(url!)).headers.get('location')).toBe('https://example.org/second');

  const deleted = await api('DELETE', `/api/qr/codes/${code.id}`);
  expect(await deleted.json()).toMatchObject({ id: code.id, status: 'inactive' });
  await sleep(100);
  const gone = await scan(url!, { accept: 'text/html' });
  expect(gone.status).toBe(410);
  expect(await gone.text()).toContain('This code is switched off');

  await api('PUT', `/api/qr/codes/${code.id}`, { status: 'active' });
  await sleep(100);
  expect((await scan(url!)).status).toBe(302);

  expect(await stop(waymark)).toBe(0);
  waymark = await start();
  expect(await (await api('GET', `/api/qr/codes/${code.id}`)).json()).toMatchObject({
    name: 'Smoke',
    status: 'active',
  });
  expect((await scan(url!)).headers.get('location')).toBe('https://example.org/second');
  await vi.waitFor(async () => expect(await analytics()).toMatchObject({ totalScans: 4, uniqueScans: 1 }), {
    timeout: 3000,
  });
}, 120_000);

test('the redirector passes what it does not own to the control plane', async () => {
  const response = await fetch(`${qrHost}/api/qr/codes?limit=1`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ pagination: { limit: 1, total: 1 } });
});

test('what the embedded parts are needed for, an admin command finds by itself', async () => {
  const child = spawn(
    process.execPath,
    ['control-plane/admin.ts', 'create-workspace', '--name', 'acme', '--plan', 'growth'],
    { cwd: root, env: environment },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await new Promise((resolve) => child.once('exit', resolve));
  const made = JSON.parse(output);
  expect(Object.keys(made)).toEqual(['workspaceId', 'subscriptionId', 'apiKey']);
  const list = await fetch(`${baseUrl}/api/qr/codes`, {
    headers: { authorization: `Bearer ${made.apiKey}` },
  });
  expect(await list.json()).toMatchObject({ data: [], pagination: { total: 0 } });
});
