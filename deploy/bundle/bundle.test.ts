/** A bundle is complete: both planes, the operator's command line and the health check run from it alone. */
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { secretKey } from '../../control-plane/testing/control-plane.ts';
import { queryOnce } from '../embedded/parts/postgres/postgres.ts';
import { planesRole } from '../embedded/parts/postgres/role.ts';
import { decodeQr } from '../testing/decode.ts';
import {
  afterFile,
  clickhouseServer,
  createTestDatabase,
  databaseAdminUrl,
  redisUrl,
} from '../testing/index.ts';
import { type BundleHome, createBundleHome, type Outcome, type Program, root } from './testing/bundled.ts';

let home: BundleHome;
let services: Record<string, string>;

/** Databases without a table, as an operator makes them. */
const emptyDatabases = async (): Promise<Record<string, string>> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = (sql: string) => queryOnce(databaseAdminUrl(), sql, [], 60_000);
  await admin(`CREATE DATABASE ${name} OWNER ${planesRole}`);
  afterFile(() => admin(`DROP DATABASE ${name} WITH (FORCE)`));
  const [database, clickhouse] = [new URL(await createTestDatabase()), new URL(clickhouseServer())];
  database.pathname = `/${name}`;
  clickhouse.pathname = `/${name}`;
  return { DATABASE_URL: database.href, CLICKHOUSE_URL: clickhouse.href };
};

beforeAll(async () => {
  home = await createBundleHome();
  services = { ...(await emptyDatabases()), REDIS_URL: redisUrl(), SECRET_KEY: secretKey };
});

const admin = (...args: string[]): Promise<Outcome> =>
  home.run(['control-plane/admin.ts', ...args], services);

const health = async (plane: string, question: string): Promise<number | null> =>
  (await home.run(['health.ts', plane, question], services)).code;

/** A program that ended cannot become healthy: its output says why. */
const expectReady = async (plane: string, program: Program): Promise<void> => {
  const state = async () =>
    program.child.exitCode === null ? await health(plane, 'ready') : program.output();
  await expect.poll(state, { timeout: 100_000, interval: 500 }).toBe(0);
};

const url = (port: string, path: string): string => `http://127.0.0.1:${home.environment[port]}${path}`;

const caller = (apiKey: string) => (method: string, path: string, body?: unknown) =>
  fetch(url('CONTROL_PLANE_PORT', path), {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** Files that the processes have loaded: programs, and native parts of packages. */
const mappedFiles = async (pids: readonly number[]): Promise<string[]> => {
  const maps = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/maps`, 'utf8')));
  return maps.flatMap((text) => text.match(/\/.*$/gm) ?? []);
};

/** Six programs start here, with nothing compiled before: a busy machine takes ten times as long. */
const timeoutMs = 300_000;

test('both planes run from a bundle alone, as a user who may write nothing of it', {
  timeout: timeoutMs,
}, async () => {
  const migrated = await admin('migrate');
  expect(migrated).toMatchObject({ code: 0, stderr: '' });
  expect(migrated.stdout).toMatch(/"database":"clickhouse","migrationsApplied":[1-9]/);
  const { apiKey } = JSON.parse(
    (await admin('create-workspace', '--name', 'acme', '--plan', 'growth')).stdout,
  );
  const environment = {
    ...services,
    BASE_URL: url('CONTROL_PLANE_PORT', ''),
    QR_HOST: url('REDIRECTOR_PORT', ''),
  };
  const controlPlane = home.start(['control-plane/main.ts'], environment);
  const redirector = home.start(['redirector/main.ts'], environment);
  await expectReady('control-plane', controlPlane);
  await expectReady('redirector', redirector);
  expect(await health('redirector', 'live')).toBe(0);

  const call = caller(apiKey);
  const created = await call('POST', '/api/qr/codes', { data: 'https://example.com/', name: 'Bundle' });
  expect(created.status).toBe(201);
  const { id } = (await created.json()) as { id: string };
  const image = await call('GET', `/api/qr/codes/${id}/image`);
  const printed = await decodeQr(Buffer.from(await image.arrayBuffer()));
  const scan = await fetch(printed!, {
    redirect: 'manual',
    headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 14)' },
  });
  expect([scan.status, scan.headers.get('location')]).toEqual([302, 'https://example.com/']);
  // For two days, as midnight may pass.
  const counted = async () => (await call('GET', `/api/qr/codes/${id}/analytics?days=2`)).json();
  await expect.poll(counted).toMatchObject({ totalScans: 1 });
  if (process.platform === 'linux') {
    const mapped = await mappedFiles([controlPlane.child.pid!, redirector.child.pid!]);
    expect(mapped.filter((file) => file.startsWith(home.bundle))).not.toEqual([]);
    expect(mapped.filter((file) => file.startsWith(`${root}/`))).toEqual([]);
  }

  const running = [redirector, controlPlane];
  for (const { child } of running) child.kill('SIGTERM');
  expect(await Promise.all(running.map(({ exited }) => exited))).toEqual([0, 0]);
  expect(await health('control-plane', 'live')).toBe(1);
});

test('a bundle has no test, no program of another folder, and one health check', async () => {
  const entries = await readdir(home.bundle);
  expect(entries.toSorted()).toEqual(
    [
      'CHANGELOG.md',
      'LICENSE',
      'control-plane',
      'health.ts',
      'node_modules',
      'package.json',
      'redirector',
      'schemas',
      'shared',
    ].toSorted(),
  );
  const files = await readdir(home.bundle, { recursive: true });
  const ours = files.filter((file) => !file.startsWith('node_modules'));
  expect(ours.length).toBeGreaterThan(1000);
  expect(ours.filter((file) => /\.test\.ts$|(^|\/)testing(\/|$)/.test(file))).toEqual([]);
});

test('the health check refuses what is no plane', async () => {
  expect(await home.run(['health.ts', 'constructor', 'live'], {})).toEqual({
    code: 2,
    stdout: '',
    stderr: 'Usage: node health.ts control-plane|redirector live|ready\n',
  });
});
