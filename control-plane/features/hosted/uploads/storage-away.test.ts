/** Uploads while the storage is away or full, and on a control plane that is killed at any step. */
import fs from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { canMount, mountDisk } from '../../../../deploy/testing/disk.ts';
import {
  afterFile,
  createTestClickHouse,
  createTestDatabase,
  temporaryFolder,
} from '../../../../deploy/testing/index.ts';
import { createPool, type Pool } from '../../../platform/db/pool.ts';
import { startS3Server } from '../../../platform/storage/testing/s3-server.ts';
import { type Call, caller, startTestControlPlane } from '../../../testing/control-plane.ts';
import { type PlaneProcess, startPlaneProcess } from '../../../testing/plane-process.ts';
import { createWorkspace } from '../../tenancy/store.ts';
import { createPage, pageOf, pathOf, upload, uploaded } from './testing/landing-page.ts';
import { noisePicture, plain } from './testing/pictures.ts';

const errorOf = ({ body }: { body: unknown }) => (body as { error: string }).error;

test('while the bucket is away, uploads are 503 and change nothing, and pictures are 503 and never a cached 404; afterwards all works', async () => {
  const server = await startS3Server();
  const settings = { environment: { STORAGE_URL: server.url } };
  const plane = await startTestControlPlane(settings);
  const { call } = await plane.workspace();
  const pageId = await createPage(call);
  const url = await uploaded(call, pageId, await plain(30, 30).png().toBuffer());
  const page = await pageOf(call, pageId);
  const [held, other] = [pathOf(url), pathOf(url).replace('.jpg', '.webp')];
  expect((await call('GET', held)).status).toBe(200);

  await server.kill();
  const bytes = await plain(31, 30).png().toBuffer();
  const refused = await upload(call, pageId, bytes);
  expect([refused.status, refused.headers.get('retry-after'), errorOf(refused)]).toEqual([
    503,
    '10',
    'The storage of pictures does not answer; try again shortly',
  ]);
  expect(await pageOf(call, pageId)).toEqual(page);
  // A held picture is served; any other is unavailable, not missing.
  expect((await call('GET', held)).status).toBe(200);
  const away = await call('GET', other);
  expect([away.status, away.headers.get('retry-after'), away.headers.get('cache-control')]).toEqual([
    503,
    '2',
    'no-store',
  ]);

  await server.start();
  await expect.poll(async () => (await call('GET', other)).status).toBe(200);
  const later = await uploaded(call, pageId, bytes);
  expect((await call('GET', pathOf(later))).status).toBe(200);
  const { rows } = await plane.pool.query(
    'SELECT state, count(*)::integer AS images FROM uploaded_images GROUP BY 1',
  );
  expect(rows).toEqual([{ state: 'stored', images: 2 }]);
});

test('a picture whose files the storage has lost is restored, under its URL, by uploading it again', async () => {
  const folder = await temporaryFolder();
  const plane = await startTestControlPlane({ environment: { STORAGE_URL: pathToFileURL(folder).href } });
  const { call } = await plane.workspace();
  const pageId = await createPage(call);
  const bytes = await plain(40, 30).png().toBuffer();
  const url = await uploaded(call, pageId, bytes);
  fs.rmSync(path.join(folder, 'images'), { recursive: true });
  expect((await call('GET', pathOf(url))).status).toBe(404);
  expect(await uploaded(call, pageId, bytes)).toBe(url);
  // The absence is remembered for 5 seconds.
  await expect.poll(async () => (await call('GET', pathOf(url))).status).toBe(200);
});

test.skipIf(!canMount)(
  'on a full disk an upload is 503, says so, and leaves the page unchanged',
  async () => {
    const disk = await mountDisk(8);
    const plane = await startTestControlPlane({
      environment: { STORAGE_URL: pathToFileURL(path.join(disk, 'storage')).href },
    });
    const { call } = await plane.workspace();
    const pageId = await createPage(call);
    const filler = path.join(disk, 'filler');
    fs.writeFileSync(filler, '');
    expect(() => {
      for (;;) fs.appendFileSync(filler, Buffer.alloc(2 ** 16));
    }).toThrow('ENOSPC');
    const bytes = await plain(30, 30).png().toBuffer();
    const refused = await upload(call, pageId, bytes);
    expect([refused.status, refused.headers.get('retry-after'), errorOf(refused)]).toEqual([
      503,
      '300',
      'There is no room for further pictures at the moment; try again later',
    ]);
    expect((await pageOf(call, pageId)).heroImageUrl).toBe(null);
    fs.rmSync(filler);
    expect((await upload(call, pageId, bytes)).status).toBe(200);
  },
);

/** An S3 server that accepts every request and never answers. */
const startSilentBucket = async (): Promise<string> => {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return `s3://KEY:SECRET@127.0.0.1:${port}/pictures?tls=false`;
};

const countOf = async (pool: Pool, sql: string): Promise<number> =>
  (await pool.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${sql}`)).rows[0]!.count;

const encodingOf = async ({ internalUrl }: PlaneProcess): Promise<boolean> =>
  /waymark_images_running 1/.test(String((await caller(internalUrl, undefined)('GET', '/metrics')).body));

/** Kills a plane in the middle of an upload. @param isThere whether it has reached the step */
const killAt = async (
  plane: PlaneProcess,
  call: Call,
  pageId: string,
  bytes: Buffer,
  isThere: () => Promise<boolean>,
): Promise<void> => {
  const uploading = expect(upload(call, pageId, bytes, { type: 'jpeg' })).rejects.toThrow('fetch failed');
  await expect.poll(isThere, { interval: 10 }).toBe(true);
  await plane.kill();
  await uploading;
};

test('a plane killed while it encodes, stores or commits leaves no image that anything refers to', async () => {
  const environment = {
    DATABASE_URL: await createTestDatabase(),
    CLICKHOUSE_URL: await createTestClickHouse(),
    STORAGE_URL: pathToFileURL(await temporaryFolder()).href,
  };
  const start = async (further: Record<string, string> = {}) => {
    const plane = await startPlaneProcess('control-plane/main.ts', { ...environment, ...further });
    await plane.ready();
    return plane;
  };
  const pool = createPool(environment.DATABASE_URL, 'test', createLogger('test', 'silent'), 2);
  afterFile(() => pool.end());
  // It takes long enough to be observed.
  const slow = await noisePicture(1_500, 1_500, 60).jpeg({ quality: 70 }).toBuffer();
  const bytes = await plain(60, 40).jpeg().toBuffer();

  const encoding = await start();
  const { apiKey } = await createWorkspace(pool, 'test', 'enterprise');
  const pageId = await createPage(encoding.callWith(apiKey));
  await killAt(encoding, encoding.callWith(apiKey), pageId, slow, () => encodingOf(encoding));
  expect(await countOf(pool, 'uploaded_images')).toBe(0);

  const storing = await start({ STORAGE_URL: await startSilentBucket() });
  const isStoring = async () => (await countOf(pool, `uploaded_images WHERE state = 'storing'`)) === 1;
  await killAt(storing, storing.callWith(apiKey), pageId, bytes, isStoring);

  const committing = await start();
  const holder = await pool.connect();
  await holder.query('BEGIN; SELECT FROM hosted_pages FOR UPDATE');
  const isWaiting = async () =>
    (await countOf(
      pool,
      `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE hosted_pages%'`,
    )) === 1;
  await killAt(committing, committing.callWith(apiKey), pageId, bytes, isWaiting);
  await holder.query('ROLLBACK');
  holder.release();
  await expect
    .poll(() =>
      countOf(
        pool,
        `pg_stat_activity WHERE datname = current_database() AND query LIKE 'UPDATE hosted_pages%' AND state <> 'idle' AND pid <> pg_backend_pid()`,
      ),
    )
    .toBe(0);
  expect([await isStoring(), await countOf(pool, 'uploaded_images')]).toEqual([true, 1]);

  const { DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickhouseUrl } = environment;
  const last = await startTestControlPlane({ databaseUrl, clickhouseUrl, environment });
  const call = last.callWith(apiKey);
  expect((await pageOf(call, pageId)).heroImageUrl).toBe(null);
  const url = await uploaded(call, pageId, bytes, { type: 'jpeg' });
  expect((await call('GET', pathOf(url))).status).toBe(200);
  expect([await isStoring(), await countOf(pool, 'uploaded_images')]).toEqual([false, 1]);
}, 300_000);
