/** The start of the control plane where something is wrong. */
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { queryOnce } from '../deploy/embedded/parts/postgres/postgres.ts';
import { canMount, mountDisk, run } from '../deploy/testing/disk.ts';
import { afterFile, createTestDatabase, databaseAdminUrl, temporaryFolder } from '../deploy/testing/index.ts';
import { startTestControlPlane } from './testing/control-plane.ts';

test('a start whose port is taken says that it is, also while its parts are still connecting', async () => {
  const other = net.createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  afterFile(() => other.close());
  const { port } = other.address() as net.AddressInfo;
  await expect(
    startTestControlPlane({
      keepInternalPort: true,
      environment: { CONTROL_PLANE_INTERNAL_PORT: String(port) },
    }),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a start on a database that was not migrated, or by an earlier version only, says how to migrate it', async () => {
  const databaseUrl = await createTestDatabase();
  await queryOnce(
    databaseUrl,
    `DELETE FROM schema_migrations WHERE name = (SELECT max(name) FROM schema_migrations)`,
  );
  await expect(startTestControlPlane({ databaseUrl })).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(
      /^DATABASE_URL names a database that lacks a migration of this version, the first is \d{4}[^:]*\.sql: run `node control-plane\/admin\.ts migrate`$/,
    ),
  });
  await queryOnce(databaseUrl, 'DROP TABLE schema_migrations');
  await expect(startTestControlPlane({ databaseUrl })).rejects.toThrow(
    /lacks \d+ migrations of this version, the first is 0001/,
  );
});

test('a STORAGE_URL with a folder that cannot be used stops the start with a line that names it', async () => {
  const file = path.join(await temporaryFolder(), 'file');
  fs.writeFileSync(file, '');
  const folder = path.join(file, 'storage');
  await expect(
    startTestControlPlane({ environment: { STORAGE_URL: pathToFileURL(folder).href } }),
  ).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(
      /^STORAGE_URL must be a folder that can be written; given: "[^\n]+ is no folder\)$/,
    ),
  });
});

test.skipIf(!canMount)(
  'a folder whose disk is full or read-only does not stop the start; health tells of it',
  async () => {
    const disk = await mountDisk(8);
    const environment = { STORAGE_URL: pathToFileURL(path.join(disk, 'storage')).href };
    const filler = fs.openSync(path.join(disk, 'filler'), 'w');
    expect(() => {
      for (;;) fs.writeSync(filler, Buffer.alloc(2 ** 16));
    }).toThrow('ENOSPC');
    fs.closeSync(filler);
    const plane = await startTestControlPlane({ environment });
    await expect
      .poll(async () => (await plane.internal('GET', '/health/ready')).body)
      .toMatchObject({
        unhealthy: { storage: expect.stringMatching(/^The storage \(STORAGE_URL\) has no room left/) },
      });
    // No file of it may be open for writing then.
    await plane.close();
    run('mount', '-o', 'remount,ro', disk);
    const next = await startTestControlPlane({ environment });
    await expect
      .poll(async () => (await next.internal('GET', '/health/ready')).body)
      .toMatchObject({
        unhealthy: { storage: expect.stringMatching(/^The storage \(STORAGE_URL\) does not work: EROFS/) },
      });
  },
);

test('a bucket that does not answer does not stop the start; health and metrics tell of it', async () => {
  // Nothing may listen at the port.
  const plane = await startTestControlPlane({
    environment: { STORAGE_URL: 's3://key:hunter2@127.0.0.1:2/pictures?tls=false' },
  });
  await expect
    .poll(() => plane.internal('GET', '/health/ready'))
    .toMatchObject({
      status: 200,
      body: {
        status: 'ok',
        unhealthy: {
          storage: 'The storage (STORAGE_URL) does not work: its service cannot be reached (ECONNREFUSED)',
        },
      },
    });
  const metrics = String((await plane.internal('GET', '/metrics')).body);
  expect(metrics).toMatch(/waymark_storage_failures_total\{why="away"\} [1-9]/);
});

test('a control plane says how many connections to PostgreSQL it opens at most, and opens no more, whatever waits', async () => {
  const databaseUrl = await createTestDatabase();
  const logger = createLogger('test', 'silent');
  const said: string[] = [];
  logger.info = (...words: unknown[]) => void said.push(String(words.at(-1)));
  const opened = vi.spyOn(pg, 'Pool');
  const plane = await startTestControlPlane({
    databaseUrl,
    logger,
    environment: { DATABASE_CONNECTIONS_MAX: '18' },
  });
  const pools = opened.mock.calls.map(([options]) => options!);
  opened.mockRestore();
  expect(said).toContainEqual(
    expect.stringMatching(/opens at most 18 connections to PostgreSQL .+ of \d+ allowed/),
  );
  const countOpen = async () => {
    const { rows } = await plane.pool.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'waymark-%'`,
    );
    return rows[0]!.count;
  };
  const { call } = await plane.workspace();
  const lock = await plane.pool.connect();
  await lock.query('BEGIN');
  await lock.query('LOCK TABLE codes IN ACCESS EXCLUSIVE MODE');
  const waiting = Array.from({ length: 40 }, () => call('GET', '/api/qr/codes?limit=1'));
  const sizes = new Map(pools.map(({ application_name: name, max }) => [name, Number(max)]));
  const countRequests = async () => {
    const { rows } = await plane.pool.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'waymark-requests'`,
    );
    return rows[0]!.count;
  };
  await expect.poll(countRequests).toBe(sizes.get('waymark-requests'));
  expect(await countOpen()).toBeLessThanOrEqual(18);
  const channels = 1;
  const inPools = [...sizes].reduce((sum, [name, max]) => sum + (name === 'test' ? 0 : max), 0);
  expect(inPools + channels).toBe(18);
  await lock.query('ROLLBACK');
  lock.release();
  await Promise.all(waiting);
});

test('a start on a server that does not allow its connections is refused, and names the limit', async () => {
  const databaseUrl = await createTestDatabase();
  const database = new URL(databaseUrl).pathname.slice(1);
  await queryOnce(databaseAdminUrl(), `ALTER DATABASE ${pg.escapeIdentifier(database)} CONNECTION LIMIT 19`);
  await expect(startTestControlPlane({ databaseUrl })).rejects.toMatchObject({
    name: 'ConfigError',
    message:
      'DATABASE_CONNECTIONS_MAX is 20, and PostgreSQL allows 19: raise the CONNECTION LIMIT of the database (19), or lower DATABASE_CONNECTIONS_MAX',
  });
  await startTestControlPlane({ databaseUrl, environment: { DATABASE_CONNECTIONS_MAX: '16' } });
});
