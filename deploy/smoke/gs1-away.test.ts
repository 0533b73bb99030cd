/** GS1 Digital Links are resolved after a change of plan, and while only Redis or only PostgreSQL is away. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { documentKey } from '#schemas/documents.ts';
import { changeSubscription } from '../../control-plane/features/tenancy/store.ts';
import { secretKey, startTestControlPlane } from '../../control-plane/testing/control-plane.ts';
import { phone, startTestRedirector } from '../../redirector/testing/redirector.ts';
import { queryOnce } from '../embedded/parts/postgres/postgres.ts';
import { afterFile, databaseAdminUrl, startTestRedis } from '../testing/index.ts';

/** From this age on, held records are revalidated. */
const staleS = 1;

const server = await startTestRedis();
const plane = await startTestControlPlane({ redisUrl: server.url });
const waymark = await startTestRedirector({
  REDIS_URL: server.url,
  SECRET_KEY: secretKey,
  CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
  RECORD_FRESH_S: String(staleS),
  RECORD_STALE_MAX_S: String(staleS),
});
await waymark.connected();
const own = await plane.workspace();

const entries = '/api/qr/gs1/entries';
const keep = (path: string) =>
  own.call('POST', entries, {
    path,
    itemDescription: 'Rice',
    links: [{ linkType: 'gs1:pip', href: `https://example.com${path}`, title: 'Rice' }],
  });

const resolve = async (path: string) => {
  const headers = { 'user-agent': phone };
  const { status, headers: answer } = await fetch(waymark.url + path, { redirect: 'manual', headers });
  return [status, answer.get('location')];
};
const resolved = (path: string) => [307, `https://example.com${path}`];

const held = '/01/09506000134352';
const inRedis = '/01/00000000000017';
const inPostgres = '/01/00000000000024';
const unknown = '/01/00000000000031';

test('keys are resolved after a change to a plan without entries', async () => {
  for (const path of [held, inRedis, inPostgres]) expect((await keep(path)).status).toBe(201);
  await changeSubscription(plane.pool, own.workspaceId, { plan: 'free' });
  // The plane learns of the change from a notification, which may come after the next request.
  await expect.poll(async () => (await keep(`${held}/10/L1`)).status).toBe(403);
  // From Redis, and from PostgreSQL.
  expect(await resolve(held)).toEqual(resolved(held));
  await waymark.redis.del(documentKey(`gs1:${held.slice(1)}`));
  await sleep(staleS * 1200);
  expect(await resolve(held)).toEqual(resolved(held));
});

test('with only PostgreSQL away, keys that are held or in Redis are resolved, and others are 503', async () => {
  const database = new URL(plane.databaseUrl).pathname.slice(1);
  const admin = (sql: string) => queryOnce(databaseAdminUrl(), sql);
  const allow = (allowed: boolean) => admin(`ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS ${allowed}`);
  await allow(false);
  try {
    await admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
    await sleep(staleS * 1200);
    expect(await resolve(held)).toEqual(resolved(held));
    expect(await resolve(inRedis)).toEqual(resolved(inRedis));
    expect((await resolve(unknown))[0]).toBe(503);
  } finally {
    await allow(true);
  }
  await expect.poll(() => resolve(unknown), { timeout: 20_000 }).toEqual([404, null]);
}, 60_000);

test('with only Redis killed, keys that are held or in PostgreSQL are resolved, and others are 404', async () => {
  await server.kill();
  afterFile(() => server.startAgain());
  await sleep(staleS * 1200);
  expect(await resolve(held)).toEqual(resolved(held));
  expect(await resolve(inPostgres)).toEqual(resolved(inPostgres));
  expect((await resolve('/01/00000000000048'))[0]).toBe(404);
}, 60_000);
