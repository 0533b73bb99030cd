/**
 * PostgreSQL is really restored to an earlier state, from a copy, under redirectors and a Redis that hold later
 * versions.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { secretKey, startTestControlPlane } from '../../control-plane/testing/control-plane.ts';
import { startTestRedirector } from '../../redirector/testing/redirector.ts';
import { queryOnce } from '../embedded/parts/postgres/postgres.ts';
import {
  copyDatabase,
  createTestDatabase,
  databaseAdminUrl,
  freePort,
  startTestRedis,
} from '../testing/index.ts';

const root = path.resolve(import.meta.dirname, '../..');

const databaseOf = (url: string): string => new URL(url).pathname.slice(1);

/** Copies the database like a dump; it must have no other connections. */
const backUp = async (url: string): Promise<string> => {
  const database = databaseOf(url);
  await queryOnce(
    databaseAdminUrl(),
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`,
  );
  return copyDatabase(url, `${database}_backup`);
};

const republish = async (databaseUrl: string): Promise<{ timeline: number }> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['control-plane/admin.ts', 'republish'], {
    cwd: root,
    env: { DATABASE_URL: databaseUrl },
  });
  return JSON.parse(stdout);
};

test('after a restore, held codes keep their later versions until admin republish; then the restored data wins', async () => {
  const redis = await startTestRedis();
  const databaseUrl = await createTestDatabase();
  // The same for each: the redirector finds the control plane by its port.
  const environment = { CONTROL_PLANE_INTERNAL_PORT: String(await freePort()) };
  const start = (url: string) =>
    startTestControlPlane({ databaseUrl: url, redisUrl: redis.url, environment, keepInternalPort: true });

  const first = await start(databaseUrl);
  const own = await first.workspace();
  const code = await own.createCode({ data: 'https://example.com/restored' });
  await first.close();
  const backup = await backUp(databaseUrl);

  const second = await start(databaseUrl);
  const waymark = await startTestRedirector({
    REDIS_URL: redis.url,
    SECRET_KEY: secretKey,
    CONTROL_PLANE_INTERNAL_URL: second.internalUrl,
    RECORD_FRESH_S: '1',
    RECORD_STALE_MAX_S: '2',
  });
  const call = second.callWith(own.apiKey);
  const location = async (id: string) => (await waymark.scan(id)).headers.get('location');
  const tags: (string | null)[] = [];
  for (const destination of ['https://example.org/2', 'https://example.org/3', 'https://example.org/later']) {
    const answer = await call('PUT', `/api/qr/codes/${code.id}`, { destination });
    expect(answer.status).toBe(200);
    tags.push(answer.headers.get('etag'));
  }
  const lost = await call('POST', '/api/qr/codes', { data: 'https://example.org/lost' });
  const lostId = (lost.body as { id: string }).id;
  // A lookup that takes too long is answered with 503.
  await expect.poll(() => location(code.id)).toBe('https://example.org/later');
  await expect.poll(() => location(lostId)).toBe('https://example.org/lost');
  await second.close();

  const third = await start(backup);
  // Codes that no longer exist are found by the sweep.
  await expect.poll(async () => (await waymark.scan(lostId)).status).toBe(404);
  const logged = () => waymark.logged().filter(({ msg }) => String(msg).includes('admin republish'));
  await expect.poll(logged).not.toEqual([]);
  expect(await location(code.id)).toBe('https://example.org/later');
  const { timeline } = await republish(backup);
  expect(timeline).toBeGreaterThan(0);
  await expect.poll(() => location(code.id)).toBe('https://example.com/restored');
  await expect.poll(async () => (await waymark.scan(lostId)).status).toBe(404);
  // Changes take effect at once as usual, though their versions are lower than the earlier ones.
  const changed = await third.callWith(own.apiKey)('PUT', `/api/qr/codes/${code.id}`, {
    destination: 'https://example.com/changed',
  });
  expect(changed.status).toBe(200);
  await expect.poll(() => location(code.id)).toBe('https://example.com/changed');
  // No entity tag of before comes again, so that a client of before overwrites nothing.
  expect(tags).not.toContain(changed.headers.get('etag'));
  const late = { name: 'late' };
  for (const tag of tags)
    expect(
      await third.callWith(own.apiKey)('PUT', `/api/qr/codes/${code.id}`, late, { 'if-match': tag! }),
    ).toMatchObject({
      status: 412,
    });
  await third.close();
}, 300_000);
