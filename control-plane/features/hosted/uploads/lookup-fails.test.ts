/** Pages whose uploads cannot be looked up. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import { queryOnce } from '../../../../deploy/embedded/parts/postgres/postgres.ts';
import { afterFile, databaseAdminUrl } from '../../../../deploy/testing/index.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { createPage, pathOf, uploaded } from './testing/landing-page.ts';
import { plain } from './testing/pictures.ts';

const environment = { TRUSTED_PROXIES: '127.0.0.0/8' };
let plane: TestControlPlane;
let own: Workspace;
let redis: ReturnType<typeof createRedis>;

beforeAll(async () => {
  plane = await startTestControlPlane({ environment });
  own = await plane.workspace();
  redis = createRedis(
    plane.redisUrl,
    { name: 'test', commandTimeoutMs: 2_000 },
    createLogger('test', 'silent'),
  );
  afterFile(() => redis.disconnect());
  await untilReady(redis);
});

let colours = 0x101010;
/** A page with a picture that no process has shown yet. */
const pageWithPicture = async () => {
  const id = await createPage(own.call);
  const picture = plain(700, 350, `#${(colours++).toString(16)}`).png();
  const url = await uploaded(own.call, id, await picture.toBuffer());
  return { id, url, avif: `type="image/avif" srcset="${pathOf(url).replace(/[^/]+$/, '')}` };
};

let visitors = 0;
interface Opened {
  status: number;
  html: string;
  etag: string | null;
}

/** Opens the page as a new visitor. On a busy machine PostgreSQL may be too slow for a view; it is then retried. */
const open = async (at: TestControlPlane, id: string): Promise<Opened> => {
  visitors++;
  const { status, body, headers } = await at.callWith(undefined)('GET', `/p/${id}`, undefined, {
    accept: 'text/html',
    'x-forwarded-for': `198.51.${visitors >> 8}.${visitors & 255}`,
  });
  if (status !== 503) return { status, html: String(body), etag: headers.get('etag') };
  await sleep(100);
  return open(at, id);
};

const inRedis = async (id: string): Promise<string> => (await redis.hget(`hosted-page:${id}`, 'html')) ?? '';

const failedLookups = async (at: TestControlPlane): Promise<number> => {
  const { body } = await at.internal('GET', '/metrics');
  return Number(/^waymark_image_lookups_failed_total\{[^}]*\} (\d+)$/m.exec(String(body))?.[1]);
};

describe('a page whose uploads cannot be looked up', () => {
  test('shows them like pictures from elsewhere, is not stored as complete, and is complete again soon', async () => {
    const [page, other] = [await pageWithPicture(), await createPage(own.call)];
    // The plane that published the page knows its pictures.
    const { databaseUrl, redisUrl, clickhouseUrl } = plane;
    const second = await startTestControlPlane({ databaseUrl, redisUrl, clickhouseUrl, environment });
    await plane.pool.query('ALTER TABLE uploaded_images RENAME TO broken_images');
    const first = await open(second, page.id);
    await plane.pool.query('ALTER TABLE broken_images RENAME TO uploaded_images');
    expect([first.status, first.html.includes(`<img src="${page.url}"`)]).toEqual([200, true]);
    expect(first.html).not.toContain(page.avif);
    expect(await failedLookups(second)).toBeGreaterThan(0);
    // Redis stores documents in order: if the earlier one had been sent, it would be there.
    await open(second, other);
    await expect.poll(() => inRedis(other)).toContain('<!doctype html>');
    expect(await inRedis(page.id)).not.toContain('<!doctype html>');
    const isWhole = async () => {
      const { html, etag } = await open(second, page.id);
      return [html.includes(page.avif), etag !== first.etag];
    };
    await expect.poll(isWhole, { interval: 100 }).toEqual([true, true]);
    await expect.poll(() => inRedis(page.id)).toContain(page.avif);
  });

  test('is rendered once a second for all visitors', async () => {
    const page = await pageWithPicture();
    await plane.pool.query('ALTER TABLE uploaded_images RENAME TO broken_images');
    const before = await rendersOf(plane);
    const startedMs = performance.now();
    for (let n = 0; n < 30; n++) expect((await open(plane, page.id)).status).toBe(200);
    const seconds = (performance.now() - startedMs) / 1_000;
    await plane.pool.query('ALTER TABLE broken_images RENAME TO uploaded_images');
    expect((await rendersOf(plane)) - before).toBeLessThanOrEqual(1 + seconds);
  });
});

const rendersOf = async (at: TestControlPlane): Promise<number> => {
  const { body } = await at.internal('GET', '/metrics');
  return Number(/^waymark_hosted_page_renders_total\{kind="landing_page"\} (\d+)$/m.exec(String(body))?.[1]);
};

test('while PostgreSQL is away, a page that Redis has from another build is rendered with its pictures as they are', async () => {
  const page = await pageWithPicture();
  const keptOnce = async () => {
    await open(plane, page.id);
    return inRedis(page.id);
  };
  await expect.poll(keptOnce, { interval: 100 }).toContain(page.avif);
  await redis.hset(`hosted-page:${page.id}`, 'build', 'another');
  const { databaseUrl, redisUrl, clickhouseUrl } = plane;
  const second = await startTestControlPlane({ databaseUrl, redisUrl, clickhouseUrl, environment });
  const database = new URL(databaseUrl).pathname.slice(1);
  const admin = (sql: string) => queryOnce(databaseAdminUrl(), sql);
  await admin(`ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS false`);
  await admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
  try {
    const shown = await open(second, page.id);
    expect([shown.status, shown.html.includes(`<img src="${page.url}"`)]).toEqual([200, true]);
  } finally {
    await admin(`ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS true`);
  }
  const shownAgain = async () => (await open(second, page.id)).html;
  await expect.poll(shownAgain, { interval: 100 }).toContain(page.avif);
});
