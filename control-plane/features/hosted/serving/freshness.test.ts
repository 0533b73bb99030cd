/** Two control planes with the same databases, and what becomes of pages while some of it is away. */

import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import { queryOnce } from '../../../../deploy/embedded/parts/postgres/postgres.ts';
import { databaseAdminUrl, startTestRedis, type TestRedis } from '../../../../deploy/testing/index.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { simplePages } from './testing/simple-pages.ts';

const silent = createLogger('test', 'silent');
const [simpleA, simpleB] = [simplePages(), simplePages()];
let redis: TestRedis;
let planeA: TestControlPlane;
let planeB: TestControlPlane;
let own: Workspace;
let database: string;

beforeAll(async () => {
  redis = await startTestRedis();
  const environment = { TRUSTED_PROXIES: '127.0.0.0/8' };
  planeA = await startTestControlPlane({ features: simpleA.features, redisUrl: redis.url, environment });
  const { databaseUrl, redisUrl, clickhouseUrl } = planeA;
  planeB = await startTestControlPlane({
    features: simpleB.features,
    databaseUrl,
    redisUrl,
    clickhouseUrl,
    environment,
  });
  database = new URL(databaseUrl).pathname.slice(1);
  own = await planeA.workspace();
});

const create = async (headline = 'Hello'): Promise<string> => {
  const { body } = await own.call('POST', '/api/qr/landing-pages', { name: 'Café', headline });
  return (body as { pageId: string }).pageId;
};
const change = (id: string, headline: string) =>
  own.call('PATCH', `/api/qr/landing-pages/${id}`, { headline });

let visitors = 0;
const visit = (plane: TestControlPlane, id: string) => {
  visitors++;
  return fetch(`${plane.url}/p/${id}`, {
    headers: {
      accept: 'text/html',
      'user-agent':
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36',
      'x-forwarded-for': `198.51.${visitors >> 8}.${visitors & 255}`,
    },
  });
};
/** Of the first answer that is not 503: on a busy machine PostgreSQL or Redis may be too late for a view. */
const titleOf = async (plane: TestControlPlane, id: string): Promise<string | undefined> => {
  for (;;) {
    const page = await visit(plane, id);
    const text = await page.text();
    if (page.status !== 503) return /<title>(.*)<\/title>/.exec(text)?.[1];
    await sleep(100);
  }
};

const admin = (sql: string) => queryOnce(databaseAdminUrl(), sql);
const disconnectAll = (where = 'true') =>
  admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}' AND ${where}`);
const allowConnections = (allowed: boolean) =>
  admin(`ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS ${allowed}`);
const listeners = async (): Promise<number> => {
  const { rows } = await admin(
    `SELECT pid FROM pg_stat_activity WHERE datname = '${database}' AND query = 'LISTEN "hosted_pages"'`,
  );
  return rows.length;
};
const metric = async (plane: TestControlPlane, name: string): Promise<number> => {
  const { body } = await plane.internal('GET', '/metrics');
  return Number(String(body).split(`\nwaymark_${name} `)[1]?.split('\n')[0]);
};

/** While PostgreSQL takes no connection and has none. */
const withoutDatabase = async (work: () => Promise<void>): Promise<void> => {
  await allowConnections(false);
  await disconnectAll();
  try {
    await work();
  } finally {
    await allowConnections(true);
  }
  await expect.poll(listeners).toBe(2);
};

/** Only a notice comes so soon: a page that is held is asked for after 30 seconds all the same. */
const heardOf = { timeout: 20_000, interval: 5 };

describe('a change through one control plane', () => {
  test('is seen at the other, which held the page', async () => {
    const id = await create();
    expect(await titleOf(planeB, id)).toBe('Hello');
    await change(id, 'Changed');
    expect(await titleOf(planeA, id)).toBe('Changed');
    await expect.poll(() => titleOf(planeB, id), heardOf).toBe('Changed');
    await own.call('DELETE', `/api/qr/landing-pages/${id}`);
    expect((await visit(planeA, id)).status).toBe(404);
    await expect.poll(async () => (await visit(planeB, id)).status, heardOf).toBe(404);
  });

  test('is seen at once while nothing is heard of changes', async () => {
    const id = await create();
    expect(await titleOf(planeB, id)).toBe('Hello');
    for (let n = 0; n < 2; n++) {
      // Both planes keep the connections of their pools.
      await allowConnections(false);
      await disconnectAll(`query = 'LISTEN "hosted_pages"'`);
      await expect.poll(listeners).toBe(0);
      await change(id, `Changed ${n}`);
      // A busy machine's PostgreSQL may be too late for a view, which then gets the page as it is held.
      await expect.poll(() => titleOf(planeB, id), heardOf).toBe(`Changed ${n}`);
      expect(await listeners()).toBe(0);
      await allowConnections(true);
      await expect.poll(listeners).toBe(2);
    }
  });

  test('during which the connection was lost is seen when it is back', async () => {
    const id = await create();
    expect(await titleOf(planeB, id)).toBe('Hello');
    await disconnectAll(`query = 'LISTEN "hosted_pages"'`);
    await change(id, 'Unheard');
    await expect.poll(listeners).toBe(2);
    await expect.poll(() => titleOf(planeB, id), heardOf).toBe('Unheard');
  });
});

describe('a page that one control plane has rendered', () => {
  test('is not rendered again by another one, nor is it without Redis served wrong', async () => {
    const id = await create();
    await titleOf(planeA, id);
    await expect.poll(() => redisKeys(id)).toBe(1);
    expect(await titleOf(planeB, id)).toBe('Hello');
    expect(simpleB.rendered.get(id)).toBeUndefined();
    expect(await metric(planeB, 'hosted_pages_total{tier="redis"}')).toBeGreaterThan(0);
  });
});

/** How many pages Redis has under this id. */
const redisKeys = async (id: string): Promise<number> => {
  const client = createRedis(redis.url, { name: 'test', commandTimeoutMs: 2_000 }, silent);
  await untilReady(client);
  const found = await client.exists(`hosted-page:${id}`);
  client.disconnect();
  return found;
};

describe('while PostgreSQL is away', () => {
  test('pages are served from memory and from Redis, others are 503; views are counted once it is back', async () => {
    const [held, stored, unknown] = [await create('Held'), await create('Stored'), await create('Unknown')];
    expect(await titleOf(planeA, held)).toBe('Held');
    expect(await titleOf(planeA, stored)).toBe('Stored');
    await expect.poll(() => redisKeys(stored)).toBe(1);
    await withoutDatabase(async () => {
      for (let n = 0; n < 3; n++) {
        expect(await titleOf(planeA, held)).toBe('Held');
        expect(await titleOf(planeB, stored)).toBe('Stored');
        const away = await visit(planeB, unknown);
        expect([away.status, away.headers.get('retry-after'), away.headers.get('content-type')]).toEqual([
          503,
          '2',
          'text/html; charset=utf-8',
        ]);
      }
      expect(await metric(planeA, 'hosted_pages_total{tier="stale"}')).toBeGreaterThan(0);
    });
    const viewsOf = async (id: string) =>
      ((await own.call('GET', `/api/qr/landing-pages/${id}`)).body as { viewCount: number }).viewCount;
    await expect.poll(async () => [await viewsOf(held), await viewsOf(stored)]).toEqual([4, 4]);
    await change(held, 'Changed');
    expect(await titleOf(planeA, held)).toBe('Changed');
    await expect.poll(() => titleOf(planeB, unknown)).toBe('Unknown');
  });

  test('and when it hangs, a page that is held comes at once', async () => {
    const id = await create();
    await titleOf(planeA, id);
    const lock = await planeA.pool.connect();
    await lock.query('BEGIN; LOCK TABLE hosted_pages IN ACCESS EXCLUSIVE MODE');
    await disconnectAll(`query = 'LISTEN "hosted_pages"'`);
    const startedMs = performance.now();
    for (let n = 0; n < 20; n++) expect(await titleOf(planeA, id)).toBe('Hello');
    const elapsedMs = performance.now() - startedMs;
    await lock.query('ROLLBACK');
    lock.release();
    // PostgreSQL ends a statement after 10 seconds: all of them together do not wait for one.
    expect(elapsedMs).toBeLessThan(10_000);
    await expect.poll(listeners).toBe(2);
  });
});

test('while Redis is away, hangs, or has lost everything, pages are served and changes are seen', async () => {
  const id = await create('One');
  const [first, second] = [await create(), await create()];
  await redis.kill();
  expect(await titleOf(planeA, id)).toBe('One');
  await change(id, 'Two');
  expect(await titleOf(planeA, id)).toBe('Two');
  expect(await titleOf(planeB, first)).toBe('Hello');
  await redis.startAgain();
  const isKept = async () => {
    const probe = await create();
    await titleOf(planeA, probe);
    return redisKeys(probe);
  };
  await expect.poll(isKept, { interval: 200 }).toBe(1);
  redis.stall();
  expect(await titleOf(planeB, second)).toBe('Hello');
  await change(id, 'Three');
  expect(await titleOf(planeA, id)).toBe('Three');
  redis.resume();
});
