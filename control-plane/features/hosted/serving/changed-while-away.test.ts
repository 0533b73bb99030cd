/** Two control planes that both lose PostgreSQL after a page has been changed: neither serves what the page was before. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { queryOnce } from '../../../../deploy/embedded/parts/postgres/postgres.ts';
import {
  afterFile,
  databaseAdminUrl,
  startTestRedis,
  type TestRedis,
} from '../../../../deploy/testing/index.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { simplePages } from './testing/simple-pages.ts';

const environment = { TRUSTED_PROXIES: '127.0.0.0/8' };
let redis: TestRedis;
let client: Redis;
let planeA: TestControlPlane;
let planeB: TestControlPlane;
let own: Workspace;
let database: string;

const startOther = () => {
  const { databaseUrl, redisUrl, clickhouseUrl } = planeA;
  return startTestControlPlane({
    features: simplePages().features,
    databaseUrl,
    redisUrl,
    clickhouseUrl,
    environment,
  });
};

beforeAll(async () => {
  redis = await startTestRedis();
  planeA = await startTestControlPlane({
    features: simplePages().features,
    redisUrl: redis.url,
    environment,
  });
  planeB = await startOther();
  database = new URL(planeA.databaseUrl).pathname.slice(1);
  own = await planeA.workspace();
  client = createRedis(redis.url, { name: 'test', commandTimeoutMs: 2_000 }, createLogger('test', 'silent'));
  afterFile(() => client.disconnect());
  await untilReady(client);
});

const secret = 'What nobody is to read any more';
const pathOf = (id: string) => `/api/qr/landing-pages/${id}`;

let visitors = 0;
/** The status, and the title or what a program is told. */
const look = async (plane: TestControlPlane, id: string) => {
  visitors++;
  const page = await fetch(`${plane.url}/p/${id}`, {
    headers: { 'x-forwarded-for': `198.51.${visitors >> 8}.${visitors & 255}` },
  });
  const text = await page.text();
  return `${page.status} ${/<title>(.*)<\/title>/.exec(text)?.[1] ?? (JSON.parse(text) as { error: string }).error}`;
};
/** The first that is not 503: on a busy machine PostgreSQL or Redis may be too late for a view. */
const seenAt = async (plane: TestControlPlane, id: string): Promise<string> => {
  for (;;) {
    const seen = await look(plane, id);
    if (!seen.startsWith('503')) return seen;
    await sleep(100);
  }
};
const kept = async (id: string) => JSON.stringify(await client.hgetall(`hosted-page:${id}`));

/** A page that both planes hold, and Redis. */
const createSeen = async (): Promise<string> => {
  const { body } = await own.call('POST', '/api/qr/landing-pages', { name: 'Café', headline: secret });
  const id = (body as { pageId: string }).pageId;
  expect(await seenAt(planeA, id)).toBe(`200 ${secret}`);
  await expect.poll(() => kept(id)).toContain(secret);
  expect(await seenAt(planeB, id)).toBe(`200 ${secret}`);
  return id;
};

const admin = (sql: string) => queryOnce(databaseAdminUrl(), sql);
const listeners = async (): Promise<number> => {
  const { rows } = await admin(
    `SELECT pid FROM pg_stat_activity WHERE datname = '${database}' AND query = 'LISTEN "hosted_pages"'`,
  );
  return rows.length;
};

/** While PostgreSQL takes no connection and has none. */
const withoutDatabase = async (work: () => Promise<void>): Promise<void> => {
  const listening = await listeners();
  await admin(`ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS false`);
  await admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
  try {
    await work();
  } finally {
    await admin(`ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS true`);
  }
  await expect.poll(listeners).toBe(listening);
};

/** What has been changed before has been heard of at both planes then: notices come in their order. */
const untilHeard = async (): Promise<void> => {
  const last = await createSeen();
  await own.call('DELETE', pathOf(last));
  for (const plane of [planeA, planeB]) await expect.poll(() => look(plane, last)).toBe(gone);
};

const gone = '404 There is no landing page with this id';
const paused = '404 The landing page is paused';
const unavailable = expect.stringMatching(/^503 /);

describe('while PostgreSQL is away', () => {
  test('a page that was deleted, paused or changed before is not served as it was, at any control plane', async () => {
    const [deleted, stopped, changed] = [await createSeen(), await createSeen(), await createSeen()];
    await own.call('DELETE', pathOf(deleted));
    await own.call('PATCH', pathOf(stopped), { status: 'paused' });
    await own.call('PATCH', pathOf(changed), { headline: 'New' });
    for (const id of [deleted, stopped, changed]) expect(await kept(id)).not.toContain(secret);
    await untilHeard();
    expect(await seenAt(planeA, stopped)).toBe(paused);
    // One that starts now knows of nothing but what Redis says.
    const planeC = await startOther();
    await withoutDatabase(async () => {
      for (const plane of [planeA, planeB, planeC, planeA, planeB, planeC]) {
        expect(await seenAt(plane, deleted)).toBe(gone);
        expect(await seenAt(plane, stopped)).toBe(paused);
        expect(await look(plane, changed)).toEqual(unavailable);
      }
    });
    expect(await seenAt(planeB, changed)).toBe('200 New');
    await planeC.close();
  });

  test('nor is it where it has changed while Redis was away', async () => {
    const [deleted, stopped, changed] = [await createSeen(), await createSeen(), await createSeen()];
    redis.stall();
    await own.call('DELETE', pathOf(deleted));
    await own.call('PATCH', pathOf(stopped), { status: 'paused' });
    const { status } = await own.call('PATCH', pathOf(changed), { headline: 'New' });
    expect(status).toBe(200);
    redis.resume();
    await untilHeard();
    await withoutDatabase(async () => {
      for (const plane of [planeA, planeB, planeA, planeB]) {
        expect(await seenAt(plane, deleted)).toBe(gone);
        expect(await seenAt(plane, stopped)).toBe(paused);
        expect(await look(plane, changed)).toEqual(unavailable);
      }
    });
  });

  test('and hangs, a page that was changed is not served as it was by the control plane that answered', async () => {
    const [deleted, changed] = [await createSeen(), await createSeen()];
    await own.call('DELETE', pathOf(deleted));
    await own.call('PATCH', pathOf(changed), { headline: 'New' });
    await untilHeard();
    const lock = await planeA.pool.connect();
    await lock.query('BEGIN; LOCK TABLE hosted_pages IN ACCESS EXCLUSIVE MODE');
    try {
      for (const plane of [planeA, planeB]) {
        expect(await seenAt(plane, deleted)).toBe(gone);
        expect(await look(plane, changed)).toEqual(unavailable);
      }
    } finally {
      await lock.query('ROLLBACK');
      lock.release();
    }
    expect(await seenAt(planeA, changed)).toBe('200 New');
  });
});
